"""Ranges that obfuscations draw from: their defaults, bounds and meaning, declared once, where the field is."""

__all__ = ["ImageSize", "Range", "check_range", "drawn_from", "scale_of"]

from collections.abc import Mapping
from dataclasses import field
from typing import Any, NamedTuple

from unforeseen.errors import BenchmarkError, shown
from unforeseen.rng import Stream

#: Height and width in pixels.
ImageSize = tuple[int, int]

#: Ranges of lengths are for pictures of this side.
_REFERENCE_SIDE = 224


class Range(NamedTuple):
    """What a number is drawn from, evenly.

    Attributes:
        low: Lowest value.
        high: Highest value.
    """

    low: float
    high: float

    def draw(self, stream: Stream) -> float:
        """A number."""
        return float(stream.uniform(self.low, self.high))

    def draw_integer(self, stream: Stream) -> int:
        """A whole number; each from end to end is as likely."""
        return int(stream.integers(int(self.low), int(self.high)))

    def draw_length(self, stream: Stream, size: ImageSize, *, least: int = 1) -> int:
        """A length in whole pixels, each from end to end as likely.

        Args:
            stream: Gives what is random.
            size: Of the picture; the range is for one of 224 pixels, and its ends grow with it.
            least: What shorter ones become.
        """
        low, high = (max(least, round(end * scale_of(size))) for end in self)
        # Not by ``integers``, so that the same draw lies as far up in the range at every size.
        return low + int(float(stream.uniform(0, 1)) * (high - low + 1))


def scale_of(size: ImageSize) -> float:
    """How many pixels one pixel of a picture of 224×224 is: the shorter side decides."""
    return min(size) / _REFERENCE_SIDE


def drawn_from(
    low: float,
    high: float,
    meaning: str,
    *,
    minimum: float,
    maximum: float,
    multiple_of: int | None = None,
) -> Any:
    """A dataclass field of an obfuscation, from whose range a parameter is drawn.

    Args:
        low: Lowest value, unless somebody sets another range.
        high: Highest value likewise.
        meaning: What it is, with its unit; ``unforeseen show`` prints it.
        minimum: What no range may go below: further down there is no such picture.
        maximum: What no range may exceed.
        multiple_of: 1 where only whole numbers make sense, 2 where only even ones do.

    Returns:
        Typed as dataclasses type their fields: whatever the annotation says.
    """
    metadata = {
        "meaning": meaning,
        "minimum": minimum,
        "maximum": maximum,
        "multiple_of": multiple_of,
    }
    return field(default=Range(low, high), metadata=metadata)


def check_range(name: str, value: object, metadata: Mapping[str, Any]) -> None:
    """Raises BenchmarkError where nothing can be drawn from a range.

    Args:
        name: ``Obfuscation.field``, for the message.
        value: What came.
        metadata: The field's, as made by :func:`drawn_from`.
    """
    if not isinstance(value, Range) or not all(map(_is_number, value)):
        raise BenchmarkError(
            f"{name}: expected a Range of two numbers, such as Range(1, 2), got "
            f"{shown(value, longest=60)}."
        )
    low, high = value
    minimum, maximum = metadata["minimum"], metadata["maximum"]
    # Neither NaN nor infinity passes.
    if not minimum <= low <= high <= maximum:
        raise BenchmarkError(
            f"{name}: expected a range from low to high within {minimum:g} and {maximum:g}, got "
            f"{low:g} to {high:g}."
        )
    step = metadata["multiple_of"]
    if step is not None and (low % step or high % step):
        kind = {1: "whole", 2: "even"}[step]
        raise BenchmarkError(f"{name}: expected {kind} numbers, got {low:g} to {high:g}.")


def _is_number(value: object) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)
