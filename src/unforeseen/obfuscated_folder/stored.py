"""``records/*.parquet``: a line per picture, with all that makes it again and where it lies."""

__all__ = ["StoredPicture", "encode_records", "read_records"]

import io
from collections.abc import Iterable
from pathlib import Path
from typing import NamedTuple

import polars as pl

from unforeseen.errors import DataError
from unforeseen.files.bounded_parquet import TooLargeError, read_bounded
from unforeseen.files.parquet_errors import UNREADABLE
from unforeseen.files.regular_files import read_regular_file

_SCHEMA = pl.Schema(
    {
        "position": pl.Int64(),
        "example_id": pl.String(),
        "file_name": pl.String(),
        "label": pl.Int64(),
        "class_name": pl.String(),
        "obfuscation": pl.String(),
        "parameters": pl.String(),
        "sha256": pl.String(),
        "file": pl.String(),
        "offset": pl.Int64(),
        "size": pl.Int64(),
        "unreadable": pl.String(),
    }
)


class StoredPicture(NamedTuple):
    """One line.

    Attributes:
        position: The picture's place among all that were taken; the same for all obfuscations.
        example_id: What rows call the picture that it was made of.
        file_name: What the data set called that one.
        label: Its true class.
        class_name: That class in words, where the data set names it.
        obfuscation: Its name, or ``Clean``.
        parameters: JSON of what was drawn; null for the clean picture.
        sha256: Of the encoded picture, 64 hex digits.
        file: Where it lies, below the folder of the obfuscation's pictures: its own file, or a shard.
        offset: Where it begins in a shard, in bytes; of a parquet file its row.
        size: Its length in bytes.
        unreadable: Why there is none, where the source couldn't be read; the five before are
            null then.
    """

    position: int
    example_id: str
    file_name: str
    label: int
    class_name: str | None
    obfuscation: str
    parameters: str | None = None
    sha256: str | None = None
    file: str | None = None
    offset: int | None = None
    size: int | None = None
    unreadable: str | None = None


def encode_records(pictures: Iterable[StoredPicture]) -> bytes:
    """The lines as a parquet file."""
    encoded = io.BytesIO()
    pl.DataFrame(list(pictures), schema=_SCHEMA, orient="row").write_parquet(encoded)
    return encoded.getvalue()


def read_records(file: Path) -> list[StoredPicture]:
    """Reads lines, which may be a stranger's: their types are checked, not what they say.

    Raises:
        DataError: There are none, or something else.
    """
    try:
        lines = read_bounded(read_regular_file(file))
    except TooLargeError as error:
        raise DataError(f"{file}: expected {error}, got more.") from error
    except UNREADABLE as error:
        raise DataError(f"{file} can't be read or is no parquet file. Make it again.") from error
    if lines.schema != _SCHEMA:
        raise DataError(f"{file}: expected the columns {', '.join(_SCHEMA)}, got others.")
    return list(map(StoredPicture._make, lines.iter_rows()))
