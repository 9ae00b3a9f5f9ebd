"""Painted sheet iron: rust has come through and lifts the paint."""

__all__ = ["rust"]

from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from drawing.noise import fractal
from drawing.relief import Light, blended, blurred, covered, linear, lit
from drawing.terrain import smooth_step

Array: TypeAlias = NDArray[np.float64]


def rust(x: Array, y: Array) -> Array:
    """Light from the points at x and y of a grid, (rows, columns, 3)."""
    u = x + 7 * fractal(x / 14, y / 14, 10, 5, 0.6)
    v = y + 7 * fractal(x / 14, y / 14, 20, 5, 0.6)
    spread = fractal(u / 34, v / 40, 30, 6, 0.62)
    # More than half is rust, in islands of 10 to 50 pixels.
    bare = smooth_step(spread, -0.02, 0.015)
    near = blurred(bare, 7)
    crust = fractal(x / 5, y / 5, 40, 5, 0.72)
    flakes = fractal(u / 9, v / 7, 50, 4)
    tone = 0.46 + 0.42 * crust + 0.42 * flakes + 0.18 * fractal(x / 2.4, y / 2.4, 60, 2, 0.7)
    tone = tone + 0.5 * (0.75 - near) * bare
    iron = blended(
        np.clip(tone, 0, 1),
        (52, 28, 22),
        (98, 48, 28),
        (146, 72, 34),
        (184, 100, 44),
        (214, 146, 78),
    )
    fade = 0.5 + 0.5 * fractal(x / 40, y / 40, 70, 4, 0.5) + 0.08 * crust
    paint = blended(
        np.clip(fade, 0, 1), (54, 112, 118), (92, 152, 154), (136, 184, 180), (176, 206, 198)
    )
    streaks = fractal(x / 3.2, y / 60, 80, 4, 0.6) + 0.7 * fractal(x / 12, y / 40, 90, 3)
    stain = np.clip(3.0 * near * (0.6 + streaks), 0, 1)
    freckles = smooth_step(fractal(x / 4, y / 4, 100, 3), 0.36, 0.5)
    stain = np.maximum(stain * 0.75, freckles * 0.9)
    paint = covered(paint, linear((168, 96, 52)) * (0.8 + 0.5 * crust[..., None]), stain)
    # Paint lifts where rust has crept under its edge.
    lifted = 2.6 + 2.6 * np.exp(-(((spread + 0.06) / 0.05) ** 2))
    height = (1 - bare) * (lifted + 0.3 * crust) + bare * (1.6 * crust + 1.1 * flakes)
    height = height + 0.5 * bare * fractal(x / 1.7, y / 1.7, 110, 2)
    colours = covered(paint, iron, bare)
    light = Light(azimuth=120, elevation=44, sun=0.95, sky=0.42, occlusion=0.5)
    return lit(np.maximum(colours, 0), height, light)
