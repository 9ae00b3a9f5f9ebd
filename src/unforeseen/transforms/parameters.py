"""Parameters of attacks: their defaults, ranges and meaning, declared once, where the field is."""

__all__ = ["check_parameter", "parameter"]

from collections.abc import Mapping
from dataclasses import field
from typing import Any, Literal, get_args, get_origin

from unforeseen.errors import BenchmarkError


def parameter(
    default: float | str,
    meaning: str,
    *,
    minimum: float | None = None,
    maximum: float | None = None,
    odd: bool = False,
) -> Any:
    """A dataclass field of an attack that a benchmark file may set.

    Args:
        default: ImageNet's value.
        meaning: What it is, with its unit; ``unforeseen show`` prints it.
        minimum: Smallest value.
        maximum: Largest value.
        odd: Only odd whole numbers.

    Returns:
        Typed as dataclasses type their fields: whatever the annotation says.
    """
    metadata = {"meaning": meaning, "minimum": minimum, "maximum": maximum, "odd": odd}
    return field(default=default, metadata=metadata)


def check_parameter(name: str, value: object, kind: Any, metadata: Mapping[str, Any]) -> None:
    """Raises BenchmarkError where a value doesn't fit its field.

    Args:
        name: ``attack.field``, for the message.
        value: What came.
        kind: The field's annotation: int, float, or a Literal.
        metadata: The field's, as made by :func:`parameter`.
    """
    if get_origin(kind) is Literal:
        if value not in get_args(kind):
            choices = ", ".join(map(repr, get_args(kind)))
            raise BenchmarkError(f"{name}: expected one of {choices}, got {value!r}.")
        return
    numbers = (int, float) if kind is float else (int,)
    if isinstance(value, bool) or not isinstance(value, numbers):
        wanted = "a number" if kind is float else "a whole number"
        raise BenchmarkError(f"{name}: expected {wanted}, got {value!r}.")
    low, high = metadata.get("minimum"), metadata.get("maximum")
    if (low is not None and not value >= low) or (high is not None and not value <= high):
        bounds = f"from {low}" if high is None else f"from {low} to {high}"
        raise BenchmarkError(f"{name}: expected a value {bounds}, got {value!r}.")
    if metadata.get("odd") and value % 2 == 0:
        raise BenchmarkError(f"{name}: expected an odd number, got {value!r}.")
