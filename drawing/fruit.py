"""Fruit and vegetables of real size: objects that are strewn, not shown themselves."""

__all__ = ["FRUIT"]

import math
from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from drawing.meshes import Shape
from drawing.nodes import Graph, Inputs
from drawing.studio import Colour


def _apple(
    seed: int, first: Colour = (0.42, 0.012, 0.012), second: Colour = (0.62, 0.30, 0.04)
) -> Any:
    shape = Shape([_skin(first, second, 0.28), _skin((0.05, 0.03, 0.02), (0.1, 0.06, 0.03), 0.8)])
    radii, heights = _turned(0.039, 0.92, 0.42)
    shape.turn(radii, heights, 0, lobes=5, depth=0.03)
    shape.tube(
        [(0, 0, 0.018), (0.004, 0, 0.034), (0.01, 0.002, 0.046)], (0.0014, 0.0012, 0.0018), 1, 6
    )
    return shape.build(f"Apple {seed}", smooth=True, show=False)


def _apple_green(seed: int) -> Any:
    return _apple(seed, (0.26, 0.38, 0.03), (0.50, 0.52, 0.08))


def _potato(seed: int) -> Any:
    return _round(seed, _skin((0.24, 0.14, 0.06), (0.46, 0.32, 0.16), 0.75, scale=45), 0.037, 0.8)


def _plum(seed: int) -> Any:
    return _round(seed, _skin((0.035, 0.010, 0.06), (0.14, 0.03, 0.10), 0.4, scale=25), 0.029, 1.15)


def _lime(seed: int) -> Any:
    return _round(seed, _skin((0.07, 0.20, 0.012), (0.20, 0.34, 0.03), 0.3, pores=1), 0.033, 1.1)


def _tomato(seed: int) -> Any:
    shape = Shape([_skin((0.50, 0.012, 0.008), (0.62, 0.05, 0.012), 0.16), _leafy()])
    radii, heights = _turned(0.038, 0.80, 0.22)
    shape.turn(radii, heights, 0, sides=30, lobes=6, depth=0.05)
    for angle in np.arange(0, 2 * math.pi, 2 * math.pi / 6):
        out = np.array([math.cos(angle), math.sin(angle), 0])
        side = np.array([-out[1], out[0], 0]) * 0.0035
        lift = np.array([0, 0, 0.026])
        shape.add(
            [
                lift,
                out * 0.010 + side + lift,
                out * 0.024 + lift + (0, 0, 0.002),
                out * 0.010 - side + lift,
            ],
            [(0, 1, 2, 3)],
            1,
        )
    shape.tube([(0, 0, 0.022), (0.002, 0, 0.036)], (0.002, 0.0022), 1, 6)
    return shape.build(f"Tomato {seed}", smooth=True, show=False)


def _orange(seed: int) -> Any:
    shape = Shape([_skin((0.72, 0.20, 0.008), (0.80, 0.30, 0.015), 0.38, pores=1), _leafy()])
    radii, heights = _turned(0.040, 0.95, 0.06)
    shape.turn(radii, heights, 0)
    shape.turn([0.004, 0.003, 0.0], [0.0355, 0.037, 0.0375], 1, sides=6)
    return shape.build(f"Orange {seed}", smooth=True, show=False)


def _lemon(seed: int) -> Any:
    t = np.linspace(0, 1, 17)
    radii = 0.030 * np.sin(math.pi * t) ** 0.62 * (0.35 + 0.65 * np.sin(math.pi * t))
    shape = Shape([_skin((0.78, 0.52, 0.015), (0.82, 0.62, 0.05), 0.35, pores=1)])
    shape.turn((radii + 1e-5).tolist(), ((t - 0.5) * 0.095).tolist(), 0)
    return shape.build(f"Lemon {seed}", smooth=True, show=False)


def _aubergine(seed: int) -> Any:
    shape = Shape([_skin((0.012, 0.002, 0.014), (0.05, 0.008, 0.05), 0.12), _leafy()])
    path = [(0.10 * t, 0.02 * math.sin(2 * t), 0) for t in np.linspace(-1, 1, 12)]
    shape.tube(
        path,
        [0.004, 0.030, 0.040, 0.044, 0.043, 0.039, 0.034, 0.030, 0.027, 0.024, 0.020, 0.012],
        0,
        18,
    )
    shape.tube(
        [(0.075, 0.017, 0), (0.10, 0.02, 0), (0.13, 0.022, 0.004)], (0.025, 0.014, 0.006), 1, 9
    )
    return shape.build(f"Aubergine {seed}", smooth=True, show=False)


