"""From rows to verdicts: which pictures count, and which of them were classified right.

The one place that knows the denominators: unreadable pictures are outside all of them, non-finite
outputs are wrong, and what was not measured is neither right nor wrong.
"""

__all__ = [
    "TOP",
    "LabelledVerdicts",
    "TopK",
    "Verdict",
    "joint_verdicts",
    "judged_rows",
    "labelled_verdicts",
    "verdicts",
]

from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import Literal, NamedTuple

import numpy as np
import polars as pl
from numpy.typing import NDArray

from unforeseen.errors import RunError

Verdict = Literal[
    "correct", "correct_any", "correct_8bit", "correct_clean", "top3", "top5", "top10"
]
#: Among how many of the most probable classes the true one must be.
TopK = Literal[1, 3, 5, 10]

#: The verdict that says so of obfuscated pictures: of several draws of one, a row holds the least
#: probable, and ``correct_any`` whether all are right.
TOP: Mapping[TopK, Verdict] = MappingProxyType(
    {1: "correct_any", 3: "top3", 5: "top5", 10: "top10"}
)

_RIGHT: Mapping[Verdict, pl.Expr] = MappingProxyType(
    {
        "correct": pl.col("correct"),
        "correct_any": pl.col("correct_any"),
        "correct_8bit": pl.col("correct_8bit"),
        "correct_clean": pl.col("correct_clean"),
        "top3": pl.col("true_rank") <= 3,
        "top5": pl.col("true_rank") <= 5,
        "top10": pl.col("true_rank") <= 10,
    }
)


class LabelledVerdicts(NamedTuple):
    """Verdicts on the pictures that have one under every transform.

    Attributes:
        names: (pictures,) ids, sorted.
        labels: (pictures,) the true classes.
        right: (pictures, transforms).
    """

    names: tuple[str, ...]
    labels: NDArray[np.int64]
    right: NDArray[np.bool_]


def verdicts(
    rows: pl.DataFrame, transform: str, level: str, column: Verdict = "correct"
) -> pl.DataFrame:
    """The verdict on each picture under one transform at one level.

    Takes and raises what :func:`judged_rows` does.

    Returns:
        ``example_id``, ``label`` and ``right`` (boolean), one line a picture, sorted by id.
    """
    judged = judged_rows(rows, transform, level, column)
    return judged.select("example_id", "label", "right").sort("example_id")


def judged_rows(
    rows: pl.DataFrame, transform: str, level: str, column: Verdict = "correct"
) -> pl.DataFrame:
    """The rows that hold a verdict, under one transform at one level.

    Args:
        rows: As in :data:`unforeseen.rows.ROW_SCHEMA`; a row that comes twice counts once.
        transform: Its name.
        level: Its level.
        column: Which verdict.

    Returns:
        One row a picture, in their order, with the verdict besides: ``right`` (boolean).

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
    right = _RIGHT[column]
    return (
        chosen.unique("example_id", keep="first", maintain_order=True)
        .filter(pl.col("status").ne_missing("unreadable"))
        .filter(nonfinite | right.is_not_null())
        .with_columns(right=~nonfinite & right.fill_null(value=False))
    )


def labelled_verdicts(
    rows: pl.DataFrame | Sequence[pl.DataFrame],
    transforms: Sequence[str],
    level: str,
    column: Verdict = "correct",
) -> LabelledVerdicts:
    """Verdicts on the pictures that have one under every transform, and in every run.

    Args:
        rows: Those of one run, or of each of several.
        transforms: Their names.
        level: Their level.
        column: Which verdict.

    Returns:
        With (pictures, runs · transforms) verdicts.

    Raises:
        ValueError: No runs or transforms, or one transform twice.
        RunError: As in :func:`verdicts`, or a picture has several labels.
    """
    runs = [rows] if isinstance(rows, pl.DataFrame) else list(rows)
    if not runs or not transforms or len(set(transforms)) < len(transforms):
        raise ValueError(f"expected distinct transforms, at least one, got {list(transforms)}")
    joined, *others = (
        verdicts(run, name, level, column).rename({"right": str(number)})
        for number, (run, name) in enumerate((run, name) for run in runs for name in transforms)
    )
    for other in others:
        joined = joined.join(other, on="example_id", how="inner", suffix="_there")
        differing = joined.filter(pl.col("label").ne_missing(pl.col("label_there")))
        if not differing.is_empty():
            name, label, there = differing.select("example_id", "label", "label_there").row(0)
            raise RunError(
                f"expected one label for a picture, got {label} and {there} for {name!r:.80}; "
                "figures can be shared only by runs of the same labels."
            )
        joined = joined.drop("label_there")
    joined = joined.sort("example_id")
    columns = joined.drop("example_id", "label")
    return LabelledVerdicts(
        tuple(joined["example_id"].to_list()),
        joined["label"].to_numpy().astype(np.int64),
        columns.to_numpy().astype(np.bool_),
    )


def joint_verdicts(
    rows: pl.DataFrame | Sequence[pl.DataFrame],
    transforms: Sequence[str],
    level: str,
    column: Verdict = "correct",
) -> NDArray[np.bool_]:
    """The verdicts of :func:`labelled_verdicts`, (pictures, runs · transforms).

    Takes and raises what that does.
    """
    return labelled_verdicts(rows, transforms, level, column).right
