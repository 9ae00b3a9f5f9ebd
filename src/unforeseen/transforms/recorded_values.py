"""Values of a record, checked against the types of the fields that they are for."""

__all__ = ["read_value"]

import math
from typing import Any, Literal, get_args, get_origin

from unforeseen.errors import DataError, shown


def read_value(name: str, value: object, kind: Any) -> Any:
    """What a JSON value stands for.

    Args:
        name: The field's.
        value: What came.
        kind: The field's annotation: bool, int, float, str, a Literal of words, or a tuple of these
            (``tuple[float, ...]`` or one of a fixed length).

    Raises:
        DataError: It isn't of that kind, or isn't finite.
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
                read_value(name, each, inner) for each, inner in zip(value, of_each, strict=True)
            )
    elif kind is float:
        if isinstance(value, int | float) and not isinstance(value, bool):
            number = float(value) if abs(value) < 2**1000 else math.inf
            if math.isfinite(number):
                return number
    elif isinstance(value, kind) and isinstance(value, bool) == (kind is bool):
        return value
    raise DataError(f"parameters: {name}: expected {kind}, got {shown(value, longest=60)}.")
