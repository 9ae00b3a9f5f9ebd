"""Drawing pictures again, with replacement: B. Efron, Ann. Stat. 7 (1979) 1-26.

Scores that are all alike, such as those of a class of one picture, are the same in every resample, as
if they were certain. They get Wilson's interval instead, which has a width everywhere; its reach
is added to that of the other classes' resamples by squares (G. Y. Zou, A. Donner, Stat. Med. 27
(2008) 1693-1702).
"""

__all__ = ["RESAMPLES", "Stratum", "resampled_mean", "resampled_sums"]

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from unforeseen.metrics.estimate import Estimate, Interval
from unforeseen.metrics.wilson import wilson_ends
from unforeseen.rng import Stream

RESAMPLES = 2000
#: Between these quantiles of the resampled figures lies the 95 % interval.
_CONFIDENT = (0.025, 0.975)

_DRAWS_AT_ONCE = 2**20


class Stratum(NamedTuple):
    """Pictures that are drawn again among themselves.

    Attributes:
        counts: (pictures, columns) whole numbers of right verdicts, of at least one picture.
        stream: Where draws come from.
    """

    counts: NDArray[np.int64]
    stream: Stream


def resampled_mean(
    strata: Sequence[Stratum], of: NDArray[np.float64], interval: Interval
) -> list[Estimate]:
    """Means over strata of the mean share of right verdicts, a figure for each column.

    Args:
        strata: At least one; all weigh the same.
        of: (columns,) how many verdicts there are on each picture.
        interval: What the intervals are called.
    """
    value: NDArray[np.float64] = np.zeros(len(of))
    resampled: NDArray[np.float64] = np.zeros((1, len(of)))
    # Squares of how far Wilson's intervals reach below and above.
    below, above = np.zeros(len(of)), np.zeros(len(of))
    for counts, stream in strata:
        pictures = len(counts)
        shares = counts.sum(axis=0) / (pictures * of)
        value = value + shares
        resampled = resampled + resampled_sums(counts, stream) / (pictures * of)
        least, most = wilson_ends(shares, pictures)
        alike = counts.min(axis=0) == counts.max(axis=0)
        below += np.where(alike, shares - least, 0) ** 2
        above += np.where(alike, most - shares, 0) ** 2
    value = value / len(strata)
    low, high = np.quantile(resampled / len(strata), _CONFIDENT, axis=0)
    low = low - _further(value - low, np.sqrt(below) / len(strata))
    high = high + _further(high - value, np.sqrt(above) / len(strata))
    n = sum(len(counts) for counts, _ in strata)
    return [
        Estimate(float(middle), max(0.0, float(least)), min(1.0, float(most)), n, interval)
        for middle, least, most in zip(value, low, high, strict=True)
    ]


def resampled_sums(scores: NDArray[np.int64], stream: Stream) -> NDArray[np.int64]:
    """Sums of scores over resamples, which are the same for every column.

    A column's sums depend on which scores there are and not on their order: they are sorted first,
    so that the interval is about what happened and not about the pictures' names.

    Args:
        scores: (pictures, columns), of at least one picture.
        stream: Where draws come from.

    Returns:
        (RESAMPLES, columns).
    """
    pictures, columns = scores.shape
    # As float64, which multiplies fast and holds whole numbers up to 2**53 exactly.
    ranked = np.sort(scores, axis=0).astype(np.float64)
    chunk = max(1, _DRAWS_AT_ONCE // pictures)
    sums = np.empty((RESAMPLES, columns), dtype=np.int64)
    for start in range(0, RESAMPLES, chunk):
        resamples = min(chunk, RESAMPLES - start)
        drawn = stream.integers(0, pictures - 1, (resamples, pictures))
        places = drawn + pictures * np.arange(resamples)[:, None]
        times = np.bincount(places.ravel(), minlength=resamples * pictures)
        sums[start : start + resamples] = times.reshape(resamples, pictures) @ ranked
    return sums


def _further(reach: NDArray[np.float64], other: NDArray[np.float64]) -> NDArray[np.float64]:
    """How much further than one reach both together go: exactly nothing where the other is 0."""
    reach = np.maximum(reach, 0)
    further: NDArray[np.float64] = np.hypot(reach, other) - reach
    return further
