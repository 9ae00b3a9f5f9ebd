"""A wall of red bricks in stretcher bond, seen from the front."""

__all__ = ["brick_wall"]

from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from drawing.noise import fractal
from drawing.relief import Light, blended, covered, linear, lit
from drawing.terrain import smooth_step

Array: TypeAlias = NDArray[np.float64]

_LENGTH, _COURSE, _JOINT = 46.0, 19.0, 3.2
# Radius of a brick's corners.
_CORNER = 2.0


def brick_wall(x: Array, y: Array) -> Array:
    """Light from the points at x and y of a grid, (rows, columns, 3)."""
    generator = np.random.default_rng(1)
    wavy = 1.3 * fractal(x / 30, y / 30, 10, 4)
    wavy_down = 1.1 * fractal(x / 30, y / 30, 20, 4)
    u, v = x + wavy + 100, y + wavy_down + 100
    row = np.floor(v / _COURSE).astype(int)
    shift = np.where(row % 2, _LENGTH / 2, 0) + generator.uniform(-3, 3, 64)[row]
    column = np.floor((u + shift) / _LENGTH).astype(int)
    across = (u + shift) % _LENGTH - _LENGTH / 2
    along = v % _COURSE - _COURSE / 2
    which = (row * 31 + column) % 997
    size = generator.uniform(-0.7, 0.5, (2, 997))
    outside = _outside(
        np.abs(across) - (_LENGTH - _JOINT) / 2 - size[0][which],
        np.abs(along) - (_COURSE - _JOINT) / 2 - size[1][which] * 0.6,
    )
    chipped = outside + 0.9 * fractal(x / 6, y / 6, 30, 4) - 0.1
    brick = smooth_step(-chipped, -0.6, 0.9)
    rough = fractal(x / 5, y / 5, 40, 5, 0.65)
    pits = smooth_step(fractal(x / 3.2, y / 3.2, 50, 3), 0.33, 0.6)
    tilt = generator.uniform(-0.03, 0.03, (2, 997))
    face = 5.0 + generator.uniform(-0.7, 0.7, 997)[which]
    face = face + tilt[0][which] * across + tilt[1][which] * along + 0.9 * rough - 2.2 * pits
    mortar = 1.0 * rough + 1.2 * fractal(x / 1.6, y / 1.6, 60, 2)
    height = brick * face + (1 - brick) * mortar
    tone = generator.beta(2, 2, 997)[which] + 0.35 * fractal(x / 14, y / 14, 70, 5)
    clay = blended(
        np.clip(tone, 0, 1),
        (96, 44, 38),
        (139, 62, 47),
        (158, 76, 55),
        (176, 93, 66),
        (190, 118, 88),
    )
    burnt = smooth_step(fractal(x / 22, y / 22, 80, 5), 0.15, 0.6)
    clay = clay * (1 - 0.5 * burnt[..., None]) * (1 + 0.35 * rough[..., None])
    bloom = smooth_step(fractal(x / 9, y / 12, 90, 5), 0.3, 0.8) * 0.4
    clay = covered(clay, linear((206, 190, 176)), bloom)
    sand = linear((176, 166, 152)) * (1 + 0.5 * fractal(x / 1.5, y / 1.5, 100, 3)[..., None])
    sand = sand * (0.85 + 0.4 * fractal(x / 40, y / 40, 110, 3)[..., None])
    colours = covered(sand, clay, brick)
    light = Light(azimuth=125, elevation=42, sun=0.95, sky=0.42, occlusion=0.35)
    return lit(np.maximum(colours, 0), height, light)


def _outside(beyond_end: Array, beyond_side: Array) -> Array:
    """Distance from the outline of a rectangle with round corners, negative inside."""
    right, down = beyond_end + _CORNER, beyond_side + _CORNER
    result: Array = np.hypot(np.maximum(right, 0), np.maximum(down, 0)) - _CORNER
    return result + np.minimum(np.maximum(right, down), 0)
