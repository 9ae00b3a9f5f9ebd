"""The ground before a camera, and where things stand on it."""

__all__ = ["apart", "fan", "mountain_material", "on_land", "smooth_step"]

import math
from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from drawing.nodes import Graph

Array = NDArray[np.float64]


def fan(
    near: float,
    far: float,
    half_angle: float,
    rows: int,
    columns: int,
    height: Callable[[Array, Array], Array],
    origin: tuple[float, float] = (0, 0),
) -> Array:
    """Points of terrain in front of a camera that looks along +y, equally dense in the picture.

    Args:
        near: Distance of the first row, in metres.
        far: Distance of the last row.
        half_angle: To either side, in degrees.
        rows: From near to far.
        columns: From left to right.
        height: Of the ground at x and y.
        origin: Where the camera stands.

    Returns:
        (rows, columns, 3).
    """
    angles = np.radians(np.linspace(-half_angle, half_angle, columns))[None]
    distances = np.geomspace(near, far, rows)[:, None]
    x, y = origin[0] + distances * np.tan(angles), origin[1] + distances * np.ones_like(angles)
    return np.stack([x, y, height(x, y)], axis=-1)


def on_land(
    generator: np.random.Generator,
    count: int,
    distances: tuple[float, float],
    half_angle: float,
    height: Callable[[Array, Array], Array],
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


def mountain_material(grass: tuple[float, float, float] = (0.05, 0.075, 0.018)) -> Any:
    """Grass below, rock where it is steep, snow above about 500 m."""
    material, graph = Graph.material("Mountain")
    point, steep = graph.position(), graph.upward()
    coarse, fine = graph.noise(point, 0.02, 12, 0.62), graph.noise(point, 0.9, 8, 0.65)
    rock = graph.ramp(
        coarse, [(0.3, (0.07, 0.065, 0.062)), (0.5, (0.19, 0.175, 0.16)), (0.7, (0.33, 0.31, 0.29))]
    )
    dark = tuple(0.5 * each for each in grass)
    green = graph.mix(fine, dark, grass)
    green = graph.mix(graph.range(coarse, 0.42, 0.62), green, (0.12, 0.10, 0.035))
    flat = graph.math(
        "ADD", steep, graph.math("MULTIPLY", graph.math("SUBTRACT", coarse, 0.5), 0.5)
    )
    high = graph.math("ADD", graph.height(), graph.math("MULTIPLY", coarse, 260))
    low = graph.math("MULTIPLY", graph.range(flat, 0.62, 0.80), graph.range(high, 480, 360))
    colour = graph.mix(low, rock, green)
    snow = graph.math("MULTIPLY", graph.range(high, 470, 600), graph.range(flat, 0.50, 0.66))
    colour = graph.mix(snow, colour, (0.84, 0.87, 0.93))
    graph.finish(
        graph.surface(colour, 0.9, graph.bump(graph.noise(point, 0.06, 12, 0.7), 9.0, 0.8))
    )
    return material
