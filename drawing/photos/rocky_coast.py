"""Cliffs and stacks in the sea, with a lighthouse."""

__all__ = ["rocky_coast"]

from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

from drawing.materials import glowing, surface
from drawing.meshes import Shape, scatter, surface_grid
from drawing.nodes import Graph
from drawing.noise import fractal, ridged
from drawing.outdoors import add_haze
from drawing.sky import Clouds, daylight
from drawing.studio import camera, new_scene
from drawing.terrain import fan, height_at, on_land, smooth_step
from drawing.undergrowth import stone

Array = NDArray[np.float64]


def rocky_coast() -> None:
    """Cliffs, stacks and surf below a lighthouse."""
    new_scene(exposure=0.15)
    camera((2, 0, 9.0), (4, 60, 5.6), lens=29)
    clouds = Clouds(scale=0.45, cover=0.66, softness=0.22, offset=5.2, shaded=(0.25, 0.29, 0.36))
    daylight(elevation=30, bearing=-105, strength=0.10, shine=4.2, clouds=clouds)
    surface_grid("Cliffs", fan(2, 900, 44, 760, 700, _cliffs), _cliff_material())
    sea = fan(4, 9000, 46, 560, 620, _swell)
    shallow = _cliffs(sea[..., 0], sea[..., 1])
    rough = fractal(sea[..., 0] / 3.5, sea[..., 1] / 3.5, 91, 6, 0.62)
    surf = smooth_step(shallow + 1.4 * rough, -2.4, -0.4)
    breakers = smooth_step(
        np.sin(1.25 * shallow + 2.2 * fractal(sea[..., 0] / 18, sea[..., 1] / 18, 92, 4)), 0.72, 1.0
    )
    breakers *= smooth_step(shallow, -8, -3) * smooth_step(rough, -0.25, 0.25)
    caps = (
        smooth_step(fractal(sea[..., 0] / 9, sea[..., 1] / 2.5, 95, 5), 0.42, 0.62)
        * 0.6
        * np.exp(-sea[..., 1] / 250)
    )
    sea[..., 2] += 0.45 * breakers + 0.25 * surf
    surface_grid("Sea", sea, _sea_material(), values=np.clip(surf + breakers + caps, 0, 1))
    generator = np.random.default_rng(8)
    material = _cliff_material()
    stones = [stone(seed, material) for seed in range(5)]
    places = on_land(generator, 1400, (6, 160), 44, _cliffs)
    places = places[(places[:, 2] > -1.5) & (places[:, 2] < 2.0)]
    scatter(
        "Boulders",
        stones,
        places,
        0.4 + 2.6 * generator.uniform(0, 1, len(places)) ** 4,
        generator,
        0.6,
    )
    _lighthouse(-7, 178)
    add_haze((0.55, 0.64, 0.75), 2600)


def _cliffs(x: Array, y: Array) -> Array:
    coast = (
        -9
        - 0.20 * y
        + 13 * np.sin(y / 30 + 0.4) * smooth_step(y, 10, 60)
        + 10 * fractal(x / 34, y / 34, 7, 5)
    )
    coast += 52 * np.exp(-(((y - 182) / 30) ** 2))
    inland = coast - x
    inland = np.maximum(inland, 14 - np.hypot(x + 9, y - 5) * 1.5)
    cliff = 21 * smooth_step(inland, 0, 11) + 0.10 * np.clip(inland - 11, 0, 200)
    cliff *= 0.5 + 0.5 * smooth_step(y, 25, 80)
    cliff = np.where(inland > 0, cliff, -9)
    for east, north, tall, wide in (
        (17, 58, 15, 6.0),
        (33, 96, 22, 9.0),
        (25, 92, 10, 6.5),
        (27, 62, 5, 5),
        (10, 26, 3.0, 4.0),
        (-5, 24, 5, 4.5),
        (4, 36, 1.5, 4.0),
    ):
        around = (
            np.hypot(x - east, y - north) / wide
            + 0.55 * fractal(x / 6, y / 6, 17, 5)
            + 0.25 * ridged(x / 4, y / 4, 18, 4)
            - 0.15
        )
        cliff = np.maximum(cliff, (tall + 9) * (1 - smooth_step(around, 0.30, 1.30)) - 9)
    rough = 1.6 * ridged(x / 11, y / 11, 27, 6, 0.55) - 1.2
    shelf = -9 * (1 - smooth_step(inland, -13, 0))
    return np.where(cliff > 0, cliff, np.maximum(shelf, cliff)) + rough * smooth_step(
        np.maximum(cliff, shelf), -5, 3
    )


