"""What stands above every table: failures, and what the run cost."""

__all__ = ["Counts", "count"]

from typing import NamedTuple

import polars as pl

from unforeseen.rows import CLEAN


class Counts(NamedTuple):
    """Sums over rows; a row that comes twice counts once.

    Attributes:
        nonfinite: Rows whose judged logits were not finite; they count as wrong.
        unreadable: Distinct pictures that couldn't be read; they are outside every denominator.
        gradient_evaluations: Gradients spent, or None where attacks ran but none was measured
            (a model that has no gradients).
    """

    nonfinite: int
    unreadable: int
    gradient_evaluations: int | None


def count(rows: pl.DataFrame) -> Counts:
    """Counts failures and gradients in rows as in :data:`unforeseen.rows.ROW_SCHEMA`."""
    rows = rows.unique(["cell", "example_id"], keep="first", maintain_order=True)
    unreadable = rows.filter(pl.col("status") == "unreadable")
    gradients = rows.filter(
        pl.col("transform") != CLEAN, pl.col("status").ne_missing("unreadable")
    )["gradient_evaluations"]
    measured = gradients.is_empty() or gradients.null_count() < len(gradients)
    return Counts(
        nonfinite=rows.filter(pl.col("status") == "nonfinite").height,
        unreadable=unreadable["example_id"].n_unique(),
        gradient_evaluations=int(gradients.sum()) if measured else None,
    )
