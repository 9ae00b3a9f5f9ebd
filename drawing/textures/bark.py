"""The bark of an old tree: upright ridges that part and meet around deep furrows."""

__all__ = ["bark"]

from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from drawing.cells import cells, scattered
from drawing.noise import fractal
from drawing.relief import Light, blended, covered, linear, lit
from drawing.terrain import smooth_step

Array: TypeAlias = NDArray[np.float64]

_STRETCH = 3.4


def bark(x: Array, y: Array) -> Array:
    """Light from the points at x and y of a grid, (rows, columns, 3)."""
    generator = np.random.default_rng(8)
    u = x + 9 * fractal(x / 26, y / 60, 10, 5, 0.6)
    v = y / _STRETCH + 6 * fractal(x / 20, y / 50, 20, 4, 0.6)
    plates = cells(u, v, scattered(generator, -60, 450, 17, 1.0))
    shards = cells(
        u + 3 * fractal(x / 9, y / 14, 25, 3), v * 1.9, scattered(generator, -60, 860, 9, 1.0)
    )
    gap = plates.to_edge - 1.9 - 2.0 * fractal(x / 20, y / 40, 30, 4)
    ridge = smooth_step(gap, -1.8, 2.6)
    split = smooth_step(shards.to_edge, 0.1, 1.3)
    fibres = fractal(u / 2.1, y / 22, 40, 5, 0.7)
    crust = fractal(x / 4, y / 6, 50, 5, 0.7)
    layer = generator.uniform(0, 2.6, 9000)[shards.nearest]
    top = 12 + 1.8 * layer + 2.2 * fibres + 2.0 * crust - 2.2 * (1 - split)
    height = ridge * top + (1 - ridge) * (1.5 * fibres)
    tone = 0.30 + 0.10 * layer + 0.36 * fibres + 0.32 * crust
    wood = blended(
        np.clip(tone, 0, 1),
        (62, 48, 38),
        (96, 78, 62),
        (128, 108, 88),
        (158, 140, 118),
        (186, 172, 152),
    )
    furrow = linear((44, 28, 20)) * (1 + 0.8 * fibres[..., None])
    colours = covered(furrow, wood, ridge)
    colours = colours * (0.55 + 0.45 * split[..., None])
    lichen = smooth_step(fractal(x / 18, y / 24, 60, 6, 0.65), 0.18, 0.42) * ridge * 0.55
    colours = covered(colours, linear((142, 150, 112)), lichen)
    light = Light(azimuth=160, elevation=40, sun=0.98, sky=0.40, occlusion=0.35, softness=3)
    return lit(np.maximum(colours, 0), height, light)
