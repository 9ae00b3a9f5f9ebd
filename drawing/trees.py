"""Trees: objects that are strewn, not shown themselves."""

__all__ = ["bark_material", "broadleaf", "conifer", "leaf_material", "needle_material"]

import math
from typing import Any

import numpy as np
from numpy.typing import NDArray

from drawing.meshes import Shape
from drawing.nodes import Graph, Ramp
from drawing.studio import Colour

Array = NDArray[np.float64]


def needle_material(dark: Colour, light: Colour, snow: float = 0.0) -> Any:
    """Conifers' green, from tree to tree from dark to light; ``snow`` is the share that is white."""
    material, graph = Graph.material("Needles")
    colour = graph.mix(graph.chance(), dark, light)
    colour = graph.mix(graph.noise(graph.position(), 1.5), colour, dark)
    if snow:
        patches = graph.math("ADD", graph.upward(), graph.noise(graph.position(), 2.0))
        white = graph.range(patches, 1.45 - snow, 1.55 - snow)
        colour = graph.mix(white, colour, (0.85, 0.88, 0.95))
    graph.finish(graph.surface(colour, 0.75))
    return material


def leaf_material(colours: Ramp, translucency: float = 0.35) -> Any:
    """Leaves that let light through; a plant's colour is drawn from ``colours``."""
    material, graph = Graph.material("Leaves")
    each = graph.math("MULTIPLY", graph.noise(graph.position(), 0.9, 3), 0.5)
    colour = graph.ramp(
        graph.math(
            "ADD", graph.math("MULTIPLY", graph.chance(), 0.75), graph.math("SUBTRACT", each, 0.12)
        ),
        colours,
    )
    through = graph.add("ShaderNodeBsdfTranslucent", {0: colour}).outputs[0]
    graph.finish(graph.blend(translucency, graph.surface(colour, 0.55), through))
    return material


def bark_material(colour: Colour = (0.09, 0.06, 0.04)) -> Any:
    """Bark, furrowed upwards."""
    material, graph = Graph.material("Bark")
    furrows = graph.noise(graph.local((9, 9, 1.6)), 1.0, 8, 0.65)
    shade = tuple(min(1.0, 2.4 * each) for each in colour)
    tone = graph.mix(graph.range(furrows, 0.35, 0.68), colour, shade)
    graph.finish(graph.surface(tone, 0.9, graph.bump(furrows, 0.05)))
    return material


def conifer(seed: int, needles: Any, bark: Any, *, slender: float = 1.0, whorls: int = 26) -> Any:
    """A spruce one metre high: whorls of drooping branches, each a row of sprays."""
    generator = np.random.default_rng(seed)
    shape = Shape([needles, bark])
    shape.tube([(0, 0, 0), (0, 0, 0.5), (0, 0, 1)], (0.016, 0.010, 0.001), 1, 6)
    for t in np.linspace(0.07, 0.985, whorls):
        reach = 0.23 / slender * (1 - t) ** 0.8 + 0.012
        for turn in np.linspace(0, 2 * math.pi, 9, endpoint=False) + generator.uniform(0, 1):
            length = reach * generator.uniform(0.6, 1.15)
            _branch(shape, generator, turn + generator.normal(0, 0.1), t, length)
    return shape.build("Conifer", show=False)


def broadleaf(
    seed: int,
    leaves: Any,
    bark: Any,
    *,
    count: int = 2600,
    leaf: float = 0.028,
    spread: float = 0.30,
    trunk: float = 0.28,
    rooted: bool = True,
) -> Any:
    """A leafy tree about one metre high: boughs that fork, and leaves in clumps around their ends.

    Args:
        seed: Of its growth.
        leaves: Their material.
        bark: The trunk's material.
        count: How many leaves.
        leaf: Half the length of one.
        spread: How far boughs turn away from each other.
        trunk: Its length up to the first fork.
        rooted: Whether the trunk is seen; without, it is the crown of another.
    """
    generator = np.random.default_rng(seed)
    shape = Shape([leaves, bark])
    ends: list[Array] = []
    below = 0 if rooted else 1
    _fork(
        shape, generator, np.zeros(3), np.array([0, 0, 1.0]), trunk, 0.024, 0, ends, spread, below
    )
    tips = np.array(ends)
    centres = tips[generator.integers(0, len(tips), count)]
    offsets = generator.normal(0, 1, (count, 3))
    offsets *= (generator.uniform(0, 1, count) ** 0.4 * 0.085 / np.linalg.norm(offsets, axis=1))[
        :, None
    ]
    _leaves(shape, generator, centres + offsets * (1.2, 1.2, 0.85), leaf)
    return shape.build("Tree", show=False)


def _branch(
    shape: Shape, generator: np.random.Generator, turn: float, t: float, length: float
) -> None:
    way = np.array([math.cos(turn), math.sin(turn), 0])
    side = np.array([-way[1], way[0], 0])
    droop = 0.55 * (1 - t) + 0.05
    for step in np.linspace(0.15, 1.0, 6):
        middle = way * length * step + (0, 0, t + 0.25 * length * step - droop * length * step**2)
        wide = 0.34 * length * (1.15 - step) + 0.006
        fall = 0.4 * wide + generator.uniform(0, 0.01)
        for hand in (-1, 1):
            tip = middle + hand * side * wide + way * 0.5 * wide - (0, 0, fall)
            base = middle - way * 0.16 * length
            shape.add([base, np.add(middle, (0, 0, 0.006)), tip], [(0, 1, 2)])


def _fork(
    shape: Shape,
    generator: np.random.Generator,
    start: Array,
    way: Array,
    length: float,
    radius: float,
    depth: int,
    ends: list[Array],
    spread: float,
    below: int,
) -> None:
    """Grows a bough and those that fork from it; boughs of a depth ``below`` that aren't seen."""
    bend = generator.normal(0, 0.08, 3) * length
    middle, end = start + way * length / 2 + bend, start + way * length
    if depth >= below:
        shape.tube([start, middle, end], (radius, 0.85 * radius, 0.68 * radius), 1, 7)
    if depth >= 2:
        ends.append(end)
    if depth == 4:
        return
    for _ in range(3 if depth < 3 else 2):
        turned = way + generator.normal(0, 1, 3) * (1.7 * spread, 1.7 * spread, 0.9 * spread)
        turned += np.array([0, 0, 0.12])
        turned /= np.linalg.norm(turned)
        _fork(
            shape,
            generator,
            end,
            turned,
            length * generator.uniform(0.62, 0.82),
            0.66 * radius,
            depth + 1,
            ends,
            spread,
            below,
        )


def _leaves(shape: Shape, generator: np.random.Generator, centres: Array, leaf: float) -> None:
    count = len(centres)
    first = generator.normal(0, 1, (count, 3))
    first *= (leaf * generator.uniform(0.6, 1.2, count) / np.linalg.norm(first, axis=1))[:, None]
    second = np.cross(first, generator.normal(0, 1, (count, 3)))
    second *= (0.55 * leaf / (np.linalg.norm(second, axis=1) + 1e-9))[:, None]
    points = np.stack(
        [centres - first, centres + second, centres + first, centres - second], axis=1
    )
    faces = np.arange(4 * count).reshape(count, 4).tolist()
    shape.add(points, faces)
