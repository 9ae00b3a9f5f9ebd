"""Houses in a row along a lane."""

__all__ = ["TownHouse", "town_house"]

from dataclasses import dataclass
from enum import IntEnum
from typing import Any

import numpy as np

from drawing.materials import surface
from drawing.meshes import Shape
from drawing.nodes import Graph
from drawing.studio import Colour
from drawing.undergrowth import stone_material
from drawing.walls import lit_pane, plaster, roof_tiles, window

_SLAB = ((3, 2, 1, 0), (4, 5, 6, 7), (0, 1, 5, 4), (1, 2, 6, 5), (2, 3, 7, 6), (3, 0, 4, 7))


class _Part(IntEnum):
    """What a house's faces are made of, in the order of its materials."""

    WALL = 0
    TILES = 1
    BRIGHT_PANE = 2
    DIM_PANE = 3
    DARK_PANE = 4
    TRIM = 5
    SHUTTER = 6
    BEAM = 7
    STONE = 8
    SHOP_PANE = 9


#: As often as they are there.
_UPPER_PANES = (
    _Part.BRIGHT_PANE,
    _Part.BRIGHT_PANE,
    _Part.DIM_PANE,
    _Part.DARK_PANE,
    _Part.DARK_PANE,
)


@dataclass(frozen=True, kw_only=True)
class TownHouse:
    """A house in a row.

    Attributes:
        width: Of its front, in metres.
        floors: Above the ground floor.
        colour: Of its front.
        gabled: Whether the gable is in front; otherwise the eaves.
        timbered: Whether beams are seen in its front.
        shop: Whether there is one on the ground floor.
        seed: Draws which windows are lit.
    """

    width: float
    floors: int
    colour: Colour
    gabled: bool
    timbered: bool
    shop: bool
    seed: int


def town_house(house: TownHouse, at: tuple[float, float], turn: float) -> None:
    """Builds a house; its front goes from ``at`` along the turned x axis, and faces -y."""
    generator = np.random.default_rng(house.seed)
    beam = surface((0.045, 0.025, 0.016), roughness=0.8)
    shutter = surface(
        [(0.04, 0.10, 0.07), (0.16, 0.035, 0.03), (0.05, 0.08, 0.14), (0.2, 0.17, 0.13)][
            house.seed % 4
        ],
        roughness=0.5,
    )
    panes = [
        lit_pane((1.0, 0.47, 0.12), 1.15),
        lit_pane((1.0, 0.58, 0.24), 0.7),
        surface((0.012, 0.016, 0.025), roughness=0.06),
    ]
    tiles = roof_tiles((0.10, 0.035, 0.022), (0.22, 0.085, 0.05))
    shape = Shape(
        [
            plaster(house.colour),
            tiles,
            *panes,
            surface((0.55, 0.52, 0.47), roughness=0.6),
            shutter,
            beam,
            stone_material(),
            shop_pane(),
        ]
    )
    ground, storey, depth, width = 3.6, 2.9, 9.0, house.width
    eaves = ground + storey * house.floors
    shape.box((0, 0, -0.5), (width, depth, eaves), _Part.WALL)
    shape.box((-0.02, -0.06, -0.5), (width + 0.02, 0.2, 0.7), _Part.STONE)
    top = eaves + (0.62 * width if house.gabled else 3.6)
    _town_roof(shape, house, eaves, top, depth)
    columns = max(2, round(width / 2.1))
    step = width / columns
    for floor in range(house.floors + (1 if house.gabled else 0)):
        low = ground + storey * floor + 0.85
        upper = floor == house.floors
        for column in range(columns):
            middle = (column + 0.5) * step
            if upper and abs(middle - width / 2) > 0.18 * width:
                continue
            pane = int(generator.choice(_UPPER_PANES))
            window(shape, (middle - 0.48, -0.04, low), (0.96, 1.45), pane=pane, frame=_Part.TRIM)
            shape.box((middle - 0.62, -0.16, low - 0.1), (middle + 0.62, 0.0, low), _Part.TRIM)
            if not house.timbered and not upper:
                for side in (-1, 1):
                    left = middle + side * 0.75 - 0.24
                    shape.box((left, -0.09, low), (left + 0.48, -0.02, low + 1.45), _Part.SHUTTER)
        shape.box(
            (-0.03, -0.07, low - 0.98),
            (width + 0.03, 0, low - 0.8),
            _Part.BEAM if house.timbered else _Part.TRIM,
        )
        if house.timbered:
            _beams(shape, columns, step, low - 0.85, storey if not upper else 0.1)
    _ground_floor(shape, house, generator)
    made = shape.build("House", bevel=0.015)
    made.location, made.rotation_euler = (*at, 0), (0, 0, turn)