def _cliff_material() -> Any:
    material, graph = Graph.material("Cliff")
    point = graph.position()
    layers = graph.noise(graph.position((0.10, 0.10, 1.1)), 1.0, 10, 0.65)
    rock = graph.ramp(
        layers,
        [
            (0.3, (0.045, 0.038, 0.034)),
            (0.48, (0.15, 0.12, 0.095)),
            (0.6, (0.24, 0.20, 0.16)),
            (0.75, (0.33, 0.29, 0.24)),
        ],
    )
    grass = graph.mix(graph.noise(point, 1.2, 8), (0.03, 0.055, 0.012), (0.11, 0.15, 0.03))
    green = graph.math(
        "MULTIPLY", graph.range(graph.upward(), 0.62, 0.82), graph.range(graph.height(), 7, 11)
    )
    colour = graph.mix(green, rock, grass)
    wet = graph.range(graph.height(), 2.2, 0.6)
    colour = graph.mix(wet, colour, graph.mix(1.0, colour, (0.35, 0.33, 0.33), "MULTIPLY"))
    relief = graph.math("ADD", layers, graph.noise(point, 1.1, 10, 0.7))
    graph.finish(
        graph.surface(colour, graph.range(wet, 0, 1, (0.9, 0.35)), graph.bump(relief, 0.9))
    )
    return material


def _swell(x: Array, y: Array) -> Array:
    waves = 0.35 * np.sin(0.22 * y - 0.16 * x + 3 * fractal(x / 60, y / 60, 41, 2))
    return (waves + 0.5 * fractal(x / 9, y / 6, 43, 5)) * np.exp(-y / 500)


def _sea_material() -> Any:
    material, graph = Graph.material("Sea")
    point, foam = graph.position(), graph.attribute("value")
    lace = graph.math("SUBTRACT", 1.0, graph.range(graph.cracks(point, 0.9), 0.0, 0.35))
    lace = graph.math("MULTIPLY", lace, graph.noise(point, 2.5, 6, 0.65))
    white = graph.range(graph.math("ADD", foam, graph.math("MULTIPLY", lace, 0.55)), 0.52, 0.85)
    water = graph.mix(graph.range(foam, 0.0, 0.4), (0.006, 0.035, 0.05), (0.03, 0.14, 0.15))
    normal = graph.bump(graph.noise(graph.position((0.8, 1.3, 1)), 0.9, 6, 0.6), 0.45)
    sea = graph.surface(water, 0.08, normal, {"IOR": 1.33})
    graph.finish(graph.blend(white, sea, graph.surface((0.83, 0.87, 0.88), 0.9)))
    return material


def _lighthouse(x: float, y: float) -> None:
    white, red, dark = (
        surface((0.80, 0.78, 0.74), roughness=0.6),
        surface((0.45, 0.03, 0.02), roughness=0.6),
        surface((0.03, 0.03, 0.035), roughness=0.3),
    )
    glass = glowing((1.0, 0.85, 0.5), 4.0)
    shape = Shape([white, red, dark, glass])
    heights = np.linspace(0, 20, 6)
    for index, (low, high) in enumerate(pairwise(heights)):
        shape.tube(
            [(0, 0, low), (0, 0, high)], (2.9 - 0.06 * low, 2.9 - 0.06 * high), index % 2, 24
        )
    shape.tube([(0, 0, 20), (0, 0, 20.5)], (2.6, 2.6), 2, 24)
    shape.tube([(0, 0, 20.5), (0, 0, 23)], (1.25, 1.25), 3, 16)
    shape.tube([(0, 0, 23), (0, 0, 23.4), (0, 0, 25)], (1.7, 1.6, 0.1), 1, 24)
    shape.box((4, -3, -3), (13, 4, 4), 0)
    shape.add(
        [
            (3.6, -3.4, 4),
            (13.4, -3.4, 4),
            (13.4, 0.5, 7),
            (3.6, 0.5, 7),
            (13.4, 4.4, 4),
            (3.6, 4.4, 4),
        ],
        [(0, 1, 2, 3), (3, 2, 4, 5), (1, 4, 2), (0, 3, 5)],
        1,
    )
    made = shape.build("Lighthouse")
    made.location = (x, y, height_at(_cliffs, x, y) - 0.5)
