"""From rows to verdicts: which pictures count, and which of them were classified right.

The one place that knows the denominators: unreadable pictures are outside all of them, non-finite
outputs are wrong, and what was not measured is neither right nor wrong.
"""

__all__ = ["Verdict", "joint_verdicts", "verdicts"]

from collections.abc import Sequence
from typing import Literal

import numpy as np
import polars as pl
from numpy.typing import NDArray

from unforeseen.errors import RunError

Verdict = Literal["correct", "correct_any", "correct_8bit", "correct_clean"]


def verdicts(
    rows: pl.DataFrame, transform: str, level: str, column: Verdict = "correct"
) -> pl.DataFrame:
    """The verdict on each picture under one transform at one level.

    Args:
        rows: As in :data:`unforeseen.rows.ROW_SCHEMA`; a row that comes twice counts once.
        transform: Its name.
        level: Its level.
        column: Which verdict.

    Returns:
        ``example_id`` and ``right`` (boolean), one line a picture, sorted by id.

    Raises:
        RunError: The rows come from more than one cell (two runs, or one that was changed).
    """
    chosen = rows.filter(pl.col("transform") == transform, pl.col("level") == level)
    if chosen["cell"].n_unique() > 1:
        raise RunError(
            f"expected the rows of one cell for {transform} {level}".rstrip()
            + f", got {chosen['cell'].n_unique()}; take figures of each run by itself."
        )
    nonfinite = pl.col("status").eq_missing("nonfinite")
    return (
        chosen.unique("example_id", keep="first", maintain_order=True)
        .filter(pl.col("status").ne_missing("unreadable"))
        .filter(nonfinite | pl.col(column).is_not_null())
        .select("example_id", right=~nonfinite & pl.col(column).fill_null(value=False))
        .sort("example_id")
    )


def joint_verdicts(
    rows: pl.DataFrame | Sequence[pl.DataFrame],
    transforms: Sequence[str],
    level: str,
    column: Verdict = "correct",
) -> NDArray[np.bool_]:
    """Verdicts on the pictures that have one under every transform, and in every run.

    Args:
        rows: Those of one run, or of each of several.
        transforms: Their names.
        level: Their level.
        column: Which verdict.

    Returns:
        (pictures, runs · transforms), pictures sorted by id.

    Raises:
        ValueError: No runs or transforms, or one transform twice.
        RunError: As in :func:`verdicts`.
    """
    runs = [rows] if isinstance(rows, pl.DataFrame) else list(rows)
    if not runs or not transforms or len(set(transforms)) < len(transforms):
        raise ValueError(f"expected distinct transforms, at least one, got {list(transforms)}")
    first, *others = (verdicts(run, name, level, column) for run in runs for name in transforms)
    joined = first.rename({"right": "0"})
    for index, other in enumerate(others, start=1):
        joined = joined.join(other.rename({"right": str(index)}), on="example_id", how="inner")
    return joined.sort("example_id").drop("example_id").to_numpy().astype(np.bool_)
