"""A village's huts, church and fences."""

__all__ = ["church", "fence", "hut"]

import math
from collections.abc import Sequence
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from drawing.materials import surface
from drawing.meshes import Shape
from drawing.nodes import Graph
from drawing.terrain import Height, height_at
from drawing.undergrowth import stone_material
from drawing.walls import lit_pane, plaster, roof_tiles, saddle, window

Array = NDArray[np.float64]

#: What a hut's faces are made of, in the order of its materials.
_LOGS, _SHINGLES, _BASE, _PANE, _TRIM, _SNOW = range(6)
#: The same of a church.
_PLASTER, _ROOF, _LIGHT, _COVER, _CORNICE = range(5)


def hut(
    x: float,
    y: float,
    z: float,
    turn: float = 0.45,
    *,
    lit: bool = False,
    snow: float = 0.0,
    size: float = 1.0,
) -> None:
    """A log hut on a stone base; ``lit`` from inside, ``snow`` metres deep on the roof."""
    wood, graph = Graph.material("Logs")
    boards = graph.noise(graph.local((0.6, 0.6, 7)), 2.0, 6, 0.6)
    graph.finish(graph.surface(graph.mix(boards, (0.07, 0.032, 0.014), (0.24, 0.12, 0.05)), 0.8))
    pane = lit_pane((1.0, 0.50, 0.14), 3.2) if lit else surface((0.01, 0.012, 0.015), roughness=0.1)
    white = surface((0.82, 0.85, 0.92), roughness=0.7)
    tiles = roof_tiles((0.10, 0.085, 0.07), (0.26, 0.23, 0.20))
    shape = Shape(
        [wood, tiles, stone_material(), pane, surface((0.6, 0.55, 0.46), roughness=0.6), white]
    )
    shape.box((-4.2, -3.2, -2), (4.2, 3.2, 0.7), _BASE)
    for row in range(9):
        low, out = 0.7 + 0.3 * row, 0.06 if row % 2 else 0.0
        shape.box((-4 - out, -3 - out, low), (4 + out, 3 + out, low + 0.29), _LOGS)
    for side in (-1, 1):
        shape.add([(side * 4, -3, 3.4), (side * 4, 3, 3.4), (side * 4, 0, 5.4)], [(0, 1, 2)], _LOGS)
    saddle(shape, (5, 4.2), (2.75, 5.6), 0.22, _SHINGLES)
    if snow:
        saddle(shape, (5.1, 4.3), (2.97, 5.85), snow, _SNOW)
    for left in (-2.9, 1.5):
        window(shape, (left, -3.06, 1.5), (1.3, 1.2), pane=_PANE, frame=_TRIM)
    window(shape, (-0.6, -3.06, 0.75), (0.95, 1.9), pane=_LOGS, frame=_TRIM)
    for side in (-1, 1):
        for middle in (-1.6, 1.6):
            shape.box(
                (side * 4.1 - 0.05, middle - 0.65, 1.4),
                (side * 4.1 + 0.05, middle + 0.65, 2.7),
                _TRIM,
            )
            for half in (-0.56, 0.05):
                shape.box(
                    (side * 4.12 - 0.07, middle + half, 1.5),
                    (side * 4.12 + 0.07, middle + half + 0.5, 2.6),
                    _PANE,
                )
        shape.box((side * 4.02 - 0.05, -0.45, 3.5), (side * 4.02 + 0.05, 0.45, 4.3), _PANE)
    shape.box((1.8, -0.5, 4.4), (2.6, 0.4, 6.6), _BASE)
    if snow:
        shape.box((1.75, -0.55, 6.6), (2.65, 0.45, 6.6 + snow), _SNOW)
    made = shape.build("Hut", bevel=0.04)
    made.location, made.rotation_euler, made.scale = (x, y, z + 0.6), (0, 0, turn), (size,) * 3


