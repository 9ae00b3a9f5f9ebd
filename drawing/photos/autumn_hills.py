"""Hills in autumn: fields, hedges, a fence, coloured trees."""

__all__ = ["autumn_hills"]

from typing import Any

import numpy as np
from numpy.typing import NDArray

from drawing.meshes import Shape, scatter, surface_grid
from drawing.nodes import Graph
from drawing.noise import fractal
from drawing.outdoors import add_haze
from drawing.sky import Clouds, daylight
from drawing.studio import camera, new_scene
from drawing.terrain import fan, height_at, on_land, smooth_step
from drawing.trees import bark_material, broadleaf, leaf_material
from drawing.undergrowth import tuft
from drawing.village import fence, hut

Array = NDArray[np.float64]


def autumn_hills() -> None:
    """Fields, fences and coloured trees."""
    new_scene(exposure=0.15)
    camera((0, 0, 14.2), (0, 90, 9.0), lens=31)
    generator = np.random.default_rng(14)
    clouds = Clouds(scale=0.6, cover=0.50, softness=0.2, offset=9.4)
    daylight(
        elevation=24,
        bearing=-75,
        strength=0.09,
        shine=5.4,
        shine_colour=(1.0, 0.86, 0.66),
        clouds=clouds,
    )
    land = fan(2, 4500, 45, 620, 620, _hills)
    cell, edge = _fields(land[..., 0], land[..., 1])
    surface_grid("Land", land, _field_material(), values=cell)
    bark = bark_material()
    kinds = [
        [(0.1, (0.36, 0.05, 0.01)), (0.5, (0.50, 0.12, 0.01)), (0.9, (0.60, 0.24, 0.015))],
        [(0.1, (0.50, 0.22, 0.01)), (0.5, (0.62, 0.36, 0.02)), (0.9, (0.68, 0.48, 0.05))],
        [(0.1, (0.08, 0.11, 0.015)), (0.5, (0.20, 0.20, 0.02)), (0.9, (0.42, 0.30, 0.03))],
    ]
    trees = [
        broadleaf(10 * index + seed, leaf_material(stops), bark, leaf=0.030)
        for index, stops in enumerate(kinds)
        for seed in range(2)
    ]
    places = on_land(generator, 90000, (60, 1300), 44, _hills)
    _, edge = _fields(places[:, 0], places[:, 1])
    wood = fractal(places[:, 0] / 160, places[:, 1] / 160, 62, 3)
    grown = (edge < 3.0) & (generator.uniform(0, 1, len(places)) < 0.6) | (wood > 0.30)
    places = places[grown][:9000]
    scatter("Trees", trees, places, generator.uniform(5, 12, len(places)), generator, 0.05)
    near = np.array([[-9.0, 17, 0.0], [21.0, 40, 0], [-26, 52, 0], [12, 66, 0]])
    near[:, 2] = _hills(near[:, 0], near[:, 1])
    scatter("Near trees", trees[:3], near, np.array([12.5, 11, 11, 9]), generator, 0.03)
    blades = leaf_material(
        [(0.1, (0.12, 0.14, 0.02)), (0.5, (0.28, 0.23, 0.05)), (0.9, (0.46, 0.33, 0.12))]
    )
    tufts = [tuft(seed, blades, height=0.4, lean=0.8) for seed in range(4)]
    grass = on_land(generator, 16000, (3, 32), 45, _hills)
    scatter("Grass", tufts, grass, generator.uniform(0.4, 1.2, len(grass)), generator, 0.2)
    fence([(-14.0, 7.5), (-5.0, 12.5), (4.0, 15.5), (13.0, 17.0), (26.0, 17.0)], _hills)
    fence([(4.0, 15.5), (6.5, 30.0), (4.0, 48.0), (-8.0, 70.0)], _hills)
    _bales([(-3.0, 30.0), (5.5, 38.0), (13.0, 31.0), (-13.0, 41.0), (20.0, 52.0), (-1.0, 55.0)])
    _fallen(generator)
    for x, y, turn in ((30, 105, 0.4), (44, 112, -0.5)):
        hut(x, y, height_at(_hills, x, y), turn)
    add_haze((0.60, 0.64, 0.72), 5200)


def _bales(places: list[tuple[float, float]]) -> None:
    """Round bales of straw, lying."""
    straw, graph = Graph.material("Straw")
    stalks = graph.noise(graph.local((2, 22, 22)), 1.0, 8, 0.7)
    tone = graph.mix(stalks, (0.16, 0.10, 0.03), (0.62, 0.44, 0.17))
    graph.finish(graph.surface(tone, 0.95, graph.bump(stalks, 0.08)))
    for number, (x, y) in enumerate(places):
        shape = Shape([straw])
        shape.tube(
            [(-0.65, 0, 0), (-0.6, 0, 0), (0.6, 0, 0), (0.65, 0, 0)],
            [0.66, 0.75, 0.75, 0.66],
            0,
            32,
        )
        made = shape.build("Bale", smooth=True)
        made.location = (x, y, height_at(_hills, x, y) + 0.68)
        made.rotation_euler = (0, 0, 0.5 + 0.9 * number)


