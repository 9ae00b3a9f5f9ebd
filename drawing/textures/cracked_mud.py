"""Mud that dried and tore into plates whose rims curl up."""

__all__ = ["cracked_mud"]

from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from drawing.cells import cells, scattered
from drawing.noise import fractal
from drawing.relief import Light, blended, lit
from drawing.terrain import smooth_step

Array: TypeAlias = NDArray[np.float64]


def cracked_mud(x: Array, y: Array) -> Array:
    """Light from the points at x and y of a grid, (rows, columns, 3)."""
    generator = np.random.default_rng(3)
    u = x + 5 * fractal(x / 22, y / 22, 10, 5, 0.55)
    v = y + 5 * fractal(x / 22, y / 22, 20, 5, 0.55)
    centres = scattered(generator, -60, 450, 33, 1.0)
    plates = cells(u, v, centres)
    pieces = cells(u, v, scattered(generator, -60, 450, 17, 1.0))
    gap = 1.5 + 1.1 * fractal(x / 40, y / 40, 30, 3)
    inside = plates.to_edge - gap
    # Not every plate has torn once more.
    torn = generator.random(4000) < 0.55
    small = np.where(torn[plates.nearest], pieces.to_edge - 0.35, 9.0)
    plate = smooth_step(inside, -0.5, 0.9)
    crack = plate * smooth_step(small, -0.3, 0.7)
    curl = 5.0 * np.exp(-np.maximum(inside, 0) / 4.5) + 1.4 * np.exp(-np.maximum(small, 0) / 2.2)
    tilt = generator.normal(0, 0.10, centres.shape)[plates.nearest]
    from_centre = np.stack([u, v], axis=-1) - centres[plates.nearest]
    level = 9 + generator.uniform(-1.5, 1.5, 4000)[plates.nearest] + (tilt * from_centre).sum(-1)
    grit = fractal(x / 3, y / 3, 40, 4, 0.7)
    top = level + curl + 0.8 * grit + 1.6 * fractal(x / 16, y / 16, 50, 3)
    height = crack * top + (1 - crack) * (1.0 + 3.5 * plate + 1.0 * grit)
    tone = 0.5 + 0.3 * fractal(x / 30, y / 30, 60, 5, 0.6) + 0.22 * grit
    tone = tone + generator.uniform(-0.14, 0.14, 4000)[plates.nearest]
    colours = blended(
        np.clip(tone, 0, 1), (132, 118, 104), (166, 151, 134), (188, 174, 156), (208, 197, 181)
    )
    colours = colours * (0.30 + 0.70 * crack)[..., None]
    light = Light(azimuth=140, elevation=38, sun=0.95, sky=0.36, occlusion=0.5)
    return lit(colours, height, light)
