"""What pictures of each class are taken for: appendix C.9 of Stimberg et al. 2023."""

__all__ = ["Confusion", "confusion"]

from collections.abc import Iterator, Sequence
from typing import NamedTuple

import numpy as np
import polars as pl
from numpy.typing import NDArray

from unforeseen.errors import RunError
from unforeseen.metrics.verdicts import judged_rows


class Confusion(NamedTuple):
    """Numbers of pictures.

    Attributes:
        counts: (classes, classes): true class × predicted class.
        nonfinite: (classes,) by true class: pictures whose outputs weren't finite, which are taken
            for nothing and count as wrong.
    """

    counts: NDArray[np.int64]
    nonfinite: NDArray[np.int64]

    @property
    def pictures(self) -> NDArray[np.int64]:
        """(classes,) pictures of each true class."""
        pictures: NDArray[np.int64] = self.counts.sum(axis=1) + self.nonfinite
        return pictures

    @property
    def shares(self) -> NDArray[np.float64]:
        """``counts`` as shares of each true class; NaN for a class without a picture."""
        pictures = self.pictures[:, None].astype(np.float64)
        shares: NDArray[np.float64] = np.full(self.counts.shape, np.nan)
        return np.divide(self.counts, pictures, out=shares, where=pictures > 0)

    def pairs(self, names: Sequence[str]) -> Iterator[tuple[str, str | None, int]]:
        """What occurs: true class, what it is taken for (None: not finite), and how many pictures.

        Args:
            names: Of all classes, by label; different ones may be called alike.
        """
        for label, name in enumerate(names):
            counted = zip((*names, None), (*self.counts[label], self.nonfinite[label]), strict=True)
            yield from ((name, predicted, int(n)) for predicted, n in counted if n)


def confusion(rows: pl.DataFrame, transform: str, classes: int, level: str = "") -> Confusion:
    """Counts what pictures are taken for under one transform.

    Args:
        rows: As in :data:`unforeseen.rows.ROW_SCHEMA`.
        transform: Its name.
        classes: Number of classes.
        level: Its level; empty for obfuscations.

    Raises:
        RunError: The rows come from more than one cell, or name a class that there isn't.
    """
    chosen = judged_rows(rows, transform, level)
    nonfinite = chosen.filter(pl.col("status").eq_missing("nonfinite"))
    finite = chosen.filter(
        pl.col("status").ne_missing("nonfinite"), pl.col("prediction").is_not_null()
    )
    pairs = finite.select(pl.col("label", "prediction")).to_numpy()
    labels = nonfinite["label"].to_numpy()
    named = np.concatenate([pairs.ravel(), labels])
    if len(named) and not (named.min() >= 0 and named.max() < classes):
        raise RunError(
            f"rows of {transform}: expected classes from 0 to {classes - 1}, got "
            f"{named.min()} to {named.max()}."
        )
    counts = np.bincount(pairs @ np.array([classes, 1]), minlength=classes * classes)
    return Confusion(counts.reshape(classes, classes), np.bincount(labels, minlength=classes))
