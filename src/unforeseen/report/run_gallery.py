"""What a run did to a few of its pictures, as a gallery shows it: clean, and under each attack."""

__all__ = ["tiles_of_run"]

from collections.abc import Iterator
from itertools import islice
from pathlib import Path

import numpy as np
import polars as pl
from numpy.typing import NDArray

from unforeseen.data.dataset import Dataset
from unforeseen.data.identity import identify
from unforeseen.data.pictures import Picture, read_picture
from unforeseen.errors import DataError
from unforeseen.files.decode import decode_rgb
from unforeseen.pixels import pixels_of
from unforeseen.report.gallery import Tile, class_in_words
from unforeseen.running.images import read_image
from unforeseen.running.plan import Plan


def tiles_of_run(
    plan: Plan, dataset: Dataset, rows: pl.DataFrame, folder: Path, *, at_most: int
) -> list[tuple[str, list[Tile | None]]]:
    """The first few pictures that the model gets right when clean.

    Args:
        plan: Of the run.
        dataset: Its data.
        rows: Its rows.
        folder: Where it lies; judged pictures were saved in it.
        at_most: How many pictures.

    Returns:
        Per picture its true class in words, and a tile per cell, the clean one first; None where
        the judged picture isn't there or is no picture.
    """
    return list(islice(_lines(plan, dataset, rows, folder), at_most))


def _lines(
    plan: Plan, dataset: Dataset, rows: pl.DataFrame, folder: Path
) -> Iterator[tuple[str, list[Tile | None]]]:
    words = dataset.card.class_names
    answers: dict[tuple[str, str], int | None] = {
        (cell, name): prediction
        for cell, name, prediction in rows.select("cell", "example_id", "prediction").iter_rows()
    }
    clean, *attacked = (cell.id for cell in plan.cells)
    indices = range(len(dataset.labels))
    for index, name in zip(indices, identify(dataset, indices), strict=True):
        picture = read_picture(dataset, index, name, plan.preprocessing)
        if not isinstance(picture, Picture) or answers.get((clean, name)) != picture.label:
            continue
        judged: dict[str, NDArray[np.uint8] | None] = {clean: pixels_of(picture.image)}
        judged |= {cell: _saved(folder, cell, name) for cell in attacked}
        tiles = [
            None
            if image is None
            else Tile.of(image, answers.get((cell, name)), truth=picture.label, words=words)
            for cell, image in judged.items()
        ]
        yield class_in_words(picture.label, words), tiles


def _saved(folder: Path, cell: str, name: str) -> NDArray[np.uint8] | None:
    """A judged picture, decoded as carefully as a stranger's: the folder may have been one's."""
    try:
        return np.asarray(decode_rgb(read_image(folder, cell, name)))
    except (OSError, DataError):
        return None