def _town_roof(shape: Shape, house: TownHouse, eaves: float, top: float, depth: float) -> None:
    width = house.width
    if house.gabled:
        shape.add([(0, 0, eaves), (width, 0, eaves), (width / 2, 0, top)], [(0, 1, 2)], _Part.WALL)
        for x in (-0.35, width + 0.35):
            low = eaves - 0.25
            points = [
                (x, -0.4, low),
                (width / 2, -0.4, top + 0.05),
                (width / 2, depth, top + 0.05),
                (x, depth, low),
            ]
            shape.add([*points, *[(a, b, c + 0.22) for a, b, c in points]], _SLAB, _Part.TILES)
        return
    for y in (-0.5, depth + 0.5):
        low = eaves - 0.2
        points = [
            (-0.05, y, low),
            (-0.05, depth / 2, top),
            (width + 0.05, depth / 2, top),
            (width + 0.05, y, low),
        ]
        shape.add([*points, *[(a, b, c + 0.22) for a, b, c in points]], _SLAB, _Part.TILES)
    shape.box((-0.1, -0.55, eaves - 0.22), (width + 0.1, -0.38, eaves - 0.08), _Part.BEAM)
    middle = width / 2
    shape.box((middle - 0.8, 0.9, eaves), (middle + 0.8, 3.0, eaves + 1.9), _Part.WALL)
    window(
        shape, (middle - 0.45, 0.86, eaves + 0.7), (0.9, 1.0), pane=_Part.DIM_PANE, frame=_Part.TRIM
    )
    peak = [
        (middle - 1, 0.6, eaves + 1.8),
        (middle, 0.6, eaves + 2.6),
        (middle + 1, 0.6, eaves + 1.8),
    ]
    shape.add(
        [*peak, *[(x, 4.2, z) for x, _, z in peak]],
        [(0, 3, 4, 1), (1, 4, 5, 2), (0, 1, 2)],
        _Part.TILES,
    )
    shape.box((0.8, 4.0, top - 1.5), (1.6, 4.8, top + 1.3), _Part.STONE)


def _beams(shape: Shape, columns: int, step: float, low: float, tall: float) -> None:
    for column in range(columns + 1):
        x = column * step
        shape.box((x - 0.09, -0.05, low), (x + 0.09, 0, low + tall), _Part.BEAM)
        if column < columns and tall > 1:
            for side in (-1, 1):
                a = x + step / 2 + side * 0.58
                b = x + step / 2 + side * (step / 2 - 0.05)
                points = [
                    (a, -0.045, low),
                    (a + 0.14 * side, -0.045, low),
                    (b, -0.045, low + 0.8),
                    (b, -0.045, low + 1.0),
                ]
                shape.add(points, [(0, 1, 2, 3)], _Part.BEAM)


def _ground_floor(shape: Shape, house: TownHouse, generator: np.random.Generator) -> None:
    width = house.width
    door = 0.5 if generator.uniform() < 0.5 else width - 1.7
    shape.box((door - 0.12, -0.1, 0), (door + 1.22, 0.05, 2.55), _Part.TRIM)
    shape.box((door, -0.13, 0), (door + 1.1, -0.05, 2.1), _Part.SHUTTER)
    shape.box((door + 0.06, -0.12, 2.15), (door + 1.04, -0.09, 2.45), _Part.DIM_PANE)
    low, high = (1.9, width - 0.4) if door < 1 else (0.4, width - 2.1)
    if house.shop:
        shape.box((low - 0.1, -0.12, 0.5), (high + 0.1, 0.05, 2.75), _Part.BEAM)
        count = max(2, round((high - low) / 1.0))
        for each in range(count):
            left = low + (high - low) * each / count
            shape.box(
                (left + 0.05, -0.14, 0.75),
                (left + (high - low) / count - 0.05, -0.125, 2.6),
                _Part.SHOP_PANE,
            )
        awning = [
            (low - 0.2, -0.1, 3.2),
            (high + 0.2, -0.1, 3.2),
            (high + 0.2, -1.1, 2.75),
            (low - 0.2, -1.1, 2.75),
        ]
        shape.add(awning, [(0, 1, 2, 3)], _Part.SHUTTER)
    else:
        for left in np.arange(low + 0.2, high - 0.9, 1.7):
            pane = int(generator.choice(_UPPER_PANES[1:4]))
            window(shape, (float(left), -0.04, 1.15), (1.0, 1.45), pane=pane, frame=_Part.TRIM)
            shape.box((float(left) - 0.1, -0.2, 1.02), (float(left) + 1.1, 0, 1.1), _Part.TRIM)


def shop_pane() -> Any:
    """A shop's window: shelves of coloured goods in warm light."""
    material, graph = Graph.material("Shop pane")
    goods = graph.cells(graph.local((4.5, 4.5, 5.5)), 1.3, "Color")
    split = graph.add("ShaderNodeSeparateXYZ", {0: graph.local((1, 1, 1 / 0.5))})
    shelf = graph.range(graph.math("PINGPONG", split.outputs["Z"], 0.5), 0.06, 0.10)
    items = graph.mix(0.62, goods, (1.0, 0.62, 0.28))
    tall = graph.range(graph.math("FRACT", split.outputs["Z"]), 0.75, 0.70)
    filled = graph.mix(
        graph.math("MULTIPLY", shelf, tall),
        (0.85, 0.42, 0.14),
        graph.mix(1.0, items, (0.55, 0.42, 0.30), "MULTIPLY"),
    )
    colour = graph.mix(shelf, (0.06, 0.03, 0.015), filled)
    graph.finish(graph.glow(colour, graph.range(split.outputs["Z"], 1.0, 5.4, (0.45, 1.3))))
    return material
