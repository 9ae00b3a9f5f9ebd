"""Walls, windows and roofs: what houses are made of."""

__all__ = ["lit_pane", "plaster", "roof_tiles", "saddle", "window"]

from typing import Any

from drawing.meshes import Shape
from drawing.nodes import Graph
from drawing.studio import Colour


def lit_pane(colour: Colour, strength: float) -> Any:
    """A window behind which there is light: brighter below the lamp, curtains at random."""
    material, graph = Graph.material("Lit pane")
    uneven = graph.range(graph.noise(graph.local((1.3, 1.3, 0.5)), 1.2, 3), 0.3, 0.7, (0.35, 1.3))
    graph.finish(graph.glow(colour, graph.math("MULTIPLY", uneven, strength)))
    return material


def plaster(colour: Colour) -> Any:
    """A painted wall with stains."""
    material, graph = Graph.material("Plaster")
    stains = graph.noise(graph.position((1, 1, 0.35)), 0.8, 9, 0.65)
    dark = tuple(0.55 * each for each in colour)
    tone = graph.mix(graph.range(stains, 0.3, 0.65), dark, colour)
    graph.finish(graph.surface(tone, 0.9, graph.bump(graph.noise(graph.position(), 9, 6), 0.02)))
    return material


def roof_tiles(dark: Colour, light: Colour, snow: float = 0.0) -> Any:
    """Rows of tiles or shingles; ``snow`` is the share of them that is white."""
    material, graph = Graph.material("Tiles")
    rows = graph.add(
        "ShaderNodeSeparateColor", {0: graph.cells(graph.local((3, 3, 4)), 1.4, "Color")}
    )
    tone = graph.mix(rows.outputs[0], dark, light)
    if snow:
        patch = graph.range(graph.noise(graph.local(), 0.8, 6), 0.6 - 0.5 * snow, 0.66 - 0.5 * snow)
        tone = graph.mix(patch, tone, (0.8, 0.84, 0.92))
    waves = graph.add(
        "ShaderNodeTexWave", {"Vector": graph.local(), "Scale": 1.1}, {"bands_direction": "Z"}
    )
    graph.finish(graph.surface(tone, 0.8, graph.bump(waves.outputs["Fac"], 0.06)))
    return material


def saddle(
    shape: Shape,
    half: tuple[float, float],
    heights: tuple[float, float],
    thick: float,
    material: int,
) -> None:
    """A saddle roof around the origin, its ridge along x."""
    (a, b), (low, high) = half, heights
    below = [(-a, -b, low), (a, -b, low), (a, 0, high), (-a, 0, high), (-a, b, low), (a, b, low)]
    above = [(x, y, z + thick) for x, y, z in below]
    faces = [(0, 3, 2, 1), (3, 4, 5, 2), (6, 7, 8, 9), (9, 8, 11, 10)]
    faces += [
        (0, 1, 7, 6),
        (5, 4, 10, 11),
        (3, 0, 6, 9),
        (4, 3, 9, 10),
        (1, 2, 8, 7),
        (2, 5, 11, 8),
    ]
    shape.add([*below, *above], faces, material)


def window(
    shape: Shape,
    corner: tuple[float, float, float],
    size: tuple[float, float],
    *,
    pane: int,
    frame: int,
) -> None:
    """A window in a wall that faces -y, with a cross in it; ``corner`` is its lower left one."""
    (x, y, z), (width, height) = corner, size
    shape.box((x - 0.08, y - 0.06, z - 0.08), (x + width + 0.08, y + 0.1, z + height + 0.08), frame)
    half, high = width / 2, 0.64 * height
    for left, low, right, top in (
        (0.03, 0.03, half - 0.03, high - 0.03),
        (half + 0.03, 0.03, width - 0.03, high - 0.03),
        (0.03, high + 0.03, half - 0.03, height - 0.03),
        (half + 0.03, high + 0.03, width - 0.03, height - 0.03),
    ):
        shape.box((x + left, y - 0.07, z + low), (x + right, y - 0.062, z + top), pane)
