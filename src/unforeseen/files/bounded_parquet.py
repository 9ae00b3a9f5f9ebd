"""Reading parquet files that may be a stranger's without letting them fill the memory.

A few kilobytes can hold a text of gigabytes, or a billion equal rows. Ours hardly shrink: a row has an
id of 16 bytes that can't be compressed, but for those of one picture many times (``#2``, ``#3`` …), and
probabilities. What unfolds beyond that is refused, before it is decoded where its pages say so.
"""

__all__ = ["Allowance", "TooLargeError", "read_bounded"]

import io
from pathlib import Path

import polars as pl

from unforeseen.errors import RunError, UnforeseenError
from unforeseen.files.parquet_size import unfolded

#: So many rows, and so many bytes, fit into memory (about 1 GB) even if a file of 100 kB holds them.
_ALWAYS_READ = 1_000_000
_ALWAYS_UNFOLDED = 2**28
#: How many such files fit into memory together.
_SMALL_FILES = 4
#: How often a longer file's bytes may unfold, and how many bytes of it a row has at least.
_LARGEST_RATIO = 16
_LEAST_BYTES_OF_ROW = 8
#: Values in a row, each entry of its list counted: ours have 49.
_MOST_VALUES = 64


class TooLargeError(UnforeseenError):
    """A file that would fill the memory. The message says what was expected of so small a file."""


class Allowance:
    """What all files of a folder together may take of memory: more than one alone may."""

    def __init__(self) -> None:
        self._encoded = 0
        self._taken = 0

    def take(self, file: Path, rows: pl.DataFrame) -> None:
        """Counts what was read of a file; raises RunError where it is too much for such files."""
        self._encoded += file.stat().st_size
        self._taken += int(rows.estimated_size())
        if self._taken > max(_SMALL_FILES * _ALWAYS_UNFOLDED, _LARGEST_RATIO * self._encoded):
            raise RunError(
                f"{file.parent}: expected files of rows, got {self._encoded:,} bytes that unfold "
                f"into more than {self._taken >> 20:,} MiB; remove them."
            )


def read_bounded(content: bytes) -> pl.DataFrame:
    """Decodes a parquet file.

    Raises:
        TooLargeError: It would take more memory than any of ours of its length does.
        ValueError: It is no parquet file; polars may raise others of
            :data:`unforeseen.files.parquet_errors.UNREADABLE`.
    """
    most_rows = max(_ALWAYS_READ, len(content) // _LEAST_BYTES_OF_ROW)
    most_bytes = max(_ALWAYS_UNFOLDED, _LARGEST_RATIO * len(content))
    size, values = unfolded(content)
    if size > most_bytes:
        raise TooLargeError(f"at most {most_bytes:,} bytes in so small a file")
    if values > _MOST_VALUES * most_rows:
        raise TooLargeError(f"at most {_MOST_VALUES * most_rows:,} values in so small a file")
    # Our own bytes: polars takes '[' in a path for a pattern, and keeps files open.
    rows = pl.read_parquet(io.BytesIO(content), n_rows=most_rows + 1)
    if rows.height > most_rows:
        raise TooLargeError(f"at most {most_rows:,} rows in so small a file")
    # One text that many rows share lies in a page once.
    texts = [
        rows[name].str.len_bytes().sum() for name in rows.columns if rows[name].dtype == pl.String
    ]
    if sum(texts) > most_bytes:
        raise TooLargeError(f"at most {most_bytes:,} bytes of text in so small a file")
    return rows
