"""One parquet file of rows: its name, its bytes, and what may be believed of it.

Names are ``part-CELL-NUMBER.parquet`` for what a flush wrote and ``cell-CELL.parquet`` for what was
compacted. Files may be cut short by a full disk or come from a stranger, so nothing is taken on
trust: the columns, their types and the cell are checked before rows are handed on.
"""

__all__ = [
    "DamagedFileError",
    "cell_of",
    "check_cell",
    "compact_name",
    "is_row_file",
    "part_name",
    "read_rows",
    "row_files",
    "write_rows",
]

import io
import re
import uuid
from collections.abc import Mapping
from pathlib import Path

import polars as pl

from unforeseen.errors import RunError, UnforeseenError, one_line, shown
from unforeseen.files.atomic import replace_file
from unforeseen.files.bounded_parquet import TooLargeError, read_bounded
from unforeseen.files.json_file import CHANGED
from unforeseen.files.parquet_errors import UNREADABLE
from unforeseen.files.regular_files import read_regular_file
from unforeseen.rows import ROW_SCHEMA

_CELL = re.compile(r"[0-9a-f]{1,64}")
_NAME = re.compile(r"(?:cell-([0-9a-f]{1,64})|part-([0-9a-f]{1,64})-[0-9a-f]{32})\.parquet")


class DamagedFileError(UnforeseenError):
    """The bytes aren't a whole parquet file; its rows must be made again."""


def check_cell(cell: str) -> None:
    """Raises RunError unless ``cell`` can be part of a file's name."""
    if not _CELL.fullmatch(cell):
        raise RunError(f"expected a cell's id of hexadecimal digits, got {shown(cell)}.")


def part_name(cell: str) -> str:
    """A name that no process has used or will use."""
    return f"part-{cell}-{uuid.uuid4().hex}.parquet"


def compact_name(cell: str) -> str:
    """The name of the one file that a cell is compacted into."""
    return f"cell-{cell}.parquet"


def row_files(folder: Path) -> list[Path]:
    """The parquet files of a folder ``rows``, sorted; none where it isn't there.

    Raises:
        RunError: It is something else, or can't be read.
    """
    try:
        # Not by a pattern: that finds nothing where the folder is a file or may not be read.
        there = sorted(folder.iterdir())
    except FileNotFoundError:
        return []
    except OSError as error:
        raise RunError(
            f"{folder} can't be read: {error.strerror or error}; expected a folder of row files."
        ) from error
    return [file for file in there if file.suffix == ".parquet" and file.name[0] != "."]


def is_row_file(name: str) -> bool:
    """Whether a file of rows may be called so."""
    return _NAME.fullmatch(name) is not None


def cell_of(file: Path) -> str:
    """The cell in a file's name; raises RunError where the name is of another form."""
    match = _NAME.fullmatch(file.name)
    if not match:
        raise RunError(
            f"{file}: expected only cell-ID.parquet and part-ID-NUMBER.parquet there; remove it."
        )
    return match[1] or match[2]


def write_rows(file: Path, rows: pl.DataFrame) -> None:
    """Writes rows all or not at all; raises OSError."""
    buffer = io.BytesIO()
    rows.write_parquet(buffer)
    replace_file(file, buffer.getvalue())


def read_rows(file: Path) -> pl.DataFrame:
    """Reads and checks a file.

    Returns:
        Exactly the columns of :data:`unforeseen.rows.ROW_SCHEMA`, in that order.

    Raises:
        OSError: It can't be read.
        DamagedFileError: It is no whole parquet file.
        RunError: It is one, but not of this run's rows.
    """
    content = read_regular_file(file)
    cell = cell_of(file)
    try:
        difference = _difference(pl.read_parquet_schema(io.BytesIO(content)))
        if difference:
            raise RunError(f"{file}: {difference}. {CHANGED}")
        rows = read_bounded(content).select(ROW_SCHEMA.names())
    except TooLargeError as error:
        raise RunError(f"{file}: expected {error}; remove it.") from error
    except UNREADABLE as error:
        raise DamagedFileError(one_line(str(error), longest=120)) from error
    if not rows["cell"].eq_missing(cell).all() or rows["example_id"].null_count():
        raise RunError(f"{file}: expected rows of pictures of cell {cell} only; remove it.")
    return rows


def _difference(schema: Mapping[str, pl.DataType]) -> str:
    for name, kind in ROW_SCHEMA.items():
        if schema.get(name) != kind:
            return f"expected a column {name} of {kind}, got {one_line(str(schema.get(name)), longest=80)}"
    extra = sorted(set(schema) - set(ROW_SCHEMA))
    return f"expected only the columns of rows, got also {shown(extra[0])}" if extra else ""
