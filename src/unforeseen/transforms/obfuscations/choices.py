"""One of several things, drawn evenly."""

__all__ = ["DIRECTIONS", "Direction", "choose"]

from collections.abc import Sequence
from typing import Literal, TypeVar, get_args

from unforeseen.rng import Stream

#: Of lines.
Direction = Literal["horizontal", "vertical"]
DIRECTIONS: tuple[Direction, ...] = get_args(Direction)

_Option = TypeVar("_Option")


def choose(stream: Stream, options: Sequence[_Option]) -> _Option:
    """Draws one of the options."""
    return options[int(stream.integers(0, len(options) - 1))]
