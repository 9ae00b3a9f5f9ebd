"""A path through a wood, against the light."""

__all__ = ["forest_path"]

import math
from typing import Any

import numpy as np
from numpy.typing import NDArray

from drawing.meshes import Shape, scatter, surface_grid
from drawing.nodes import Graph
from drawing.noise import fractal
from drawing.outdoors import add_haze
from drawing.sky import daylight
from drawing.studio import camera, new_scene
from drawing.terrain import apart, fan, on_land, smooth_step
from drawing.trees import bark_material, broadleaf, leaf_material
from drawing.undergrowth import tuft

Array = NDArray[np.float64]


def forest_path() -> None:
    """A path between beeches, against the light."""
    new_scene(exposure=0.25, look="AgX - High Contrast")
    camera((0.2, 0, 1.6), (0.2, 20, 2.6), lens=28)
    generator = np.random.default_rng(23)
    daylight(
        elevation=24, bearing=14, strength=0.13, shine=10.0, shine_colour=(1.0, 0.80, 0.50), dust=3
    )
    surface_grid("Land", fan(0.8, 130, 50, 420, 420, _forest_land), _litter_material())
    bark = bark_material((0.05, 0.042, 0.035))
    trunks = [_trunk(seed, bark) for seed in range(6)]
    stands = on_land(generator, 800, (3, 95), 42, _forest_land)
    stands = stands[np.abs(stands[:, 0] - _path(stands[:, 1])) > 2.0]
    stands = apart(stands, 2.6)
    scatter("Trunks", trunks, stands, generator.uniform(0.75, 1.3, len(stands)), generator, 0.03)
    leaves = leaf_material(
        [(0.1, (0.06, 0.15, 0.012)), (0.5, (0.14, 0.26, 0.02)), (0.9, (0.30, 0.34, 0.03))], 0.5
    )
    crowns = [
        broadleaf(seed, leaves, bark, count=1700, leaf=0.030, trunk=0.22, rooted=False)
        for seed in range(4)
    ]
    boughs = np.concatenate(
        [
            stands + generator.normal(0, 1.7, stands.shape) * (1, 1, 0.5) + (0, 0, height)
            for height in (3.8, 4.8, 6.0, 7.2, 8.6, 10.0)
        ]
    )
    scatter("Crowns", crowns, boughs, generator.uniform(3.2, 5.5, len(boughs)), generator, 0.5)
    young = on_land(generator, 260, (5, 70), 42, _forest_land)
    young = young[np.abs(young[:, 0] - _path(young[:, 1])) > 2.2]
    scatter("Bushes", crowns, young, generator.uniform(0.8, 2.4, len(young)), generator, 0.2)
    fern = leaf_material(
        [(0.1, (0.04, 0.12, 0.012)), (0.5, (0.09, 0.19, 0.02)), (0.9, (0.20, 0.26, 0.03))], 0.4
    )
    tufts = [tuft(seed, fern, height=0.5, blades=30, lean=1.1) for seed in range(5)]
    low = on_land(generator, 15000, (1.4, 50), 46, _forest_land)
    edge = np.abs(low[:, 0] - _path(low[:, 1]))
    low = low[edge > 1.0 + 0.5 * fractal(low[:, 0], low[:, 1], 3, 3)]
    scatter("Undergrowth", tufts, low, generator.uniform(0.4, 1.2, len(low)), generator, 0.2)
    add_haze((0.78, 0.72, 0.40), 95)


def _forest_land(x: Array, y: Array) -> Array:
    away = np.abs(x - _path(y))
    return (
        0.30 * fractal(x / 4, y / 4, 3, 5) * smooth_step(away, 0.7, 2.5)
        + 0.5 * smooth_step(away, 1, 12)
        + 0.04 * fractal(x * 2, y * 2, 9, 3)
        + 0.012 * y
    )


def _path(y: Array) -> Array:
    """Where the path's middle is: it winds."""
    return 0.9 * np.sin(y / 9.0) * smooth_step(y, 2, 14)


def _litter_material() -> Any:
    material, graph = Graph.material("Litter")
    point = graph.position()
    leaves = graph.cells(point, 16, "Color")
    brightness = graph.add("ShaderNodeSeparateColor", {0: leaves}).outputs[0]
    litter = graph.ramp(
        brightness,
        [(0.0, (0.04, 0.022, 0.01)), (0.5, (0.16, 0.08, 0.03)), (1.0, (0.32, 0.18, 0.07))],
    )
    earth = graph.mix(graph.noise(point, 6, 8), (0.10, 0.07, 0.045), (0.27, 0.20, 0.13))
    x = graph.add("ShaderNodeSeparateXYZ", {0: point}).outputs["X"]
    y = graph.add("ShaderNodeSeparateXYZ", {0: point}).outputs["Y"]
    wave = graph.math(
        "MULTIPLY",
        graph.math("SINE", graph.math("DIVIDE", y, 9.0)),
        graph.range(y, 2, 14, (0, 0.9)),
    )
    away = graph.math("ABSOLUTE", graph.math("SUBTRACT", x, wave))
    away = graph.math("ADD", away, graph.math("MULTIPLY", graph.noise(point, 1.5, 5), 0.8))
    colour = graph.mix(graph.range(away, 1.0, 1.6), earth, litter)
    graph.finish(graph.surface(colour, 0.85, graph.bump(graph.cells(point, 16), 0.03)))
    return material


def _trunk(seed: int, bark: Any) -> Any:
    generator = np.random.default_rng(seed)
    shape = Shape([bark])
    heights = np.linspace(-0.2, 16, 14)
    sway = np.cumsum(generator.normal(0, 0.05, (14, 2)), axis=0)
    path = np.column_stack([sway, heights])
    radii = [0.23 * (1 - 0.042 * h) + 0.14 * math.exp(-3.5 * max(h, 0)) for h in heights]
    shape.tube(path, radii, 0, 16)
    for _ in range(5):
        start = path[generator.integers(4, 12)]
        turn = generator.uniform(0, 2 * math.pi)
        way = np.array([math.cos(turn), math.sin(turn), 0.55])
        shape.tube(
            [start, start + 0.9 * way, start + 2.2 * way + (0, 0, 0.3)], (0.07, 0.05, 0.015), 0, 7
        )
    return shape.build("Trunk", smooth=True, show=False)
