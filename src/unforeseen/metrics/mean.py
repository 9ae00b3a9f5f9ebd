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
from numpy.typing import NDArray

from unforeseen.metrics.estimate import Estimate
from unforeseen.metrics.verdicts import joint_verdicts
from unforeseen.rng import Stream

RESAMPLES = 2000
_DRAWS_AT_ONCE = 2**20


def mean_accuracy(
    rows: pl.DataFrame | Sequence[pl.DataFrame],
    attacks: Sequence[str],
    level: str,
    *,
    seed: int = 0,
) -> Estimate | None:
    """Mean over attacks of the accuracy, on the pictures that have a verdict under each.

    Args:
        rows: As in :data:`unforeseen.rows.ROW_SCHEMA`; of several runs, such as those of several
            models on the same pictures, the mean is over all of them.
        attacks: Distinct names, at least one.
        level: ``low``, ``medium`` or ``high``.
        seed: Of the bootstrap.

    Returns:
        None where no picture has all verdicts.

    Raises:
        ValueError: No runs or attacks, or an attack twice.
        RunError: The rows of an attack in one run come from more than one cell.
    """
    right = joint_verdicts(rows, attacks, level)
    pictures, verdicts_each = right.shape
    if not pictures:
        return None
    # Sorted, so that the interval depends on what happened and not on the pictures' names.
    survived = np.sort(right.sum(axis=1))
    means = _resampled_sums(survived, seed) / (pictures * verdicts_each)
    low, high = np.quantile(means, (0.025, 0.975))
    value = float(survived.sum() / (pictures * verdicts_each))
    return Estimate(value, float(low), float(high), pictures, "bootstrap")


def ua2(
    rows: pl.DataFrame, core_attacks: Sequence[str], level: str = "medium", *, seed: int = 0
) -> Estimate | None:
    """UA2, section 4.2 of the paper: mean accuracy over the core attacks.

    See :func:`mean_accuracy`. Which attacks are core is the benchmark's to say; over fewer of
    them it is None, because that is not UA2.
    """
    return mean_accuracy(rows, core_attacks, level, seed=seed)


def _resampled_sums(survived: NDArray[np.int64], seed: int) -> NDArray[np.int64]:
    """Sums of ``survived`` (pictures,) over resamples: (RESAMPLES,), drawn chunk by chunk."""
    pictures = len(survived)
    stream = Stream("bootstrap", seed)
    chunk = max(1, _DRAWS_AT_ONCE // pictures)
    sums = np.empty(RESAMPLES, dtype=np.int64)
    for start in range(0, RESAMPLES, chunk):
        stop = min(start + chunk, RESAMPLES)
        drawn = stream.integers(0, pictures - 1, (stop - start, pictures))
        sums[start:stop] = survived[drawn].sum(axis=1)
    return sums
