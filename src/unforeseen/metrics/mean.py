"""Means of accuracies over attacks and models; over a benchmark's core attacks this is UA2.

Pictures are the unit of chance, and a picture that is hard under one attack is hard under others:
the bootstrap draws pictures, each with the verdicts of all attacks (B. Efron, Ann. Stat. 7 (1979)
1-26). The interval holds the 2.5th to the 97.5th percentile of the resampled means. So it is with
models that judge the same pictures: the interval is about the choice of pictures and says nothing
of models other than these.
"""

__all__ = ["mean_accuracy", "ua2"]

from collections.abc import Sequence

import numpy as np
import polars as pl

from unforeseen.metrics.bootstrap import Stratum, resampled_mean
from unforeseen.metrics.estimate import Estimate
from unforeseen.metrics.verdicts import Verdict, joint_verdicts
from unforeseen.rng import Stream


def mean_accuracy(
    rows: pl.DataFrame | Sequence[pl.DataFrame],
    attacks: Sequence[str],
    level: str,
    column: Verdict = "correct",
    *,
    seed: int = 0,
) -> Estimate | None:
    """Mean over attacks of the accuracy, on the pictures that have a verdict under each.

    Args:
        rows: As in :data:`unforeseen.rows.ROW_SCHEMA`; of several runs, such as those of several
            models on the same pictures, the mean is over all of them.
        attacks: Distinct names, at least one.
        level: ``low``, ``medium`` or ``high``; empty for obfuscations.
        column: Which verdict counts.
        seed: Of the bootstrap.

    Returns:
        None where no picture has all verdicts.

    Raises:
        ValueError: No runs or attacks, or an attack twice.
        RunError: The rows of an attack in one run come from more than one cell.
    """
    right = joint_verdicts(rows, attacks, level, column)
    pictures, verdicts_each = right.shape
    if not pictures:
        return None
    survived = right.sum(axis=1, keepdims=True)
    stratum = Stratum(survived, Stream("bootstrap", seed))
    return resampled_mean([stratum], np.array([verdicts_each], np.float64), "bootstrap")[0]


def ua2(
    rows: pl.DataFrame, core_attacks: Sequence[str], level: str = "medium", *, seed: int = 0
) -> Estimate | None:
    """UA2, section 4.2 of the paper: mean accuracy over the core attacks.

    See :func:`mean_accuracy`. Which attacks are core is the benchmark's to say; over fewer of
    them it is None, because that is not UA2.
    """
    return mean_accuracy(rows, core_attacks, level, seed=seed)
