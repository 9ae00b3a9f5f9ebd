"""A figure with its 95 % interval and its denominator."""

__all__ = ["Estimate", "Interval"]

from typing import Any, Literal, NamedTuple

Interval = Literal["wilson", "bootstrap", "stratified"]


class Estimate(NamedTuple):
    """A share of pictures. Where there are none, functions return None instead: it is not 0.

    Attributes:
        value: In [0, 1].
        low: Lower end of the interval.
        high: Upper end.
        n: Number of pictures that it is a share of.
        interval: How the interval was made: by Wilson's formula, by drawing pictures again, or by
            drawing them again within their class. No interval is without width.
    """

    value: float
    low: float
    high: float
    n: int
    interval: Interval

    def to_record(self) -> dict[str, Any]:
        """The estimate as JSON can hold it."""
        return self._asdict()
