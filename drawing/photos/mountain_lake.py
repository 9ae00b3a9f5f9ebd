"""A lake between wooded slopes; snowy mountains and their reflection."""

__all__ = ["mountain_lake"]

import numpy as np
from numpy.typing import NDArray

from drawing.meshes import scatter, surface_grid
from drawing.mountains import mountain_material
from drawing.noise import fractal, ridged
from drawing.outdoors import add_haze, still_water
from drawing.sky import Clouds, daylight
from drawing.studio import camera, new_scene
from drawing.terrain import fan, on_land, smooth_step
from drawing.trees import bark_material, conifer, leaf_material, needle_material
from drawing.undergrowth import stone, stone_material, tuft

Array = NDArray[np.float64]


def mountain_lake() -> None:
    """A lake between wooded slopes; snowy mountains and their reflection."""
    new_scene(exposure=0.55)
    camera((0, 0, 3.4), (0, 100, 9), lens=29)
    generator = np.random.default_rng(11)
    clouds = Clouds(scale=0.55, cover=0.48, softness=0.2, offset=2.3)
    daylight(elevation=30, bearing=-95, strength=0.09, shine=5.0, clouds=clouds)
    surface_grid("Land", fan(2, 4200, 44, 620, 620, _lake_land), mountain_material())
    still_water(0, 6000, 0.012, (0.35, 0.9, 1), (0.008, 0.03, 0.035))
    bark = bark_material()
    needles = needle_material((0.014, 0.036, 0.012), (0.045, 0.085, 0.025))
    trees = [conifer(seed, needles, bark, slender=1.2) for seed in range(5)]
    places = on_land(generator, 26000, (300, 1500), 42, _lake_land)
    z = places[:, 2]
    wood = fractal(places[:, 0] / 120, places[:, 1] / 120, 71, 3)
    grown = (z > 2.5) & (z < 190 + 90 * wood) & (wood > -0.30)
    places = places[grown][:7000]
    scatter("Wood", trees, places, generator.uniform(13, 27, len(places)), generator, 0.03)
    near = np.array(
        [
            [-13.5, 24, 0.2],
            [-17, 29, 0.4],
            [-11.8, 28, 0.1],
            [-15.5, 33, 0.3],
            [-20, 27, 0.2],
            [-10.5, 23, 0.2],
        ]
    )
    near[:, 2] = _lake_land(near[:, 0], near[:, 1])
    scatter("Near trees", trees, near, np.array([11.0, 14, 6.5, 12, 12, 3.5]), generator, 0.02)
    stones = [stone(seed, stone_material()) for seed in range(6)]
    shore = on_land(generator, 700, (3.5, 26), 40, _lake_land)
    shore = shore[np.abs(shore[:, 2]) < 0.55]
    sizes = (
        generator.uniform(0.08, 0.3, len(shore)) + 1.1 * generator.uniform(0, 1, len(shore)) ** 9
    )
    scatter("Stones", stones, shore, sizes, generator, 0.5)
    blades = leaf_material(
        [(0.1, (0.05, 0.10, 0.015)), (0.5, (0.10, 0.15, 0.025)), (0.9, (0.22, 0.21, 0.06))]
    )
    tufts = [tuft(seed, blades, height=0.32, lean=0.8) for seed in range(4)]
    grass = on_land(generator, 9000, (2.5, 34), 42, _lake_land)
    grass = grass[(grass[:, 2] > 0.12) & (fractal(grass[:, 0] / 2, grass[:, 1] / 2, 19, 3) > -0.2)]
    scatter("Grass", tufts, grass, generator.uniform(0.4, 1.2, len(grass)), generator, 0.2)
    add_haze((0.42, 0.55, 0.72), 11000)


def _lake_land(x: Array, y: Array) -> Array:
    bank = np.sqrt((x / 330) ** 2 + ((y - 392) / 382) ** 2) + 0.10 * fractal(x / 140, y / 140, 3, 4)
    # The camera's own shore runs slantwise before it.
    shore = (7.5 - y + 0.28 * np.abs(x + 2)) / 900 + 0.003 * fractal(x / 5, y / 5, 8, 4)
    tongue = 0.012 * smooth_step(-x, 6, 13) * np.exp(-(((y - 28) / 11) ** 4)) - 0.004
    rise = np.maximum(bank - 1, np.maximum(shore, np.where(y < 60, tongue, -1)))
    out = np.clip(rise, 0, None)
    slopes = 75 * (1 - np.exp(-1.6 * out)) + 30 * out
    peaks = ridged(x / 1500 + 0.4, y / 1500 + 0.15, 21, 9, 0.48) * 560 * smooth_step(out, 0.35, 3.2)
    summit = 420 * np.exp(-(((x + 330) / 620) ** 2) - ((y - 2500) / 700) ** 2)
    detail = 26 * fractal(x / 160, y / 160, 31, 6) * smooth_step(out, 0.05, 0.6)
    near = 0.10 * fractal(x / 2, y / 2, 44, 5) * np.exp(-y / 30)
    return (
        np.where(
            rise < 0,
            12 * np.clip(rise, -0.5, 0),
            slopes * 0.9 + peaks + summit * smooth_step(out, 0.3, 2) + detail,
        )
        + near
    )
