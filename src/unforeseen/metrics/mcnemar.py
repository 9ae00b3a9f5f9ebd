"""Whether two judges of the same pictures differ: Q. McNemar, Psychometrika 12 (1947) 153-157."""

__all__ = ["mcnemar"]

from math import comb


def mcnemar(gained: int, lost: int) -> float:
    """Two-sided exact p-value: how likely so uneven a split would be if neither were better.

    Args:
        gained: Pictures that only the second gets right.
        lost: Pictures that only the first gets right.

    Raises:
        ValueError: A count is negative.
    """
    if min(gained, lost) < 0:
        raise ValueError(f"expected counts from 0, got {gained} and {lost}")
    n = gained + lost
    tail = sum(comb(n, k) for k in range(min(gained, lost) + 1))
    return min(1.0, float(2 * tail / 2**n))
