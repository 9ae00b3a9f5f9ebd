"""Acc(A, ε, f): the share of pictures still classified right under one attack at one radius."""

__all__ = ["accuracy", "clean_accuracy"]

import polars as pl

from unforeseen.metrics.estimate import Estimate
from unforeseen.metrics.verdicts import Verdict, verdicts
from unforeseen.metrics.wilson import wilson
from unforeseen.rows import CLEAN


def accuracy(
    rows: pl.DataFrame, transform: str, level: str, column: Verdict = "correct"
) -> Estimate | None:
    """Accuracy under one transform, with Wilson's interval.

    Args:
        rows: As in :data:`unforeseen.rows.ROW_SCHEMA`.
        transform: Attack's name.
        level: ``low``, ``medium`` or ``high``; empty for obfuscations.
        column: Which verdict counts: the judged picture's, the one that no visited point may
            fool, the one of the picture rounded to 8 bits, the unattacked picture's, or whether the true
            class is among the judged picture's three, five or ten most probable ones.

    Returns:
        None where no picture has a verdict.

    Raises:
        RunError: The rows come from more than one cell.
    """
    right = verdicts(rows, transform, level, column)["right"]
    return wilson(int(right.sum()), len(right))


def clean_accuracy(rows: pl.DataFrame) -> Estimate | None:
    """Accuracy on the unattacked pictures: the rows of the transform ``clean``.

    Returns:
        None where there are none.
    """
    return accuracy(rows, CLEAN, "")
