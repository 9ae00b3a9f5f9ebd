"""A scene beside a country road."""

__all__ = ["billboard"]

import math
import random
from typing import Any

from drawing.materials import surface, wood
from drawing.place import Place, square_panel
from drawing.props import group
from drawing.shapes import box, copied, mesh, rod, tube
from drawing.sky import Clouds, daylight
from drawing.studio import Point, camera, new_scene
from drawing.trees import bark_material, broadleaf, leaf_material


def billboard() -> Place:
    """A billboard beside a country road."""
    new_scene(exposure=0.0)
    daylight(
        elevation=34,
        bearing=235,
        strength=0.16,
        shine=3.6,
        shine_colour=(1, 0.9, 0.75),
        clouds=Clouds(scale=1.1, cover=0.5, softness=0.22, offset=4.0),
        dust=2.0,
    )
    camera((0.4, 0, 1.55), (4.6, 18, 3.95), lens=53)
    _land()
    _road()
    steel = surface((0.16, 0.18, 0.19), (0.12, 0.13, 0.14), scale=3, metallic=0.6, roughness=0.5)
    stands = group((6.1, 17.5, 0), (0, 0, 17))
    for x in (-1.5, 1.5):
        box((0.24, 0.3, 4.6), (x, 0.25, 2.3), steel, bevel=0.02).parent = stands
    for z in (3.4, 4.8, 6.3):
        box((4.9, 0.12, 0.12), (0, 0.14, z), steel, bevel=0.01).parent = stands
    box(
        (5.3, 0.16, 4.6), (0, 0, 5.1), surface((0.75, 0.75, 0.73), roughness=0.5), bevel=0.02
    ).parent = stands
    place = square_panel(
        4.9,
        4.2,
        (0, -0.085, 5.1),
        (0, 0, 0),
        surface((0.4, 0.4, 0.4), roughness=0.6),
        parent=stands,
    )
    box((5.2, 0.7, 0.06), (0, -0.45, 2.72), steel, bevel=0.01).parent = stands
    for x in (-2.55, -1.7, -0.85, 0.0, 0.85, 1.7, 2.55):
        rod(0.03, 0.7, (x, -0.78, 3.05), steel).parent = stands
    for z in (3.08, 3.4):
        rod(0.03, 5.2, (0, -0.78, z), steel, turn=(0, 90, 0)).parent = stands
    for x in (-1.6, 0.0, 1.6):
        tube(
            [(x, -0.1, 7.4), (x, -0.5, 7.75), (x, -1.0, 7.78), (x, -1.15, 7.6)], 0.025, steel
        ).parent = stands
        box((0.4, 0.24, 0.1), (x, -1.15, 7.55), steel, bevel=0.03, turn=(-25, 0, 0)).parent = stands
    return place


def _land() -> None:
    generator = random.Random(5)
    meadow = surface((0.07, 0.13, 0.025), (0.19, 0.22, 0.06), scale=0.35, detail=10, roughness=1)
    mesh(
        [(-400, -20, -0.06), (400, -20, -0.06), (400, 600, -0.06), (-400, 600, -0.06)],
        [(0, 1, 2, 3)],
        meadow,
    )
    _hills()
    _grass(generator)
    _trees(generator)


def _hills() -> None:
    for distance, high, colour, phase in (
        (330, 26, (0.12, 0.19, 0.14), 0.0),
        (520, 52, (0.22, 0.31, 0.36), 1.7),
        (590, 80, (0.34, 0.43, 0.52), 4.0),
    ):
        points: list[Point] = []
        for step in range(161):
            x = -400 + 5.0 * step
            ridge = high * (
                0.55
                + 0.25 * math.sin(x / 75 + phase)
                + 0.14 * math.sin(x / 29 + 2 * phase)
                + 0.05 * math.sin(x / 9 + phase)
            )
            points += [(x, distance, -1), (x, distance + high, max(ridge, 1))]
        mesh(
            points,
            [(2 * k, 2 * k + 2, 2 * k + 3, 2 * k + 1) for k in range(160)],
            surface(colour, roughness=1),
            rounded=True,
        )


