"""Reading files that a data set or a run folder names. Pipes and devices are refused: reading one may never end."""

__all__ = ["read_part", "read_regular_file"]

import os
import stat
from pathlib import Path


def read_regular_file(path: Path, *, at_most: int | None = None) -> bytes:
    """Reads a file whole, as long as it says it is.

    Args:
        path: Where it lies.
        at_most: Bytes; the rest of a longer file is left.

    Raises:
        OSError: It isn't there, or is a folder, a pipe or a device; or no file can have such a name.
    """
    size = _size_of_regular_file(path)
    return read_part(path, 0, size if at_most is None else min(size, at_most))


def read_part(path: Path, offset: int, size: int) -> bytes:
    """Reads some bytes of a file.

    Args:
        path: Known to be a regular file.
        offset: Where they begin.
        size: How many.

    Raises:
        OSError: It can't be read.
    """
    with path.open("rb") as file:
        file.seek(offset)
        return file.read(size)


def _size_of_regular_file(path: Path) -> int:
    try:
        status = os.stat(path)  # noqa: PTH116 - one call for both; Path would ask the disk twice
    except ValueError as error:  # a NUL, or half of a character
        raise OSError("the path can't be one") from error
    if not stat.S_ISREG(status.st_mode):
        raise OSError("not a regular file")
    return status.st_size
