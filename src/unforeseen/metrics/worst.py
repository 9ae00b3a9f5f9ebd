"""Worst case over a set of attacks: a picture must survive every one of them."""

__all__ = ["worst_case"]

from collections.abc import Sequence

import polars as pl

from unforeseen.metrics.estimate import Estimate
from unforeseen.metrics.verdicts import Verdict, joint_verdicts
from unforeseen.metrics.wilson import wilson


def worst_case(
    rows: pl.DataFrame, attacks: Sequence[str], level: str, column: Verdict = "correct"
) -> Estimate | None:
    """Share of pictures that no attack fooled; never above the lowest of their accuracies.

    Args:
        rows: As in :data:`unforeseen.rows.ROW_SCHEMA`.
        attacks: Distinct names, at least one.
        level: ``low``, ``medium`` or ``high``; empty for obfuscations.
        column: Which verdict counts.

    Returns:
        With Wilson's interval, on the pictures that have a verdict under each attack; None where
        there are none.

    Raises:
        ValueError: No attacks, or one twice.
        RunError: The rows of an attack come from more than one cell.
    """
    right = joint_verdicts(rows, attacks, level, column)
    return wilson(int(right.all(axis=1).sum()), len(right))
