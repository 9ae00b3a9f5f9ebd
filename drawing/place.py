"""The place for a picture in a scene."""

__all__ = ["Place", "square_panel"]

from typing import Any, NamedTuple

import bpy

from drawing.shapes import mesh, panel, placed, put
from drawing.studio import Point


class Place(NamedTuple):
    """Where a picture goes.

    Attributes:
        panel: What it may be seen on.
        corners: Its upper left, upper right, lower right and lower left corner in the scene.
        gloss: The share of the scene that is still seen over it: reflections.
    """

    panel: Any
    corners: tuple[Point, Point, Point, Point]
    gloss: float = 0.0

    def outline(self) -> Any:
        """The quadrilateral between the corners, as an object."""
        return mesh(self.corners, [(3, 2, 1, 0)], bpy.data.materials.new("outline"))


def square_panel(
    width: float,
    height: float,
    at: Point,
    turn: Point,
    material: Any,
    *,
    parent: Any = None,
    gloss: float = 0.0,
) -> Place:
    """A place that is a rectangle in x and z, seen from -y; ``parent`` carries it."""
    made = put(panel(width, height, material), at, turn)
    if parent is not None:
        made.parent = parent
    x, z = width / 2, height / 2
    upper_left, upper_right, lower_right, lower_left = (
        placed(made, each) for each in ((-x, 0, z), (x, 0, z), (x, 0, -z), (-x, 0, -z))
    )
    return Place(made, (upper_left, upper_right, lower_right, lower_left), gloss)
