"""Dunes in a low sun."""

__all__ = ["desert_dunes"]

import math
from typing import Any

import numpy as np
from numpy.typing import NDArray

from drawing.meshes import scatter, surface_grid
from drawing.nodes import Graph
from drawing.noise import fractal
from drawing.outdoors import add_haze
from drawing.sky import Clouds, daylight
from drawing.studio import camera, new_scene
from drawing.terrain import fan, on_land, smooth_step
from drawing.trees import leaf_material
from drawing.undergrowth import tuft

Array = NDArray[np.float64]


def desert_dunes() -> None:
    """Dunes with sharp crests in a low sun."""
    new_scene(exposure=0.35, look="AgX - High Contrast")
    camera((0, 0, 5.2), (1.5, 40, 5.0), lens=30)
    generator = np.random.default_rng(3)
    clouds = Clouds(
        scale=0.5, cover=0.30, softness=0.4, stretch=3.0, offset=4.0, lit=(1.0, 0.86, 0.72)
    )
    daylight(
        elevation=11,
        bearing=-82,
        strength=0.10,
        shine=5.5,
        shine_colour=(1.0, 0.72, 0.42),
        clouds=clouds,
        dust=3,
    )
    surface_grid("Sand", fan(1.2, 2600, 46, 700, 700, _dunes), _sand_material())
    dry = leaf_material(
        [(0.1, (0.16, 0.12, 0.04)), (0.5, (0.26, 0.20, 0.08)), (0.9, (0.12, 0.14, 0.05))], 0.2
    )
    tufts = [tuft(seed, dry, height=0.5, blades=45, lean=1.2) for seed in range(4)]
    places = on_land(generator, 1500, (5, 90), 44, _dunes)
    grown = fractal(places[:, 0] / 9, places[:, 1] / 9, 81, 2) > 0.26
    places = places[grown]
    scatter("Grass", tufts, places, generator.uniform(0.5, 1.4, len(places)), generator, 0.2)
    add_haze((0.80, 0.62, 0.48), 2300)


def _dunes(x: Array, y: Array) -> Array:
    warp = 14 * fractal(x / 90, y / 90, 5, 3)
    far = np.zeros(np.broadcast(x, y).shape)
    for seed, (length, tall, turn) in enumerate([(150, 24, 0.35), (95, 11, -0.5)]):
        across = x * math.cos(turn) + y * math.sin(turn) + 2.2 * warp
        phase = (across / length + 0.4 * seed + 0.35 * fractal(x / 260, y / 260, 15 + seed, 2)) % 1
        rise = np.where(phase < 0.72, phase / 0.72, (1 - phase) / 0.28)
        far += tall * (rise**1.25) * (0.75 + 0.9 * fractal(x / 300, y / 300, 25 + seed, 2))
    # The dune on which the camera stands: its crest winds away from it.
    crest = 1.0 + 7 * np.sin(y / 26) * smooth_step(y, 4, 30) + 0.15 * y
    top = 3.2 + 5.5 * smooth_step(y, 20, 95)
    flank = np.where(x < crest, 0.20 * (crest - x) ** 1.08, 0.60 * (x - crest))
    near = top - np.where(x < crest, 0.20 * np.abs(crest - x) ** 1.08, flank)
    share = smooth_step(y, 70, 190)
    return (
        np.maximum(near, far * 0.35 - 4) * (1 - share)
        + far * share
        + 0.02 * np.clip(y - 150, 0, 900)
    )


def _sand_material() -> Any:
    material, graph = Graph.material("Sand")
    point = graph.position()
    bent = graph.noise(graph.position((0.12, 0.12, 0.12)), 1.0, 3)
    shifted = graph.add(
        "ShaderNodeVectorMath", {0: point, 1: graph.mix(bent, (0, 0, 0), (7, 7, 7))}
    ).outputs[0]
    ripples = graph.add(
        "ShaderNodeTexWave",
        {"Vector": shifted, "Scale": 0.9, "Distortion": 2.5, "Detail": 2.0, "Detail Scale": 0.8},
        {"bands_direction": "DIAGONAL"},
    ).outputs["Fac"]
    grain = graph.noise(point, 40, 3)
    colour = graph.mix(graph.noise(point, 0.05, 6), (0.44, 0.22, 0.085), (0.58, 0.33, 0.15))
    colour = graph.mix(graph.math("MULTIPLY", ripples, 0.35), colour, (0.30, 0.13, 0.05))
    relief = graph.math("ADD", ripples, graph.math("MULTIPLY", grain, 0.3))
    graph.finish(graph.surface(colour, 0.95, graph.bump(relief, 0.10)))
    return material