def _pepper(seed: int) -> Any:
    colours: list[tuple[Colour, Colour]] = [
        ((0.50, 0.01, 0.008), (0.58, 0.03, 0.01)),
        ((0.75, 0.42, 0.01), (0.8, 0.5, 0.02)),
        ((0.04, 0.16, 0.015), (0.10, 0.26, 0.03)),
    ]
    shape = Shape([_skin(*colours[seed % 3], 0.12), _leafy()])
    t = np.linspace(0, 1, 15)
    radii = 0.043 * (np.sin(math.pi * t**0.8) ** 0.45) * (0.72 + 0.28 * t)
    shape.turn(
        (radii + 1e-5).tolist(),
        (0.105 * (t - 0.5) - 0.016 * np.exp(-(((1 - t) / 0.08) ** 2))).tolist(),
        0,
        sides=36,
        lobes=4,
        depth=0.16,
    )
    shape.tube([(0, 0, 0.03), (0.004, 0, 0.05), (0.012, 0, 0.068)], (0.010, 0.006, 0.006), 1, 7)
    return shape.build(f"Pepper {seed}", smooth=True, show=False)


def _carrot(seed: int) -> Any:
    shape = Shape([_skin((0.66, 0.16, 0.012), (0.72, 0.22, 0.02), 0.5, scale=40), _leafy()])
    generator = np.random.default_rng(seed)
    path = [(0.0, -0.10 * t, 0.004 * math.sin(4 * t)) for t in np.linspace(-1, 1.2, 10)]
    shape.tube(
        path, [0.012, 0.0185, 0.0185, 0.017, 0.0155, 0.014, 0.012, 0.009, 0.006, 0.001], 0, 12
    )
    for _ in range(9):
        drift = generator.normal(0, 0.022, 2)
        shape.tube(
            [
                (0, 0.10, 0),
                (drift[0], 0.15, drift[1] + 0.01),
                (2.5 * drift[0], 0.20, 2 * drift[1] + 0.012),
            ],
            (0.003, 0.002, 0.001),
            1,
            5,
        )
    return shape.build(f"Carrot {seed}", smooth=True, show=False)


def _onion(seed: int) -> Any:
    shape = Shape([_skin((0.42, 0.17, 0.04), (0.60, 0.32, 0.10), 0.35, scale=30)])
    t = np.linspace(-math.pi / 2, math.pi / 2, 15)
    heights = 0.034 * np.sin(t) + 0.030 * np.exp(-(((t - math.pi / 2) / 0.22) ** 2))
    shape.turn(
        (0.037 * np.cos(t) ** 0.9 + 0.002).tolist(), heights.tolist(), 0, lobes=9, depth=0.02
    )
    return shape.build(f"Onion {seed}", smooth=True, show=False)


def _beet(seed: int) -> Any:
    shape = Shape([_skin((0.10, 0.008, 0.03), (0.24, 0.03, 0.08), 0.5, scale=30), _leafy()])
    t = np.linspace(-math.pi / 2, math.pi / 2, 15)
    heights = 0.034 * np.sin(t) - 0.030 * np.exp(-(((t + math.pi / 2) / 0.2) ** 2))
    shape.turn((0.037 * np.cos(t) + 0.001).tolist(), heights.tolist(), 0)
    for angle in (0.3, 1.9, 3.3, 4.6):
        shape.tube(
            [(0, 0, 0.03), (0.012 * math.cos(angle), 0.012 * math.sin(angle), 0.065)],
            (0.004, 0.003),
            1,
            6,
        )
    return shape.build(f"Beet {seed}", smooth=True, show=False)


def _pumpkin(seed: int) -> Any:
    shape = Shape(
        [
            _skin((0.62, 0.17, 0.012), (0.70, 0.28, 0.03), 0.4),
            _skin((0.16, 0.14, 0.05), (0.24, 0.2, 0.08), 0.8),
        ]
    )
    radii, heights = _turned(0.098, 0.68, 0.30, 21)
    shape.turn(radii, heights, 0, sides=90, lobes=10, depth=0.13)
    shape.tube([(0, 0, 0.04), (0.004, 0, 0.07), (0.018, 0.004, 0.10)], (0.014, 0.009, 0.011), 1, 7)
    return shape.build(f"Pumpkin {seed}", smooth=True, show=False)


