"""The ground before a camera, and where things stand on it."""

__all__ = ["Height", "apart", "fan", "height_at", "on_land", "smooth_step"]

import math
from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]
#: The height of the ground at x and y, of any one shape.
Height = Callable[[Array, Array], Array]


def fan(
    near: float,
    far: float,
    half_angle: float,
    rows: int,
    columns: int,
    height: Height,
) -> Array:
    """Points of terrain before a camera at the origin that looks along +y, equally dense in the picture.

    Args:
        near: Distance of the first row, in metres.
        far: Distance of the last row.
        half_angle: To either side, in degrees.
        rows: From near to far.
        columns: From left to right.
        height: Of the ground at x and y.

    Returns:
        (rows, columns, 3).
    """
    angles = np.radians(np.linspace(-half_angle, half_angle, columns))[None]
    distances = np.geomspace(near, far, rows)[:, None]
    x, y = distances * np.tan(angles), distances * np.ones_like(angles)
    return np.stack([x, y, height(x, y)], axis=-1)


def height_at(height: Height, x: float, y: float) -> float:
    """The height of the ground at one point."""
    return float(height(np.array([x], dtype=np.float64), np.array([y], dtype=np.float64))[0])


def on_land(
    generator: np.random.Generator,
    count: int,
    distances: tuple[float, float],
    half_angle: float,
    height: Height,
) -> Array:
    """Random points of the ground before a camera at the origin, equally dense on the ground."""
    near, far = distances
    y = np.sqrt(generator.uniform(near**2, far**2, count))
    x = y * math.tan(math.radians(half_angle)) * generator.uniform(-1, 1, count)
    return np.stack([x, y, height(x, y)], axis=-1)


def apart(places: Array, distance: float) -> Array:
    """Drops points that are closer to one before them."""
    kept: list[Array] = []
    for each in places:
        if all(np.hypot(*(each - other)[:2]) > distance for other in kept):
            kept.append(each)
    return np.array(kept)


def smooth_step(value: Array, low: float, high: float) -> Array:
    """0 below ``low``, 1 above ``high``, without a kink between them."""
    t = np.clip((value - low) / (high - low), 0, 1)
    result: Array = t * t * (3 - 2 * t)
    return result
