"""The towers of a city beyond a bay, at sunset."""

__all__ = ["city_skyline"]

import math
from typing import Any

import numpy as np
from numpy.typing import NDArray

from drawing.materials import glowing, surface
from drawing.meshes import Shape
from drawing.nodes import Graph
from drawing.outdoors import add_haze, bloom, still_water
from drawing.sky import Clouds, daylight
from drawing.studio import Colour, camera, new_scene

Array = NDArray[np.float64]


def city_skyline() -> None:
    """Towers beyond a bay, and a suspension bridge, after sunset."""
    new_scene(exposure=0.45, look="AgX - High Contrast")
    camera((0, 0, 14), (0, 400, 44), lens=34)
    clouds = Clouds(
        scale=0.8,
        cover=0.75,
        softness=0.25,
        stretch=2.2,
        lit=(1.0, 0.40, 0.20),
        shaded=(0.22, 0.15, 0.25),
        offset=3.4,
    )
    daylight(
        elevation=2,
        bearing=-14,
        shine=1.2,
        shine_colour=(1.0, 0.45, 0.25),
        clouds=clouds,
        backdrop=((0.70, 0.26, 0.14), (0.06, 0.10, 0.30)),
        afterglow=(1.3, 0.55, 0.12),
    )
    generator = np.random.default_rng(44)
    facades = [
        _facade(colour, lit)
        for colour, lit in (
            ((0.05, 0.06, 0.08), 0.70),
            ((0.22, 0.18, 0.15), 0.62),
            ((0.09, 0.10, 0.13), 0.76),
            ((0.24, 0.13, 0.09), 0.60),
        )
    ]
    dark = surface((0.03, 0.03, 0.035), roughness=0.6)
    places = generator.uniform((-520, 520), (520, 1000), (420, 2))
    kept: list[Array] = []
    for each in places:
        if all(np.max(np.abs(each - other)) > 36 for other in kept):
            kept.append(each)
    for x, y in kept:
        core = math.exp(-(((x + 60) / 200) ** 2)) + 0.7 * math.exp(-(((x - 270) / 110) ** 2))
        tall = 28 + generator.uniform(20, 60) + core * generator.uniform(20, 185)
        _tower(
            generator,
            facades[int(generator.integers(0, 4))],
            dark,
            (float(x), float(y)),
            float(tall),
        )
    for x in np.arange(-560, 560, 21):
        tall = float(generator.uniform(9, 30))
        _tower(
            generator,
            facades[int(generator.integers(0, 4))],
            dark,
            (float(x), 500 + float(generator.uniform(-6, 6))),
            tall,
        )
    quay = Shape([surface((0.07, 0.065, 0.06), roughness=0.6)])
    quay.box((-900, 474, -4), (900, 1400, 3))
    quay.build("Quay")
    _bridge()
    still_water(0, 6000, 0.35, (0.16, 0.42, 1), (0.01, 0.02, 0.035))
    add_haze((0.42, 0.20, 0.17), 4500)
    bloom(0.3)


def _facade(colour: Colour, dark_share: float) -> Any:
    """Rows of windows of 3 m × 3.6 m, of which ``dark_share`` aren't lit."""
    material, graph = Graph.material("Facade")
    split = graph.add("ShaderNodeSeparateXYZ", {0: graph.position((1 / 4.5, 1 / 4.5, 1 / 4.8))})
    along = graph.math("ADD", split.outputs[0], graph.math("MULTIPLY", split.outputs[1], 1.0))
    joined = graph.add(
        "ShaderNodeCombineXYZ",
        {
            0: graph.math("FLOOR", along),
            1: graph.math("FLOOR", split.outputs[2]),
            2: graph.chance(),
        },
    ).outputs[0]
    draw = graph.add("ShaderNodeTexWhiteNoise", {0: joined}, {"noise_dimensions": "3D"})
    inside = graph.math("GREATER_THAN", graph.math("PINGPONG", along, 0.5), 0.14)
    inside = graph.math(
        "MULTIPLY",
        inside,
        graph.math("GREATER_THAN", graph.math("PINGPONG", split.outputs[2], 0.5), 0.17),
    )
    shining = graph.math(
        "MULTIPLY", inside, graph.math("GREATER_THAN", draw.outputs["Value"], dark_share)
    )
    shade = graph.mix(graph.chance(), colour, tuple(1.8 * each for each in colour))
    wall = graph.mix(inside, shade, (0.02, 0.025, 0.035))
    surface = graph.surface(wall, graph.math("SUBTRACT", 0.6, graph.math("MULTIPLY", inside, 0.5)))
    light = graph.mix(draw.outputs["Color"], (1.0, 0.55, 0.20), (1.0, 0.80, 0.50))
    strength = graph.math(
        "MULTIPLY", graph.range(draw.outputs["Value"], dark_share, 1.0, (0.2, 1.0)), 1.0
    )
    graph.finish(graph.blend(shining, surface, graph.glow(light, strength)))
    material.cycles.emission_sampling = "NONE"
    return material