def _trees(generator: random.Random) -> None:
    green = leaf_material([(0.2, (0.03, 0.085, 0.015)), (0.8, (0.11, 0.19, 0.03))])
    kinds = [broadleaf(seed, green, bark_material(), count=6000, leaf=0.026) for seed in (3, 8, 5)]
    for number, (x, y, high) in enumerate(
        (
            (10.2, 21, 7.5),
            (8.9, 15, 5.4),
            (-9, 48, 7),
            (-14, 56, 9),
            (12, 70, 9),
            (18, 62, 8),
            (-22, 80, 9),
            (3, 120, 9),
            (27, 110, 10),
            (-12, 140, 9),
            (8, 150, 10),
        )
    ):
        copied(kinds[number % 3], (x, y, -0.1), (0, 0, generator.uniform(0, 360)), high)


def _grass(generator: random.Random) -> None:
    vertices: list[Point] = []
    faces = []
    for _ in range(60000):
        y = 4 + 34 * generator.random() ** 1.6
        x = generator.choice((generator.uniform(4.15, 12), generator.uniform(-9, -4.15)))
        heading = generator.uniform(0, math.tau)
        high, wide = generator.uniform(0.08, 0.34), 0.014
        a, b = wide * math.cos(heading), wide * math.sin(heading)
        bend = generator.uniform(-0.12, 0.12)
        first = len(vertices)
        vertices += [(x - a, y - b, -0.06), (x + a, y + b, -0.06), (x + bend, y + bend * 0.7, high)]
        faces.append((first, first + 1, first + 2))
    mesh(
        vertices,
        faces,
        surface((0.1, 0.19, 0.03), (0.3, 0.32, 0.1), scale=0.8, detail=8, roughness=0.7),
    )


def _road() -> None:
    asphalt = surface(
        (0.075, 0.075, 0.078),
        (0.12, 0.12, 0.12),
        scale=2.5,
        detail=10,
        roughness=0.85,
        bump=0.3,
        bump_scale=60,
    )
    gravel = surface(
        (0.3, 0.27, 0.22), (0.18, 0.16, 0.13), scale=12, roughness=1, bump=0.5, bump_scale=40
    )
    paint = surface((0.72, 0.72, 0.7), (0.5, 0.5, 0.5), scale=6, roughness=0.7)

    def strip(x: float, wide: float, y1: float, y2: float, z: float, material: Any) -> None:
        mesh(
            [
                (x - wide / 2, y1, z),
                (x + wide / 2, y1, z),
                (x + wide / 2, y2, z),
                (x - wide / 2, y2, z),
            ],
            [(0, 1, 2, 3)],
            material,
        )

    strip(0, 8.4, -10, 420, -0.04, gravel)
    strip(0, 7.2, -10, 420, -0.02, asphalt)
    for x in (-3.3, 3.3):
        strip(x, 0.14, -10, 420, -0.005, paint)
    for number in range(50):
        strip(0, 0.14, 3 + 8 * number, 6.5 + 8 * number, -0.005, paint)
    zinc = surface((0.5, 0.52, 0.54), metallic=0.9, roughness=0.4)
    for z in (0.52, 0.68):
        box((0.06, 60, 0.12), (-4.1, 32, z), zinc, bevel=0.025)
    post = box((0.08, 0.12, 0.75), (-4.02, 4, 0.35), zinc, bevel=0.01)
    for number in range(1, 26):
        copied(post, (-4.02, 4 + 2.3 * number, 0.35))
    pole = wood((0.3, 0.22, 0.15), (0.18, 0.12, 0.08))
    for number in range(6):
        y = 24 + 24 * number
        rod(0.13, 8.5, (-7.5, y, 4.2), pole)
        box((1.8, 0.1, 0.12), (-7.5, y, 7.9), pole)
    wire = surface((0.02, 0.02, 0.02))
    for x in (-8.3, -6.7):
        for number in range(-1, 5):
            y = 24 + 24 * number
            tube(
                [(x, y + 4.0 * k, 8.0 - 0.7 * (1 - (k / 3 - 1) ** 2)) for k in range(7)],
                0.012,
                wire,
            )
