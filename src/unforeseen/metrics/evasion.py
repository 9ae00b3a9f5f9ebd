"""The evasion rate: of what a filter flags, the share that it no longer flags.

A picture is flagged as :class:`~unforeseen.metrics.flagging.Flagging` says. Counted are pictures of the
positive class which are flagged as they are; what is missed anyway evades nothing. Outputs that
aren't finite flag nothing.

Without a positive class (None), pictures of all classes count, and one is flagged where it is
classified right.
"""

__all__ = ["evaded", "evasion_rate", "flagged_clean", "worst_evasion_rate"]

from collections.abc import Sequence

import numpy as np
import polars as pl

from unforeseen.metrics.estimate import Estimate
from unforeseen.metrics.flagging import Flagging
from unforeseen.metrics.verdicts import judged_rows
from unforeseen.metrics.wilson import wilson
from unforeseen.rows import CLEAN


def flagged_clean(rows: pl.DataFrame, flagging: Flagging | None = None) -> Estimate | None:
    """Of the pictures of the positive class, the share that is flagged as it is.

    Args:
        rows: As in :data:`unforeseen.rows.ROW_SCHEMA`, of one run.
        flagging: What is flagged; None flags what is classified right.

    Returns:
        With Wilson's interval; None where no such picture has a verdict.

    Raises:
        RunError: The rows come from more than one cell.
    """
    flags = _flags(rows, CLEAN, flagging, "")["flagged"]
    return wilson(int(flags.sum()), len(flags))


def evasion_rate(
    rows: pl.DataFrame,
    transform: str,
    flagging: Flagging | None = None,
    level: str = "",
) -> Estimate | None:
    """Of the pictures flagged as they are, the share no longer flagged under one transform.

    Args:
        rows: As in :data:`unforeseen.rows.ROW_SCHEMA`, of one run.
        transform: Its name.
        flagging: What is flagged; None flags what is classified right.
        level: Of the transform; empty for obfuscations.

    Returns:
        With Wilson's interval, of the flagged pictures that have a verdict under the transform;
        None where there are none.

    Raises:
        RunError: The rows of a transform come from more than one cell.
    """
    return worst_evasion_rate(rows, [transform], flagging, level)


def worst_evasion_rate(
    rows: pl.DataFrame,
    transforms: Sequence[str],
    flagging: Flagging | None = None,
    level: str = "",
) -> Estimate | None:
    """Of the pictures flagged as they are, the share no longer flagged under at least one transform.

    Takes, returns and raises what :func:`evasion_rate` does, for the pictures that have a verdict
    under each of several transforms.

    Raises:
        ValueError: No transforms, or one twice.
    """
    if not transforms or len(set(transforms)) < len(transforms):
        raise ValueError(f"expected distinct transforms, at least one, got {list(transforms)}")
    held = _flags(rows, CLEAN, flagging, "").filter("flagged")
    for name in transforms:
        flags = _flags(rows, name, flagging, level).select("example_id", there="flagged")
        held = held.join(flags, on="example_id", how="inner").select(
            "example_id", flagged=pl.col("flagged") & pl.col("there")
        )
    return wilson(len(held) - int(held["flagged"].sum()), len(held))


def evaded(
    rows: pl.DataFrame,
    transforms: Sequence[str],
    flagging: Flagging | None = None,
    level: str = "",
) -> pl.DataFrame:
    """What got through, a line for each picture and transform.

    Args:
        rows: As in :data:`unforeseen.rows.ROW_SCHEMA`, of one run.
        transforms: Distinct names.
        flagging: What is flagged; None flags what is classified right.
        level: Of the transforms; empty for obfuscations.

    Returns:
        ``example_id``, ``label``, ``transform``, ``probability_clean`` and ``probability`` of the true
        class (null where outputs weren't finite), ``clean_prediction``, ``prediction``, ``restart`` and
        ``parameters``. The worst picture first: the one that gets through under the most transforms, of
        several such the one of the lowest probability; of a picture, the least probable first.

    Raises:
        RunError: The rows of a transform come from more than one cell.
    """
    clean = _flags(rows, CLEAN, flagging, "").filter("flagged")
    clean = clean.select(
        "example_id", probability_clean="probability", clean_prediction="prediction"
    )
    through = [
        _flags(rows, name, flagging, level).filter(~pl.col("flagged")) for name in transforms
    ]
    found = pl.concat(through) if through else _flags(rows.clear(), CLEAN, None, "")
    return (
        found.drop("clean_prediction")
        .join(clean, on="example_id", how="inner")
        .with_columns(
            times=pl.len().over("example_id"),
            least=pl.col("probability").fill_null(0).min().over("example_id"),
        )
        .sort(
            *("times", "least", "example_id", "probability", "transform"),
            descending=[True, False, False, False, False],
            nulls_last=False,
        )
        .select(
            *("example_id", "label", "transform", "probability_clean", "probability"),
            *("clean_prediction", "prediction", "restart", "parameters"),
        )
    )


def _flags(
    rows: pl.DataFrame,
    transform: str,
    flagging: Flagging | None,
    level: str,
) -> pl.DataFrame:
    """Pictures that count and have a verdict, each with its ``probability`` and ``flagged``."""
    chosen = _with_probability(judged_rows(rows, transform, level, "correct_any"))
    if flagging is None:
        return chosen.with_columns(flagged="right")
    # Rows hold 32 bits: 0.9 there is less than 0.9, and a function that says 0.9 means it.
    least = pl.lit(np.float32(flagging.threshold), pl.Float32)
    return chosen.filter(pl.col("label") == flagging.label).with_columns(
        flagged=(pl.col("probability") >= least).fill_null(value=False)
    )


def _with_probability(rows: pl.DataFrame) -> pl.DataFrame:
    """Rows with the ``probability`` of the true class; null where outputs weren't finite.

    It is among the ten that a row keeps, or it follows from the loss, which is its −log.
    """
    kept = (
        rows.select("example_id", "label", "top10")
        .explode("top10")
        .unnest("top10")
        .filter(pl.col("class_index") == pl.col("label"))
        .unique("example_id", keep="first", maintain_order=True)
        .select("example_id", listed="probability")
    )
    finite = pl.col("status").ne_missing("nonfinite")
    return rows.join(kept, on="example_id", how="left", maintain_order="left").with_columns(
        probability=pl.when(finite).then(pl.coalesce("listed", (-pl.col("loss")).exp()))
    )
