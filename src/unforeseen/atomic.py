"""Writing a file so that a crash leaves the old one or the new one, never half of one."""

__all__ = ["TEMPORARY_SUFFIX", "replace_file", "save_file"]

import os
from pathlib import Path
from typing import BinaryIO

from unforeseen.errors import RunError

TEMPORARY_SUFFIX = ".tmp"


def replace_file(path: Path, content: bytes) -> None:
    """Writes ``content`` beside ``path``, then moves it there.

    Args:
        path: Where it ends up; what was there is replaced.
        content: All of it.

    Raises:
        OSError: The folder can't be written or the disk is full; ``path`` is as it was.
    """
    temporary = path.with_name(path.name + TEMPORARY_SUFFIX)
    try:
        with _new_file(temporary) as file:
            file.write(content)
            file.flush()
            # Without it a power cut may keep the new name and lose the content.
            os.fsync(file.fileno())
        temporary.replace(path)
    except BaseException:
        temporary.unlink(missing_ok=True)
        raise


def save_file(path: Path, content: bytes) -> None:
    """Replaces a file of a run folder, making its folder where needed.

    Raises:
        RunError: It can't be written; what was there is as it was.
    """
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        replace_file(path, content)
    except OSError as error:
        raise RunError(f"{path} can't be written: {error.strerror or error}.") from error


def _new_file(path: Path) -> BinaryIO:
    """Opens a file that isn't there; a killed process's is removed, a link never followed."""
    try:
        return path.open("xb")
    except FileExistsError:
        path.unlink()
        return path.open("xb")
