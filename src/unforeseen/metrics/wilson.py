"""The interval of one share: E. B. Wilson, JASA 22 (1927) 209-212.

Unlike value ± 1.96 standard errors it stays in [0, 1] and has a width at 0 and at 1, where robust
accuracies often lie.
"""

__all__ = ["wilson", "wilson_ends"]

from statistics import NormalDist

import numpy as np
from numpy.typing import NDArray

from unforeseen.metrics.estimate import Estimate


def wilson(k: int, n: int, confidence: float = 0.95) -> Estimate | None:
    """Estimates a share from k of n.

    Args:
        k: How many were right.
        n: How many there were.
        confidence: Of the interval.

    Returns:
        The share, or None where n is 0.

    Raises:
        ValueError: Unless 0 ≤ k ≤ n and 0 < confidence < 1.
    """
    if not 0 <= k <= n or not 0 < confidence < 1:
        raise ValueError(f"expected 0 <= k <= n and 0 < confidence < 1, got {k}, {n}, {confidence}")
    if n == 0:
        return None
    (low,), (high,) = wilson_ends(np.array([k / n]), n, confidence)
    return Estimate(k / n, float(low), float(high), n, "wilson")


def wilson_ends(
    shares: NDArray[np.float64], n: int, confidence: float = 0.95
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Ends of the intervals of shares that are each of n; takes shares of shares too.

    Args:
        shares: (columns,) in [0, 1]. A mean of scores in [0, 1] is no more uncertain than a share.
        n: How many there were, at least one.
        confidence: Of the intervals.

    Returns:
        Lower and upper ends, each (columns,).
    """
    z = NormalDist().inv_cdf((1 + confidence) / 2)
    centre = (shares + z * z / (2 * n)) / (1 + z * z / n)
    half = z / (1 + z * z / n) * np.sqrt(shares * (1 - shares) / n + z * z / (4 * n * n))
    # At 0 and 1 the ends are exactly that, but not in floating point.
    return np.where(shares == 0, 0, centre - half), np.where(shares == 1, 1, centre + half)