def _fallen(generator: np.random.Generator) -> None:
    """Leaves on the ground below the nearest tree."""
    leaf = leaf_material(
        [(0.1, (0.40, 0.06, 0.01)), (0.5, (0.60, 0.22, 0.01)), (0.9, (0.66, 0.42, 0.04))]
    )
    kinds = []
    for seed in range(3):
        shape = Shape([leaf])
        turned = np.random.default_rng(seed).uniform(-0.03, 0.03, (4, 1))
        flat = np.array([(-0.07, 0), (0, 0.05), (0.07, 0), (0, -0.05)])
        shape.add(np.hstack([flat, turned]), [(0, 1, 2, 3)])
        kinds.append(shape.build("Leaf", show=False))
    x, y = generator.normal(-7, 4, 2600), np.abs(generator.normal(13, 5, 2600))
    places = np.stack([x, y, _hills(x, y) + generator.uniform(0.02, 0.25, 2600)], axis=-1)
    scatter("Fallen", kinds, places, generator.uniform(0.7, 1.4, 2600), generator, 0.5)


def _hills(x: Array, y: Array) -> Array:
    rolling = 50 * fractal(x / 300 + 0.3, y / 300 + 0.1, 4, 4, 0.38) * smooth_step(y, 40, 320)
    near = 0.25 * fractal(x / 9, y / 9, 14, 4) + 0.02 * x + 10 * (1 - smooth_step(y, 0, 75))
    valley = -12 * smooth_step(y, 45, 200) + 0.085 * np.clip(y - 240, 0, 1100)
    return (
        near
        + rolling
        + valley
        + 230 * smooth_step(y, 900, 3800) * (0.7 + fractal(x / 900, y / 900, 24, 5))
    )


def _fields(x: Array, y: Array) -> tuple[Array, Array]:
    """Each point's field as a number in [0, 1), and the distance to the field's edge in metres."""
    generator = np.random.default_rng(77)
    centres = generator.uniform((-1400, 20), (1400, 1900), (420, 2))
    centres = np.concatenate([centres, generator.uniform((-170, 30), (170, 330), (40, 2))])
    bent_x = x + 12 * fractal(x / 70, y / 70, 34, 2)
    bent_y = y + 12 * fractal(x / 70, y / 70, 35, 2)
    first, second = np.full(x.shape, np.inf), np.full(x.shape, np.inf)
    cell = np.zeros(x.shape)
    for number, (east, north) in enumerate(centres):
        away = np.hypot(bent_x - east, (bent_y - north) * 1.5)
        nearer = away < first
        second = np.where(nearer, first, np.minimum(second, away))
        first = np.where(nearer, away, first)
        cell = np.where(nearer, number * 0.618 % 1, cell)
    return cell, (second - first) / 2


def _field_material() -> Any:
    material, graph = Graph.material("Fields")
    point, field = graph.position(), graph.attribute("value")
    crop = graph.ramp(
        field,
        [
            (0.0, (0.10, 0.14, 0.025)),
            (0.22, (0.24, 0.22, 0.05)),
            (0.4, (0.42, 0.30, 0.09)),
            (0.55, (0.13, 0.075, 0.04)),
            (0.7, (0.16, 0.19, 0.03)),
            (0.85, (0.36, 0.22, 0.07)),
            (1.0, (0.07, 0.11, 0.02)),
        ],
    )
    turned = graph.add(
        "ShaderNodeVectorRotate",
        {0: point, "Angle": graph.math("MULTIPLY", field, 9.0)},
        {"rotation_type": "Z_AXIS"},
    ).outputs[0]
    rows = graph.add(
        "ShaderNodeTexWave", {"Vector": turned, "Scale": 0.18, "Distortion": 0.6}
    ).outputs["Fac"]
    crop = graph.mix(
        graph.math("MULTIPLY", rows, 0.45),
        crop,
        graph.mix(1.0, crop, (0.35, 0.33, 0.3), "MULTIPLY"),
    )
    crop = graph.mix(
        graph.math("MULTIPLY", graph.noise(point, 0.35, 8, 0.65), 0.6), crop, (0.10, 0.085, 0.02)
    )
    far = graph.range(graph.add("ShaderNodeSeparateXYZ", {0: point}).outputs["Y"], 1300, 1900)
    woods = graph.ramp(
        graph.noise(point, 0.03, 10, 0.7),
        [(0.3, (0.10, 0.09, 0.02)), (0.5, (0.26, 0.13, 0.02)), (0.7, (0.10, 0.11, 0.03))],
    )
    graph.finish(
        graph.surface(
            graph.mix(far, crop, woods), 0.95, graph.bump(graph.noise(point, 1.5, 6), 0.25)
        )
    )
    return material