def church(x: float, y: float, z: float, turn: float, *, snow: float = 0.0) -> None:
    """A village church with a pointed tower and lit windows."""
    pane = lit_pane((1.0, 0.55, 0.18), 4.0)
    roof = roof_tiles((0.06, 0.05, 0.05), (0.16, 0.13, 0.12), snow)
    shape = Shape(
        [
            plaster((0.62, 0.58, 0.52)),
            roof,
            pane,
            surface((0.82, 0.85, 0.92), roughness=0.7),
            surface((0.5, 0.45, 0.4), roughness=0.6),
        ]
    )
    shape.box((-7, -4, -3), (7, 4, 6.5), _PLASTER)
    for side in (-1, 1):
        shape.add(
            [(side * 7, -4, 6.5), (side * 7, 4, 6.5), (side * 7, 0, 10.4)], [(0, 1, 2)], _PLASTER
        )
    saddle(shape, (7.4, 4.6), (5.95, 10.5), 0.2, _ROOF)
    if snow:
        saddle(shape, (7.5, 4.7), (6.15, 10.7), snow, _COVER)
    shape.box((-11.5, -2.3, -3), (-7, 2.3, 13.5), _PLASTER)
    shape.box((-11.8, -2.6, 13.5), (-6.7, 2.6, 13.9), _CORNICE)
    base, tip = (
        [(-11.9, -2.7, 13.9), (-6.6, -2.7, 13.9), (-6.6, 2.7, 13.9), (-11.9, 2.7, 13.9)],
        (-9.25, 0, 25),
    )
    shape.add([*base, tip], [(0, 1, 4), (1, 2, 4), (2, 3, 4), (3, 0, 4)], _COVER if snow else _ROOF)
    for left in (-5, -2, 1, 4):
        window(shape, (left, -4.06, 1.6), (1.1, 3.4), pane=_LIGHT, frame=_CORNICE)
    window(shape, (-9.8, -2.36, 9.6), (1.1, 2.4), pane=_LIGHT, frame=_CORNICE)
    shape.box((-11.56, -0.6, 9.6), (-11.4, 0.6, 12), _LIGHT)
    made = shape.build("Church", bevel=0.05)
    made.location, made.rotation_euler = (x, y, z), (0, 0, turn)


def fence(
    corners: Sequence[tuple[float, float]],
    height: Height,
    *,
    snow: bool = False,
) -> None:
    """Posts and three rails along a line on the ground; with caps of ``snow``."""
    wood, graph = Graph.material("Old wood")
    grain = graph.noise(graph.position((4, 4, 4)), 1.0, 8, 0.7)
    graph.finish(
        graph.surface(
            graph.mix(grain, (0.06, 0.045, 0.035), (0.30, 0.25, 0.20)),
            0.85,
            graph.bump(grain, 0.03),
        )
    )
    shape = Shape([wood, surface((0.82, 0.85, 0.92), roughness=0.7)])
    generator = np.random.default_rng(len(corners))
    tops: list[Array] = []
    for (x0, y0), (x1, y1) in pairwise(corners):
        for t in np.arange(0, 1, 2.4 / math.hypot(x1 - x0, y1 - y0)):
            x, y = x0 + (x1 - x0) * t, y0 + (y1 - y0) * t
            ground = height_at(height, x, y)
            tops.append(np.array([x, y, ground]))
            lean = generator.normal(0, 0.04, 2)
            shape.tube(
                [(x, y, ground - 0.3), (x + lean[0], y + lean[1], ground + 1.35)],
                (0.085, 0.075),
                0,
                8,
            )
            if snow:
                cap = np.array([x + lean[0], y + lean[1], ground + 1.33])
                shape.turn(
                    [0.11, 0.13, 0.10, 0.0], [0.0, 0.05, 0.12, 0.16], 1, sides=10, at=tuple(cap)
                )
    for first, second in pairwise(tops):
        for rail in (0.4, 0.8, 1.18):
            wobble = generator.normal(0, 0.03, 2)
            shape.tube(
                [
                    np.add(first, (0, -0.09, rail + wobble[0])),
                    np.add(second, (0, -0.09, rail + wobble[1])),
                ],
                (0.055, 0.05),
                0,
                6,
            )
        if snow:
            shape.tube(
                [
                    np.add(first, (0, -0.09, 1.26)),
                    (first + second) / 2 + (0, -0.09, 1.28),
                    np.add(second, (0, -0.09, 1.26)),
                ],
                [0.06] * 3,
                1,
                8,
            )
    shape.build("Fence", smooth=True)
