"""The interval of one share: E. B. Wilson, JASA 22 (1927) 209-212.

Unlike value ± 1.96 standard errors it stays in [0, 1] and has a width at 0 and at 1, where robust
accuracies often lie.
"""

__all__ = ["wilson"]

import math
from statistics import NormalDist

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
    z = NormalDist().inv_cdf((1 + confidence) / 2)
    share = k / n
    centre = (share + z * z / (2 * n)) / (1 + z * z / n)
    half = z / (1 + z * z / n) * math.sqrt(share * (1 - share) / n + z * z / (4 * n * n))
    # At k = 0 and k = n the ends are exactly 0 and 1, but not in floating point.
    low = 0.0 if k == 0 else centre - half
    high = 1.0 if k == n else centre + half
    return Estimate(share, low, high, n, "wilson")
