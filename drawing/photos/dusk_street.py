"""A lane in an old town, at dusk."""

__all__ = ["dusk_street"]

import math
from typing import Any

import numpy as np

from drawing.brackets import shop_sign, wall_lamp
from drawing.materials import glowing, surface
from drawing.meshes import Shape, scatter, surface_grid
from drawing.nodes import Graph
from drawing.noise import fractal
from drawing.outdoors import add_haze, bloom
from drawing.sky import Clouds, daylight
from drawing.studio import Colour, camera, new_scene
from drawing.terrain import fan
from drawing.town_house import TownHouse, town_house
from drawing.trees import bark_material, broadleaf, leaf_material


def dusk_street() -> None:
    """A lane in an old town after rain: lit windows, lanterns, cobbles that shine."""
    new_scene(exposure=0.9)
    camera((1.5, 0, 1.7), (-1.5, 30, 4.2), lens=25)
    clouds = Clouds(
        scale=0.6,
        cover=0.5,
        softness=0.3,
        lit=(0.42, 0.24, 0.26),
        shaded=(0.10, 0.12, 0.22),
        offset=6.0,
    )
    daylight(
        elevation=3,
        bearing=20,
        shine=0,
        clouds=clouds,
        backdrop=((0.66, 0.34, 0.26), (0.045, 0.09, 0.26)),
    )
    generator = np.random.default_rng(31)
    colours: list[Colour] = [
        (0.55, 0.38, 0.20),
        (0.50, 0.20, 0.13),
        (0.30, 0.38, 0.34),
        (0.60, 0.52, 0.40),
        (0.26, 0.31, 0.42),
        (0.58, 0.30, 0.22),
    ]
    for side in (-1, 1):
        y, number = 1.0, 0
        while y < 75:
            width = float(generator.uniform(5.2, 7.6))
            house = TownHouse(
                width=width,
                floors=int(generator.integers(2, 4)),
                colour=colours[int(generator.integers(0, len(colours)))],
                gabled=bool(generator.uniform() < 0.5),
                timbered=bool(generator.uniform() < 0.4),
                shop=bool(generator.uniform() < 0.55),
                seed=100 + 10 * number + side,
            )
            bend = _bend(y)
            slope = math.atan2(_bend(y + width) - bend, width)
            if side < 0:
                # The front faces -y of its own: turned by 90°, it faces +x, and goes along +y.
                town_house(house, (bend - 5, y), math.pi / 2 - slope)
            else:
                town_house(house, (_bend(y + width) + 5, y + width), -math.pi / 2 - slope)
            if number % 2 == (side > 0):
                wall_lamp(bend + side * 5.0, y + 0.1, 3.7, -side, watts=70)
            if house.shop:
                shop_sign(bend + side * 5.0, y + 0.5 * width, 3.5, -side, colours[number % 3])
            y, number = y + width, number + 1
    end = TownHouse(
        width=9, floors=3, colour=(0.55, 0.45, 0.3), gabled=True, timbered=True, shop=True, seed=9
    )
    town_house(end, (_bend(76) - 5, 78), 0.0)
    street = fan(0.5, 90, 60, 200, 200, lambda x, y: 0.05 * fractal(x / 3, y / 3, 2, 3))
    surface_grid("Street", street, _cobbles())
    _garlands()
    _planters()
    add_haze((0.20, 0.19, 0.26), 220)
    bloom(0.28)


def _bend(y: float) -> float:
    """How far the lane has turned to the right."""
    return 0.0011 * max(y - 8, 0.0) ** 2


def _cobbles() -> Any:
    material, graph = Graph.material("Cobbles")
    point = graph.position()
    joints = graph.range(graph.cracks(point, 8.0), 0.0, 0.14)
    tone = graph.add("ShaderNodeSeparateColor", {0: graph.cells(point, 8.0, "Color")}).outputs[0]
    stones = graph.mix(tone, (0.035, 0.033, 0.035), (0.13, 0.12, 0.115))
    colour = graph.mix(joints, (0.012, 0.011, 0.010), stones)
    wet = graph.range(graph.noise(point, 0.55, 5), 0.42, 0.60, (0.42, 0.07))
    graph.finish(graph.surface(colour, wet, graph.bump(joints, 0.022)))
    return material


def _garlands() -> None:
    """Bulbs on cords across the lane."""
    cord = surface((0.01, 0.01, 0.01), roughness=0.6)
    bulb = glowing((1.0, 0.66, 0.30), 14.0)
    shape = Shape([cord, bulb])
    for y in (9, 16, 24, 33, 43):
        t = np.linspace(-1, 1, 19)
        path = np.column_stack([_bend(y) + 5 * t, np.full(19, float(y)), 5.6 + 1.0 * t**2])
        shape.tube(path, [0.012] * 19, 0, 4)
        for point in path[1:-1]:
            shape.turn(
                [0.0, 0.05, 0.06, 0.03], [-0.2, -0.17, -0.11, -0.03], 1, sides=8, at=tuple(point)
            )
    shape.build("Garlands")


def _planters() -> None:
    """Clipped bushes in tubs along the walls."""
    generator = np.random.default_rng(3)
    leaves = leaf_material(
        [(0.1, (0.02, 0.06, 0.01)), (0.5, (0.05, 0.11, 0.02)), (0.9, (0.35, 0.03, 0.04))]
    )
    bushes = [
        broadleaf(seed, leaves, bark_material(), count=1600, trunk=0.18, leaf=0.03)
        for seed in range(2)
    ]
    tubs = Shape([surface((0.20, 0.07, 0.035), roughness=0.6)])
    places = []
    for y in np.arange(5.0, 60.0, 4.3):
        for side in (-1, 1):
            x, z = _bend(y) + side * 4.3, 0.05
            tubs.turn(
                [0.20, 0.29, 0.31, 0.27, 0.0],
                [z, z + 0.5, z + 0.55, z + 0.5, z + 0.45],
                0,
                at=(x, y, 0),
            )
            places.append((x, y, 0.45))
    tubs.build("Tubs", smooth=True)
    scatter(
        "Bushes",
        bushes,
        np.array(places),
        generator.uniform(0.9, 1.3, len(places)),
        generator,
        0.05,
    )
