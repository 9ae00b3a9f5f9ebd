"""Mouldings around pictures and panes, and letters of strokes for signs."""

__all__ = ["letters", "moulding"]

from collections.abc import Sequence
from typing import Any

from drawing.props import group
from drawing.shapes import box, mesh
from drawing.studio import Point


def moulding(
    width: float,
    height: float,
    profile: Sequence[tuple[float, float]],
    material: Any,
    *,
    rounded: bool = True,
) -> Any:
    """A frame around a rectangle in x and z, with mitred corners.

    Args:
        width: Of the opening.
        height: Of the opening.
        profile: Points (distance from the opening's edge, height towards -y) from inside to outside.
        material: Of the frame.
        rounded: Shade it smoothly.
    """
    vertices: list[Point] = []
    for out, high in profile:
        x, z = width / 2 + out, height / 2 + out
        vertices += [(-x, -high, -z), (x, -high, -z), (x, -high, z), (-x, -high, z)]
    faces = [
        (
            4 * ring + side,
            4 * ring + (side + 1) % 4,
            4 * ring + 4 + (side + 1) % 4,
            4 * ring + 4 + side,
        )
        for ring in range(len(profile) - 1)
        for side in range(4)
    ]
    made = mesh(vertices, [each[::-1] for each in faces], material, rounded=rounded)
    if rounded:
        modifier = made.modifiers.new("edges", "EDGE_SPLIT")
        modifier.split_angle = 0.7
    return made


#: Strokes of capital letters on a field of 2 × 4.
_STROKES: dict[str, tuple[tuple[float, float, float, float], ...]] = {
    "A": ((0, 0, 0, 4), (2, 0, 2, 4), (0, 4, 2, 4), (0, 2, 2, 2)),
    "C": ((0, 0, 0, 4), (0, 4, 2, 4), (0, 0, 2, 0)),
    "E": ((0, 0, 0, 4), (0, 4, 2, 4), (0, 2, 1.6, 2), (0, 0, 2, 0)),
    "F": ((0, 0, 0, 4), (0, 4, 2, 4), (0, 2, 1.6, 2)),
    "L": ((0, 0, 0, 4), (0, 0, 2, 0)),
    "O": ((0, 0, 0, 4), (2, 0, 2, 4), (0, 4, 2, 4), (0, 0, 2, 0)),
    "R": ((0, 0, 0, 4), (0, 4, 2, 4), (2, 2, 2, 4), (0, 2, 2, 2), (1, 2, 2, 0)),
    "T": ((1, 0, 1, 4), (0, 4, 2, 4)),
}


def letters(word: str, at: Point, height: float, material: Any, *, turn: Point = (0, 0, 0)) -> Any:
    """A word of a sign that is read from -y; ``at`` is its lower left corner."""
    whole = group(at, turn)
    unit = height / 4
    thick = unit * 0.7
    for number, letter in enumerate(word):
        for x1, z1, x2, z2 in _STROKES[letter]:
            middle = ((number * 3.2 + (x1 + x2) / 2) * unit, 0.0, (z1 + z2) / 2 * unit)
            long = (abs(x2 - x1) * unit + thick, unit * 0.5, abs(z2 - z1) * unit + thick)
            box(long, middle, material, bevel=thick * 0.1).parent = whole
    return whole
