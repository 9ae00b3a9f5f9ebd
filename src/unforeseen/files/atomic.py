"""Writing a file so that a crash leaves the old one or the new one, never half of one."""

__all__ = ["TEMPORARY_SUFFIX", "make_folder", "patiently", "replace_file", "save_file"]

import errno
import os
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import BinaryIO

from unforeseen.errors import RunError

TEMPORARY_SUFFIX = ".tmp"

#: Seconds between tries, in all about a second: longer than a reader has a file open.
_WAITS = (0.01, 0.02, 0.05, 0.1, 0.2, 0.3, 0.4)


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
        patiently(lambda: temporary.replace(path))
    except BaseException:
        temporary.unlink(missing_ok=True)
        raise


def save_file(path: Path, content: bytes, *, root: Path | None = None) -> None:
    """Replaces a file, making its folder where needed.

    Args:
        path: Where it ends up.
        content: All of it.
        root: The run folder that it lies in, if anywhere below; see :func:`make_folder`.

    Raises:
        RunError: It can't be written; what was there is as it was.
    """
    root = path.parent if root is None else root
    try:
        make_folder(root, *path.parent.relative_to(root).parts)
        replace_file(path, content)
    except OSError as error:
        raise RunError(f"{path} can't be written: {error.strerror or error}.") from error


def make_folder(root: Path, *inside: str) -> Path:
    """Makes a folder of a run folder where needed.

    Args:
        root: The run folder, which the user named; it may be a link.
        inside: Names that lead from there to the folder. None of them may be a link: the run folder
            may be a stranger's, and a link leads anywhere.

    Raises:
        OSError: It can't be made, or a link is in its place.
    """
    root.mkdir(parents=True, exist_ok=True)
    folder = root
    for name in inside:
        folder /= name
        if folder.is_symlink():
            raise OSError(errno.ELOOP, f"{name} is a link, through which nothing is written")
        folder.mkdir(exist_ok=True)
    return folder


def patiently(action: Callable[[], object]) -> None:
    """Moves or removes a file; on Windows again for about a second while a reader has it open.

    Raises:
        OSError: As the action does at last.
    """
    for wait in _WAITS if sys.platform == "win32" else ():
        try:
            action()
        except PermissionError:
            time.sleep(wait)
        else:
            return
    action()


def _new_file(path: Path) -> BinaryIO:
    """Opens a file that isn't there; a killed process's is removed, a link never followed."""
    try:
        return path.open("xb")
    except FileExistsError:
        path.unlink()
        return path.open("xb")