def _tower(
    generator: np.random.Generator, facade: Any, dark: Any, at: tuple[float, float], tall: float
) -> None:
    wide, deep = generator.uniform(20, 36, 2) / 2
    shape = Shape([facade, dark])
    kind = generator.choice([0, 0, 1, 1, 1, 2, 3]) if tall > 90 else 0
    steps = (
        [(1.0, 0.0, 1.0)]
        if kind == 0
        else [(1.0, 0.0, 0.55), (0.80, 0.55, 0.82), (0.58, 0.82, 1.0)]
    )
    if kind == 3:
        shape.turn(
            [wide, wide, wide * 0.9, 0.3 * wide, 0],
            [0, 0.9 * tall, 0.94 * tall, tall, tall + 1],
            0,
            sides=28,
        )
        steps = []
    for share, low, high in steps:
        shape.box(
            (-wide * share, -deep * share, low * tall), (wide * share, deep * share, high * tall), 0
        )
    top = 1.0 if kind == 0 else 0.58
    shape.box(
        (-0.5 * wide * top, -0.5 * deep * top, tall),
        (0.4 * wide * top, 0.5 * deep * top, tall + 4),
        1,
    )
    if kind in {1, 3}:
        shape.tube([(0, 0, tall), (0, 0, 1.12 * tall), (0, 0, 1.26 * tall)], (2.0, 1.2, 0.2), 1, 8)
    if kind == 2:
        w, d = 0.58 * wide, 0.58 * deep
        shape.add(
            [(-w, -d, tall), (w, -d, tall), (w, d, tall), (-w, d, tall), (0, 0, 1.22 * tall)],
            [(0, 1, 4), (1, 2, 4), (2, 3, 4), (3, 0, 4)],
            1,
        )
    made = shape.build("Tower")
    made.location = (*at, 3.0)


def _bridge() -> None:
    """A suspension bridge from the right foreground to the far shore."""
    steel, graph = Graph.material("Steel")
    graph.finish(graph.surface((0.16, 0.05, 0.035), 0.5))
    light = glowing((1.0, 0.75, 0.4), 9.0)
    shape = Shape([steel, light])
    start, way = np.array([88.0, 40.0, 0]), np.array([-0.06, 1.0, 0])
    side = np.array([1.0, 0.06, 0]) * 7
    for hand in (-1, 1):
        edge = start + hand * side
        shape.tube([edge - way * 60 + (0, 0, 26), edge + way * 460 + (0, 0, 26)], (2.0, 2.0), 0, 4)
        for tower in (130, 330):
            foot = edge + way * tower
            shape.tube([np.add(foot, (0, 0, -2)), np.add(foot, (0, 0, 92))], (4.2, 3.0), 0, 4)
        t = np.linspace(-150, 460, 90)
        sag = np.where(
            (t > 130) & (t < 330),
            30 + 60 * ((t - 230) / 100) ** 2,
            90 - 0.5 * np.minimum(np.abs(t - 130), np.abs(t - 330)),
        )
        sag = np.maximum(sag, 27)
        cable = edge + way * t[:, None] + np.array([0, 0, 1.0]) * sag[:, None]
        shape.tube(cable, [0.8] * 90, 0, 6)
        for point in cable[::2]:
            shape.tube([point, (point[0], point[1], 26)], (0.22, 0.22), 0, 4)
        for at in np.arange(-50, 460, 16):
            shape.turn(
                [0, 0.7, 0.7, 0],
                [0, 0.4, 1.0, 1.4],
                1,
                sides=6,
                at=tuple(edge + way * at + (0, 0, 31)),
            )
    for tower in (130, 330):
        for height in (40, 66, 88):
            middle = start + way * tower + (0, 0, height)
            shape.tube([middle - side, middle + side], (2.4, 2.4), 0, 4)
    shape.add(
        [
            start - side - way * 60 + (0, 0, 27),
            start + side - way * 60 + (0, 0, 27),
            start + side + way * 460 + (0, 0, 27),
            start - side + way * 460 + (0, 0, 27),
        ],
        [(0, 1, 2, 3)],
        0,
    )
    shape.build("Bridge")
