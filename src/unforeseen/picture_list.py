"""``pictures.parquet``: which file, label and class each example id of a run stands for."""

__all__ = ["PICTURES_FILE", "write_picture_list"]

import io
from collections.abc import Sequence
from pathlib import Path

import polars as pl
from polars.exceptions import PolarsError

from unforeseen.atomic import save_file
from unforeseen.data.dataset import Dataset

PICTURES_FILE = "pictures.parquet"

_SCHEMA = pl.Schema(
    {"example_id": pl.String(), "file": pl.String(), "label": pl.Int64(), "class": pl.String()}
)


def write_picture_list(folder: Path, dataset: Dataset, chosen: Sequence[tuple[int, str]]) -> None:
    """Adds the chosen pictures to a run's list.

    Args:
        folder: The run's.
        dataset: Where the pictures lie.
        chosen: Index and id of each.

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
    whole = pl.concat([listed, _read(path)]).unique("example_id", keep="first", maintain_order=True)
    encoded = io.BytesIO()
    whole.write_parquet(encoded)
    save_file(path, encoded.getvalue())


def _read(path: Path) -> pl.DataFrame:
    """The list that is there; none where it is missing or something else (it can be made again)."""
    try:
        there = pl.read_parquet(path)
    except (OSError, PolarsError):
        return pl.DataFrame(schema=_SCHEMA)
    return there if there.schema == _SCHEMA else pl.DataFrame(schema=_SCHEMA)
