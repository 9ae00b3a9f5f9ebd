"""A meadow in flower, with a hut and mountains behind it."""

__all__ = ["alpine_meadow"]

import numpy as np
from numpy.typing import NDArray

from drawing.materials import surface
from drawing.meshes import scatter, surface_grid
from drawing.mountains import mountain_material
from drawing.noise import fractal, ridged
from drawing.outdoors import add_haze
from drawing.sky import Clouds, daylight
from drawing.studio import camera, new_scene
from drawing.terrain import fan, on_land, smooth_step
from drawing.trees import bark_material, conifer, leaf_material, needle_material
from drawing.undergrowth import flower, tuft
from drawing.village import hut

Array = NDArray[np.float64]


def alpine_meadow() -> None:
    """Flowers close by, a wooden hut, spruces and mountains behind."""
    new_scene(exposure=0.1)
    camera((0, 0, 0.95), (0, 30, 2.6), lens=30, aperture=11, focus=(0, 6, 0.4))
    generator = np.random.default_rng(5)
    clouds = Clouds(scale=0.7, cover=0.42, softness=0.16, offset=7.1)
    daylight(elevation=46, bearing=-120, strength=0.10, shine=4.0, clouds=clouds)
    surface_grid(
        "Land",
        fan(0.7, 4200, 44, 560, 560, _meadow_land),
        mountain_material(grass=(0.055, 0.11, 0.018)),
    )
    bark = bark_material()
    needles = needle_material((0.010, 0.030, 0.010), (0.03, 0.06, 0.02))
    trees = [conifer(seed, needles, bark) for seed in range(4)]
    places = on_land(generator, 9000, (90, 900), 42, _meadow_land)
    wood = fractal(places[:, 0] / 90, places[:, 1] / 90, 33, 3)
    places = places[(wood > 0.02) & (np.abs(places[:, 0] - 16) > 9)][:2600]
    scatter("Wood", trees, places, generator.uniform(9, 22, len(places)), generator, 0.03)
    blades = leaf_material(
        [(0.1, (0.05, 0.13, 0.012)), (0.5, (0.10, 0.21, 0.02)), (0.9, (0.21, 0.27, 0.05))]
    )
    tufts = [tuft(seed, blades, height=0.34) for seed in range(5)]
    grass = np.concatenate(
        [
            on_land(generator, 15000, (0.8, 14), 44, _meadow_land),
            on_land(generator, 9000, (10, 60), 44, _meadow_land),
        ]
    )
    scatter("Grass", tufts, grass, generator.uniform(0.6, 1.3, len(grass)), generator, 0.15)
    stem, heart = (
        surface((0.08, 0.16, 0.03), roughness=0.6),
        surface((0.75, 0.42, 0.02), roughness=0.6),
    )
    for seed, (colour, count, radius, petals) in enumerate(
        [
            ((0.85, 0.83, 0.80), 900, 0.038, 13),
            ((0.80, 0.52, 0.015), 800, 0.030, 6),
            ((0.42, 0.05, 0.35), 650, 0.035, 8),
            ((0.10, 0.11, 0.62), 550, 0.032, 6),
            ((0.70, 0.04, 0.03), 350, 0.043, 5),
        ]
    ):
        kinds = [
            flower(
                10 * seed + each,
                surface(colour, roughness=0.6),
                heart,
                stem,
                height=0.38,
                radius=radius,
                count=petals,
            )
            for each in range(3)
        ]
        places = np.concatenate(
            [
                on_land(generator, count, (0.9, 9), 42, _meadow_land),
                on_land(generator, 2 * count, (7, 40), 42, _meadow_land),
            ]
        )
        clumps = fractal(places[:, 0] / 2.5, places[:, 1] / 2.5, 50 + seed, 2)
        places = places[clumps > -0.08]
        scatter("Flowers", kinds, places, generator.uniform(0.7, 1.25, len(places)), generator, 0.2)
    hut(16, 62, float(_meadow_land(np.array([16.0]), np.array([62.0]))[0]))
    add_haze((0.42, 0.55, 0.74), 5200)


def _meadow_land(x: Array, y: Array) -> Array:
    near = 0.35 * fractal(x / 14, y / 14, 3, 4) + 0.02 * y * np.exp(-((y / 160) ** 2)) + 0.06 * x
    middle = 22 * smooth_step(y, 60, 500) * (1 + fractal(x / 220, y / 220, 13, 4)) + 0.05 * np.clip(
        y - 90, 0, 700
    )
    peaks = ridged(x / 1700 + 0.9, y / 1700 + 0.35, 61, 9, 0.48) * 640 * smooth_step(y, 700, 2600)
    return (
        near * np.exp(-y / 900)
        + middle
        + peaks
        + 8 * fractal(x / 90, y / 90, 5, 5) * smooth_step(y, 120, 500)
    )
