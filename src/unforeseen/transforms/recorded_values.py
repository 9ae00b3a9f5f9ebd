"""Values of a record, checked against the types of the fields that they are for."""

__all__ = ["LONGEST", "longest_length", "read_value", "recorded"]

import math
from dataclasses import field, fields
from typing import TYPE_CHECKING, Any, Literal, get_args, get_origin

from unforeseen.errors import DataError, shown

if TYPE_CHECKING:
    from _typeshed import DataclassInstance

#: Most pixels that a record's lengths may have; with more, its picture fills the memory.
LONGEST = 2**14


def recorded(*, minimum: float = -math.inf, maximum: float = math.inf) -> Any:
    """A dataclass field of a record whose numbers have bounds; typed by its annotation.

    Args:
        minimum: Less makes no picture.
        maximum: Nor does more.
    """
    return field(metadata={"minimum": minimum, "maximum": maximum})


def longest_length(record: "DataclassInstance") -> float:
    """The longest of a record's lengths, which are its numbers that :data:`LONGEST` bounds; 0 of none."""
    lengths = (each.name for each in fields(record) if each.metadata.get("maximum") == LONGEST)
    return max((getattr(record, name) for name in lengths), default=0)


def read_value(
    name: str, value: object, kind: Any, *, minimum: float = -math.inf, maximum: float = math.inf
) -> Any:
    """What a JSON value stands for.

    Args:
        name: The field's.
        value: What came.
        kind: The field's annotation: bool, int, float, str, a Literal of words, or a tuple of these
            (``tuple[float, ...]`` or one of a fixed length).
        minimum: Of numbers, each one's.
        maximum: Likewise.

    Raises:
        DataError: It isn't of that kind, isn't finite, or lies outside the bounds.
    """
    if get_origin(kind) is Literal:
        if value in get_args(kind):
            return value
    elif get_origin(kind) is tuple:
        of_each = get_args(kind)
        if isinstance(value, list) and of_each[-1] is Ellipsis:
            of_each = (of_each[0],) * len(value)
        if isinstance(value, list) and len(value) == len(of_each):
            return tuple(
                read_value(name, each, inner, minimum=minimum, maximum=maximum)
                for each, inner in zip(value, of_each, strict=True)
            )
    elif kind is float:
        if isinstance(value, int | float) and not isinstance(value, bool):
            number = float(value) if abs(value) < 2**1000 else math.inf
            if math.isfinite(number):
                return _within(name, number, minimum, maximum)
    elif isinstance(value, kind) and isinstance(value, bool) == (kind is bool):
        return _within(name, value, minimum, maximum) if kind is int else value
    raise DataError(f"parameters: {name}: expected {kind}, got {shown(value, longest=60)}.")


def _within(name: str, number: Any, minimum: float, maximum: float) -> Any:
    if minimum <= number <= maximum:
        return number
    raise DataError(
        f"parameters: {name}: expected a number from {minimum:g} to {maximum:g}, got "
        f"{shown(number, longest=60)}."
    )
