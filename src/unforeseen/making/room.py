"""How much room on the disk the pictures will take, and whether there is as much."""

__all__ = ["bytes_of_a_picture", "room_note"]

import shutil
from collections.abc import Sequence
from pathlib import Path

from unforeseen.errors import one_line
from unforeseen.making.batch import Making, Source, obfuscated
from unforeseen.making.encoding import encode

#: The file, its line, and what a file system rounds up.
_BESIDES = 3000


def bytes_of_a_picture(making: Making, sources: Sequence[Source]) -> float:
    """Mean size of a stored picture over some pictures, clean and under every obfuscation.

    Args:
        making: How they are made.
        sources: Some pictures; those that can't be read don't count.
    """
    record = making.record
    sizes = [
        len(
            encode(
                obfuscated(making, name, each.example_id, each.pixels)[0],
                record.encoding,
                record.quality,
            )
        )
        for name in record.names
        for each in sources
        if each.pixels is not None
    ]
    return sum(sizes) / len(sizes) + _BESIDES if sizes else 0


def room_note(folder: Path, pictures: int, bytes_of_each: float) -> str:
    """What is said at the beginning.

    Args:
        folder: Where they will go; it is there.
        pictures: How many are to be made.
        bytes_of_each: On the average.
    """
    needed = pictures * bytes_of_each
    free = shutil.disk_usage(folder).free
    said = f"{pictures:,} pictures are to be made, which take about {_in_words(needed)}"
    if needed > free:
        return one_line(f"{said}, but there are only {_in_words(free)} left in {folder}")
    return f"{said}; {_in_words(free)} are free"


def _in_words(size: float) -> str:
    for unit in ("kB", "MB", "GB"):
        size /= 1000
        if size < 1000:
            return f"{size:.3g} {unit}"
    return f"{size / 1000:.3g} TB"
