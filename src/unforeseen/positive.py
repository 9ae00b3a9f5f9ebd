"""Sizes that users give: finite numbers above 0, from Python or as text behind an option."""

__all__ = ["positive_number"]

import math

from unforeseen.errors import UserError


def positive_number(name: str, value: object) -> float:
    """Checks a number and makes it Python's own kind, which records can hold.

    Args:
        name: What the number stands for.
        value: What came; numpy's numbers are welcome.

    Raises:
        UserError: It is no number, not finite, or not above 0.
    """
    expected = f"{name}: expected a finite number above 0"
    try:
        number = float(value)  # type: ignore[arg-type]  # what it doesn't take, it refuses
    except (TypeError, ValueError, OverflowError) as error:
        raise UserError(f"{expected}, got {value!r:.80}.") from error
    if not 0 < number < math.inf:
        raise UserError(f"{expected}, got {value}.")
    return number
