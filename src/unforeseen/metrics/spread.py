"""How much a figure changes with the seed: mean and standard deviation, appendix D.5 of the paper."""

__all__ = ["Spread", "spread"]

import statistics
from collections.abc import Sequence
from typing import Any, NamedTuple


class Spread(NamedTuple):
    """What one figure came to in several runs.

    Attributes:
        mean: Over the runs.
        deviation: The standard deviation of one run, with n − 1 in its denominator; None of a
            single run, which has none.
        n: Number of runs.
    """

    mean: float
    deviation: float | None
    n: int

    def to_record(self) -> dict[str, Any]:
        """The spread as JSON can hold it."""
        return self._asdict()


def spread(values: Sequence[float]) -> Spread | None:
    """Mean and standard deviation (n − 1); None where there are no values."""
    if not values:
        return None
    deviation = statistics.stdev(values) if len(values) > 1 else None
    return Spread(statistics.fmean(values), deviation, len(values))
