"""Where a line says that a picture lies, and the picture; both may be a stranger's."""

__all__ = ["checked_lines", "read_stored"]

import hashlib
import os
import re
from functools import lru_cache
from pathlib import Path

import polars as pl

from unforeseen.errors import DataError, shown
from unforeseen.files.parquet_errors import UNREADABLE
from unforeseen.files.parquet_size import unfolded
from unforeseen.files.regular_files import read_part, read_regular_file
from unforeseen.obfuscated_folder.layout import Format, pictures_folder, records_file
from unforeseen.obfuscated_folder.stored import StoredPicture, read_records

# Ids become names of files where judged pictures are kept.
_EXAMPLE_ID = re.compile(r"[0-9a-f]{32}(#[0-9]{1,9})?")
_SHA256 = re.compile(r"[0-9a-f]{64}")
_PART = re.compile(r'[^<>:"/\\|?*\x00-\x1f\x7f]{1,255}')
_LARGEST = 2**28
_LARGEST_OFFSET = 2**62
_LARGEST_SHARD = 2**32
#: A row has ten values, among them a picture and two hashes.
_LEAST_BYTES_OF_A_VALUE = 8


def checked_lines(folder: Path, name: str, *, classes: int) -> list[StoredPicture]:
    """The lines of an obfuscation's pictures, those that couldn't be read among them.

    Args:
        folder: Of everything.
        name: Of the obfuscation, or ``Clean``.
        classes: How many there are; labels are below.

    Raises:
        DataError: The lines are missing, or say what none of ours do.
    """
    file = records_file(folder, name)
    lines = read_records(file)
    for row, line in enumerate(lines):
        problem = "" if line.unreadable is not None else _problem(line, classes)
        if problem:
            raise DataError(f"{file}: row {row}: expected {problem}. Make the folder again.")
    if len({line.example_id for line in lines}) < len(lines):
        raise DataError(f"{file}: expected ids that all differ. Make the folder again.")
    return lines


def read_stored(folder: Path, pictures_format: Format, name: str, line: StoredPicture) -> bytes:
    """Reads an encoded picture and compares it with its SHA-256.

    Args:
        folder: Of everything.
        pictures_format: How the pictures lie.
        name: Of the obfuscation, or ``Clean``.
        line: A checked one.

    Raises:
        OSError: It isn't there, or is another.
    """
    file = folder / pictures_folder(pictures_format, name) / str(line.file)
    offset, size = int(line.offset or 0), int(line.size or 0)
    if not file.is_file():
        raise OSError("the file is missing, or is none")
    if pictures_format == "imagefolder":
        content = read_part(file, 0, size + 1)
    elif pictures_format == "parquet":
        content = _of_row(file, offset)
    else:
        content = read_part(file, offset, size)
    if hashlib.sha256(content).hexdigest() != line.sha256:
        raise OSError("the file isn't the one that was stored: its SHA-256 is another")
    return content


def _of_row(file: Path, row: int) -> bytes:
    said = os.stat(file)  # noqa: PTH116 - reading follows links as well
    _refuse_unfolding(file, said.st_size, said.st_mtime_ns)
    try:
        column = (
            pl.scan_parquet(file, glob=False)
            .slice(row, 1)
            .select(pl.col("image").struct.field("bytes").alias("bytes"))
        )
        contents = column.collect()["bytes"]
    except UNREADABLE as error:
        # Polars' own words may hold the file's path, and with it a user's folders.
        raise OSError("the parquet file can't be read or decoded") from error
    content = contents[0] if len(contents) else None
    if not isinstance(content, bytes):
        raise OSError("the parquet file has no such row")
    return content


@lru_cache(maxsize=10_000)
def _refuse_unfolding(file: Path, size: int, _changed: int) -> None:
    """Refuses a shard that isn't stored as it is, as ours are: some kilobytes may unfold into gigabytes.

    Raises:
        OSError: It is one.
    """
    try:
        pages = unfolded(read_regular_file(file, at_most=_LARGEST_SHARD))
    except ValueError as error:
        raise OSError("the parquet file can't be read or decoded") from error
    if pages.size > size or pages.values > size // _LEAST_BYTES_OF_A_VALUE:
        raise OSError("the parquet file holds more than its length, so it isn't one of ours")


def _problem(line: StoredPicture, classes: int) -> str:
    """What was expected where a line says something else."""
    parts = str(line.file or "").split("/")
    below = all(_PART.fullmatch(part) and part.strip(". ") for part in parts) and len(parts) <= 2
    checks = (
        (_matches(_EXAMPLE_ID, line.example_id), "an id of 32 hex digits", line.example_id),
        (line.position is not None, "a position", line.position),
        (line.file_name is not None, "a name of the file", line.file_name),
        (_within(line.label, classes), f"a label from 0 to {classes - 1}", line.label),
        (_matches(_SHA256, line.sha256), "a SHA-256 of 64 hex digits", line.sha256),
        (below, "a file below the folder", line.file),
        (_within(line.offset, _LARGEST_OFFSET), "an offset in bytes", line.offset),
        (_within(line.size, _LARGEST), "a size in bytes", line.size),
    )
    return next((f"{each}, got {shown(got)}" for holds, each, got in checks if not holds), "")


def _matches(pattern: re.Pattern[str], text: str | None) -> bool:
    return text is not None and pattern.fullmatch(text) is not None


def _within(number: int | None, end: int) -> bool:
    return number is not None and 0 <= number < end
