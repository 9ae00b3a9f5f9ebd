"""From verdicts to what a figure counts for each picture, however pictures are weighed."""

__all__ = ["Scores", "scores_under"]

from typing import NamedTuple

import numpy as np
import polars as pl
from numpy.typing import NDArray

from unforeseen.metrics.verdicts import LabelledVerdicts, Verdict, labelled_verdicts


class Scores(NamedTuple):
    """What a figure counts for each picture.

    Attributes:
        labels: (pictures,) the true classes.
        counts: (pictures,) whole numbers from 0 to ``of``: how many verdicts were right.
        of: How many there are on each picture.
    """

    labels: NDArray[np.int64]
    counts: NDArray[np.int64]
    of: int

    @classmethod
    def of_mean(cls, joint: LabelledVerdicts) -> "Scores":
        """How many of a picture's verdicts are right."""
        counts: NDArray[np.int64] = joint.right.sum(axis=1, dtype=np.int64)
        return cls(joint.labels, counts, joint.right.shape[1])

    @classmethod
    def of_worst(cls, joint: LabelledVerdicts) -> "Scores":
        """Whether all of a picture's verdicts are right."""
        counts: NDArray[np.int64] = np.asarray(joint.right.all(axis=1), dtype=np.int64)
        return cls(joint.labels, counts, 1)


def scores_under(
    rows: pl.DataFrame, transform: str, level: str = "", column: Verdict = "correct"
) -> Scores:
    """The scores under one transform; takes and raises what :func:`labelled_verdicts` does."""
    return Scores.of_worst(labelled_verdicts(rows, [transform], level, column))
