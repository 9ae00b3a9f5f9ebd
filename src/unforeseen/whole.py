"""Whole numbers that users give: from the command line they are checked, from Python they aren't."""

__all__ = ["whole_number"]

import operator

from unforeseen.errors import UserError


def whole_number(name: str, value: object, *, minimum: int, maximum: int | None = None) -> int:
    """Checks a number and makes it Python's own kind, which records can hold.

    Args:
        name: What the number stands for.
        value: What came; numpy's whole numbers are welcome.
        minimum: The smallest that will do.
        maximum: The largest that will do; None has no limit.

    Raises:
        UserError: It is no whole number (1.0 is none), or out of range.
    """
    up_to = "" if maximum is None else f" to {maximum}"
    expected = f"{name}: expected a whole number from {minimum}{up_to}"
    try:
        number = operator.index(value)  # type: ignore[arg-type]  # what it doesn't take, it refuses
    except TypeError as error:
        raise UserError(f"{expected}, got {value!r:.80}.") from error
    if number < minimum or (maximum is not None and number > maximum):
        raise UserError(f"{expected}, got {number}.")
    return number