def _cabbage(seed: int) -> Any:
    generator = np.random.default_rng(seed)
    shape = Shape([_skin((0.16, 0.27, 0.05), (0.42, 0.52, 0.18), 0.5, scale=9)])
    radii, heights = _turned(0.062, 0.9, 0.0)
    shape.turn(radii, heights, 0)
    for leaf in range(15):
        turn, reach = 2.4 * leaf, 0.066 + 0.0022 * leaf
        grid = []
        for up in np.linspace(-1.25, 0.55 - 0.028 * leaf, 9):
            for across in np.linspace(-0.85, 0.85, 11):
                curl = reach * (
                    1
                    + 0.10 * max(0.0, up + 0.2) ** 2 * (1 + leaf / 8)
                    + 0.03 * math.sin(9 * across + leaf) * max(0.0, up + 0.9)
                )
                narrow = across * math.cos(0.55 * up)
                angle = turn + narrow
                grid.append(
                    (
                        curl * math.cos(up) * math.cos(angle),
                        curl * math.cos(up) * math.sin(angle),
                        curl * math.sin(up) + generator.normal(0, 0.0008),
                    )
                )
        faces = [
            (a * 11 + b, a * 11 + b + 1, a * 11 + b + 12, a * 11 + b + 11)
            for a in range(8)
            for b in range(10)
        ]
        shape.add(grid, faces, 0)
    return shape.build(f"Cabbage {seed}", smooth=True, show=False)


def _round(seed: int, skin: Any, radius: float, squash: float) -> Any:
    """A roundish fruit without a stalk."""
    shape = Shape([skin])
    radii, heights = _turned(radius, squash, 0.12)
    shape.turn(radii, heights, 0, lobes=3, depth=0.06)
    return shape.build(f"Fruit {seed}", smooth=True, show=False)


def _skin(
    first: Colour, second: Colour, roughness: float, *, scale: float = 14, pores: float = 0.0
) -> Any:
    """A fruit's skin, from one to the other of two colours, in patches and from fruit to fruit."""
    material, graph = Graph.material("Skin")
    share = graph.math(
        "ADD",
        graph.math("MULTIPLY", graph.noise(graph.local(), scale, 5), 1.1),
        graph.math("SUBTRACT", graph.chance(), 0.55),
    )
    colour = graph.mix(graph.range(share, 0.15, 0.95), first, second)
    normal = graph.bump(graph.noise(graph.local(), 330, 2), 0.0012 * pores) if pores else None
    more: Inputs = {
        "Subsurface Weight": 0.15,
        "Subsurface Scale": 0.02,
        "Coat Weight": 0.3 if roughness < 0.4 else 0.0,
    }
    graph.finish(graph.surface(colour, roughness, normal, more))
    return material


def _leafy() -> Any:
    """The green of stalks and calyces."""
    return _skin((0.05, 0.14, 0.02), (0.14, 0.24, 0.04), 0.6)


def _turned(
    radius: float, squash: float, dimple: float, rows: int = 15
) -> tuple[list[float], list[float]]:
    """The outline of a ball with a dimple at either end."""
    radii, heights = [], []
    for t in np.linspace(-math.pi / 2, math.pi / 2, rows):
        radii.append(radius * math.cos(t))
        heights.append(
            radius * squash * math.sin(t) * (1 - dimple * math.exp(-((math.cos(t) / 0.33) ** 2)))
        )
    return radii, heights


#: What makes each kind, from a seed that only some need.
FRUIT: Mapping[str, Callable[[int], Any]] = {
    "apple": _apple,
    "green apple": _apple_green,
    "potato": _potato,
    "plum": _plum,
    "lime": _lime,
    "tomato": _tomato,
    "orange": _orange,
    "lemon": _lemon,
    "aubergine": _aubergine,
    "pepper": _pepper,
    "carrot": _carrot,
    "onion": _onion,
    "beet": _beet,
    "pumpkin": _pumpkin,
    "cabbage": _cabbage,
}
