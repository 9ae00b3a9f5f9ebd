"""A market stall."""

__all__ = ["market_table"]

import math
from typing import Any

import numpy as np
from numpy.typing import NDArray

from drawing.fruit import FRUIT
from drawing.meshes import Shape, scatter
from drawing.nodes import Graph
from drawing.sky import daylight
from drawing.studio import area_light, camera, new_scene

Array = NDArray[np.float64]


#: Width, depth and height of a crate, in metres.
_CRATE = (0.50, 0.38, 0.13)
#: The crates in rows from the front: what, its size in metres, layers.
_GOODS = (
    (("tomato", 0.074, 3), ("lemon", 0.070, 3), ("aubergine", 0.085, 2), ("apple", 0.078, 3)),
    (("carrot", 0.045, 3), ("orange", 0.080, 3), ("cabbage", 0.165, 1), ("pepper", 0.088, 2)),
    (("green apple", 0.078, 3), ("onion", 0.070, 3), ("pumpkin", 0.20, 1), ("beet", 0.075, 3)),
    (("potato", 0.075, 3), ("plum", 0.058, 3), ("lime", 0.066, 3), ("tomato", 0.074, 3)),
)
#: How far those lean that don't roll, in radians.
_TILT = {"carrot": 0.25, "cabbage": 0.5, "pumpkin": 0.25}


def market_table() -> None:
    """Crates of fruit and vegetables, from above and in front."""
    new_scene(exposure=0.1)
    camera((0.03, -1.60, 1.75), (0.0, 0.10, 0.16), lens=50, aperture=9, focus=(0, 0.0, 0.1))
    daylight(elevation=48, bearing=-130, strength=0.09, shine=3.4)
    area_light((1.5, -1.5, 2.5), (0, 0, 0), size=1.5, watts=25)
    generator = np.random.default_rng(6)
    wood = _crate_wood()
    for row, crates in enumerate(_GOODS):
        for column, (kind, size, layers) in enumerate(crates):
            x, y, z = -0.81 + 0.54 * column, -0.44 + 0.42 * row, 0.15 * row
            _crate(x, y, z, wood)
            prototypes = [FRUIT[kind](seed) for seed in range(3)]
            places = np.add(_heap(generator, size, layers), (x, y, z))
            tilt = _TILT.get(kind, math.pi)
            sizes = generator.uniform(0.9, 1.1, len(places))
            scatter("Fruit", prototypes, places, sizes, generator, tilt)
    table = Shape([wood])
    for row in range(5):
        table.box(
            (-2, -0.66 + 0.42 * row, -0.6 + 0.15 * row),
            (2, -0.24 + 0.42 * row, -0.004 + 0.15 * row),
        )
    table.build("Table", bevel=0.004)
    wall = Shape([wood])
    for board in range(30):
        wall.box((-3 + 0.2 * board, 1.5, -1), (-2.808 + 0.2 * board, 1.54, 3))
    wall.build("Wall", bevel=0.006)


def _heap(generator: np.random.Generator, size: float, layers: int) -> Array:
    """Places of round things in a crate around the origin: layers of close rows, smaller upwards."""
    places: list[tuple[float, float, float]] = []
    for layer in range(layers):
        inset = 0.5 * size + 0.42 * size * layer
        width, depth = _CRATE[0] - 0.05 - 2 * inset, _CRATE[1] - 0.05 - 2 * inset
        rows = max(1, round(depth / (0.88 * size)) + 1)
        for row in range(rows):
            count = max(1, round(width / size) + 1 - row % 2)
            for each in range(count):
                x = width * ((each + 0.5 * (row % 2)) / max(1, round(width / size)) - 0.5)
                y = depth * (row / max(1, rows - 1) - 0.5) if rows > 1 else 0.0
                bulge = 0.03 * math.cos(math.pi * x / _CRATE[0]) * math.cos(math.pi * y / _CRATE[1])
                places.append(
                    (x, y, _CRATE[2] - 0.035 + 0.55 * size * (layer - layers + 1.6) + bulge)
                )
    array = np.array(places)
    return array + generator.normal(0, 0.07 * size, array.shape)


def _crate(x: float, y: float, z: float, wood: Any) -> None:
    width, depth, height = (each / 2 if index < 2 else each for index, each in enumerate(_CRATE))
    shape = Shape([wood])
    shape.box((-width, -depth, 0.0), (width, depth, 0.012))
    for side in (-1, 1):
        for low in (0.012, 0.075):
            shape.box(
                (-width, side * depth - 0.006, low), (width, side * depth + 0.006, low + 0.052)
            )
            shape.box(
                (side * width - 0.006, -depth, low), (side * width + 0.006, depth, low + 0.052)
            )
        for other in (-1, 1):
            post = (side * (width - 0.02), other * (depth - 0.02))
            shape.box(
                (post[0] - 0.016, post[1] - 0.016, 0),
                (post[0] + 0.016, post[1] + 0.016, height + 0.025),
            )
    made = shape.build("Crate", bevel=0.002)
    made.location = (x, y, z)


def _crate_wood() -> Any:
    material, graph = Graph.material("Crate wood")
    grain = graph.noise(graph.local((3, 14, 22)), 2.0, 8, 0.65)
    tone = graph.ramp(
        grain, [(0.3, (0.14, 0.075, 0.035)), (0.55, (0.38, 0.24, 0.12)), (0.75, (0.52, 0.36, 0.20))]
    )
    each = graph.mix(graph.math("MULTIPLY", graph.chance(), 0.5), tone, (0.16, 0.12, 0.09))
    graph.finish(graph.surface(each, 0.75, graph.bump(grain, 0.004)))
    return material
