"""What a filter flags."""

__all__ = ["Flagging"]

from typing import NamedTuple


class Flagging(NamedTuple):
    """A picture is flagged where the probability of one class reaches a threshold.

    Attributes:
        label: The positive class, of which alone pictures count.
        threshold: In (0, 1].
    """

    label: int
    threshold: float
