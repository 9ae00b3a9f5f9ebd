"""Whether a folder that is to be written into is new, or holds what isn't ours."""

__all__ = ["refuse_occupied"]

from pathlib import Path

from unforeseen.errors import RunError
from unforeseen.files.atomic import TEMPORARY_SUFFIX


def refuse_occupied(folder: Path, *, kind: str, marker: str) -> bool:
    """Refuses a folder with foreign content; hidden files and a killed process's leftovers may stay.

    Args:
        folder: Where something is to be written.
        kind: What that is, for messages: ``run folder``.
        marker: The file by which a folder of that kind is known.

    Returns:
        Whether the folder is of that kind; else it is new or empty.

    Raises:
        RunError: It is a file, holds something else, or can't be looked into.
    """
    try:
        if folder.exists() and not folder.is_dir():
            raise RunError(f"{folder} is a file; expected a folder to write into.")
        if (folder / marker).exists():
            return True
        foreign = folder.exists() and any(
            file.suffix != TEMPORARY_SUFFIX and not file.name.startswith(".")
            for file in folder.iterdir()
        )
    except OSError as error:
        reason = error.strerror or error
        raise RunError(f"{str(folder)[:200]} can't be looked into: {reason}.") from error
    if foreign:
        article = "an" if kind[0] in "aeiou" else "a"
        raise RunError(
            f"{folder} is not empty and is not {article} {kind} (it has no {marker}). Use another "
            "--out, or empty it."
        )
    return False
