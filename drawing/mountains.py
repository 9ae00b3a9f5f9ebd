"""What mountains are made of."""

__all__ = ["mountain_material"]

from typing import Any

from drawing.nodes import Graph
from drawing.studio import Colour


def mountain_material(grass: Colour = (0.05, 0.075, 0.018)) -> Any:
    """Grass below, rock where it is steep, snow above about 500 m."""
    material, graph = Graph.material("Mountain")
    point, steep = graph.position(), graph.upward()
    coarse, fine = graph.noise(point, 0.02, 12, 0.62), graph.noise(point, 0.9, 8, 0.65)
    rock = graph.ramp(
        coarse, [(0.3, (0.07, 0.065, 0.062)), (0.5, (0.19, 0.175, 0.16)), (0.7, (0.33, 0.31, 0.29))]
    )
    dark = tuple(0.5 * each for each in grass)
    green = graph.mix(fine, dark, grass)
    green = graph.mix(graph.range(coarse, 0.42, 0.62), green, (0.12, 0.10, 0.035))
    flat = graph.math(
        "ADD", steep, graph.math("MULTIPLY", graph.math("SUBTRACT", coarse, 0.5), 0.5)
    )
    high = graph.math("ADD", graph.height(), graph.math("MULTIPLY", coarse, 260))
    low = graph.math("MULTIPLY", graph.range(flat, 0.62, 0.80), graph.range(high, 480, 360))
    colour = graph.mix(low, rock, green)
    snow = graph.math("MULTIPLY", graph.range(high, 470, 600), graph.range(flat, 0.50, 0.66))
    colour = graph.mix(snow, colour, (0.84, 0.87, 0.93))
    graph.finish(
        graph.surface(colour, 0.9, graph.bump(graph.noise(point, 0.06, 12, 0.7), 9.0, 0.8))
    )
    return material
