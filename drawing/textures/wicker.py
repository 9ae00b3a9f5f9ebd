"""Wickerwork: thin rods that pass before and behind upright stakes by turns."""

__all__ = ["wicker"]

from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from drawing.noise import fractal
from drawing.relief import Light, blended, lit

Array: TypeAlias = NDArray[np.float64]

_ROD, _STAKE = 9.4, 22.0


def wicker(x: Array, y: Array) -> Array:
    """Light from the points at x and y of a grid, (rows, columns, 3)."""
    generator = np.random.default_rng(5)
    u = x + 1.6 * fractal(x / 60, y / 60, 10, 3) + 200
    v = y + 2.2 * fractal(x / 60, y / 40, 20, 4) + 200
    # Stakes stand at multiples of the spacing, a little uneven.
    stake = np.round(u / _STAKE).astype(int)
    beside = u - _STAKE * stake - generator.normal(0, 0.8, 64)[stake]
    row = np.floor(v / _ROD).astype(int)
    before = np.where((row + stake) % 2 == 0, 1.0, -1.0)
    thick = 1 + generator.uniform(-0.12, 0.10, 128)[row]
    within = (v % _ROD / _ROD - 0.5) * 2
    drift = 0.10 * fractal(x / 18, row * 7.3, 30, 2)
    swing = np.cos(np.pi * (u / _STAKE - stake)) * before
    # Nearer to the camera, and pressed flat on the stake, a rod looks thicker.
    broad = thick * (0.98 + 0.20 * swing)
    round_rod = np.sqrt(np.maximum(1 - ((within + drift) / broad) ** 2, 0))
    lane = 8.5 * swing
    grain = fractal(x / 16 + row * 11.1, y / 0.9, 40, 4, 0.7)
    knots = fractal(x / 2.4, y / 2.4, 50, 3, 0.7)
    rod = 8 + lane + 8.0 * round_rod + 0.55 * grain
    rod = np.where(round_rod > 0.1, rod, -8)
    post = -1.0 + 12.0 * np.sqrt(np.maximum(1 - (beside / 4.6) ** 2, 0))
    post = np.where(np.abs(beside) < 4.6, post, -6) + 0.4 * fractal(x / 1.2, y / 20, 60, 3)
    is_rod = rod >= post
    height = np.maximum(rod, post)
    shade = 0.25 + generator.uniform(0, 0.26, 128)[row] + 0.5 * fractal(x / 70, row * 3.37, 70, 3)
    tone = np.clip(0.16 + shade + 0.26 * grain + 0.16 * knots, 0, 1)
    willow = blended(
        tone, (98, 60, 30), (146, 98, 52), (184, 136, 80), (212, 172, 118), (226, 196, 150)
    )
    wood = blended(np.clip(0.5 + 0.4 * knots, 0, 1), (92, 58, 30), (140, 96, 54))
    colours = np.where(is_rod[..., None], willow, wood)
    light = Light(
        azimuth=115, elevation=46, sun=0.95, sky=0.40, occlusion=0.42, gloss=0.06, sharpness=14
    )
    return lit(colours, height, light)
