"""``pictures.parquet``: which file, label and class each example id of a run stands for."""

__all__ = ["PICTURES_FILE", "ListedPicture", "read_picture_list", "write_picture_list"]

import io
from collections.abc import Collection, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import polars as pl

from unforeseen.files.atomic import save_file
from unforeseen.files.bounded_parquet import TooLargeError, read_bounded
from unforeseen.files.parquet_errors import UNREADABLE
from unforeseen.files.regular_files import read_regular_file

if TYPE_CHECKING:  # what reads runs needs no torch, which data sets bring
    from unforeseen.data.dataset import Dataset

PICTURES_FILE = "pictures.parquet"

_SCHEMA = pl.Schema(
    {"example_id": pl.String(), "file": pl.String(), "label": pl.Int64(), "class": pl.String()}
)


class ListedPicture(NamedTuple):
    """One line of the list; all may be null in a stranger's.

    Attributes:
        example_id: What rows call it.
        file: Where the data set has it.
        label: Its true class.
        name: That class in words, where the data set names it.
    """

    example_id: str | None
    file: str | None
    label: int | None
    name: str | None


def read_picture_list(folder: Path) -> tuple[ListedPicture, ...] | None:
    """The pictures of a run, or None where the list is missing or isn't one."""
    there = _read(folder / PICTURES_FILE)
    return None if there is None else tuple(map(ListedPicture._make, there.iter_rows()))


def write_picture_list(
    folder: Path,
    dataset: "Dataset",
    chosen: Sequence[tuple[int, str]],
    *,
    without: Collection[str] = (),
) -> None:
    """Adds the chosen pictures to a run's list.

    Args:
        folder: The run's.
        dataset: Where the pictures lie.
        chosen: Index and id of each.
        without: Ids that are taken off the list.

    Raises:
        RunError: The list can't be written.
    """
    words = dataset.card.class_names
    rows = [
        (name, dataset.keys[index], label, words[label] if label < len(words) else None)
        for index, name in chosen
        for label in (int(dataset.labels[index]),)
    ]
    listed = pl.DataFrame(rows, schema=_SCHEMA, orient="row")
    path = folder / PICTURES_FILE
    there = _read(path)
    if there is not None:
        stale = pl.col("example_id").is_in(list(without))
        listed = pl.concat([listed, there.filter(~stale)])
    encoded = io.BytesIO()
    listed.unique("example_id", keep="first", maintain_order=True).write_parquet(encoded)
    save_file(path, encoded.getvalue())


def _read(path: Path) -> pl.DataFrame | None:
    """The list that is there; None where it is missing or something else (it can be made again)."""
    try:
        there = read_bounded(read_regular_file(path))
    except TooLargeError:
        return None
    except UNREADABLE:
        return None
    return there if there.schema == _SCHEMA else None
