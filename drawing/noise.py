"""Fractal noise on the plane, for terrain and for where things grow (Perlin 2002; Musgrave 1993)."""

__all__ = ["fractal", "perlin", "ridged"]

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]

_LATTICE = 256


def perlin(x: Array, y: Array, seed: int) -> Array:
    """Gradient noise with one lattice point per unit, about -0.7 to 0.7; x and y of one shape."""
    generator = np.random.default_rng(seed)
    order = generator.permutation(_LATTICE)
    angles = generator.uniform(0, 2 * np.pi, _LATTICE)
    across_slopes, along_slopes = np.cos(angles), np.sin(angles)
    column, row = np.floor(x).astype(np.int64), np.floor(y).astype(np.int64)
    dx, dy = x - column, y - row

    def corner(right: int, down: int) -> Array:
        index = order[(order[(column + right) % _LATTICE] + row + down) % _LATTICE]
        slope: Array = across_slopes[index] * (dx - right) + along_slopes[index] * (dy - down)
        return slope

    across, along = _fade(dx), _fade(dy)
    upper = corner(0, 0) * (1 - across) + corner(1, 0) * across
    lower = corner(0, 1) * (1 - across) + corner(1, 1) * across
    return upper * (1 - along) + lower * along


def fractal(x: Array, y: Array, seed: int, octaves: int = 8, gain: float = 0.5) -> Array:
    """Octaves of noise, each twice as fine and ``gain`` times as strong as the one before."""
    total = np.zeros(np.broadcast(x, y).shape)
    for octave in range(octaves):
        # The offset keeps the octaves' zeros from lying upon each other.
        total += gain**octave * perlin(x * 2**octave + 17.3, y * 2**octave - 9.1, seed + octave)
    return total


def ridged(x: Array, y: Array, seed: int, octaves: int = 8, gain: float = 0.5) -> Array:
    """Noise with sharp crests, 0 to about 2: each octave is strong where the one before was high."""
    total = np.zeros(np.broadcast(x, y).shape)
    weight = np.ones(total.shape)
    for octave in range(octaves):
        each = 1 - np.abs(2 * perlin(x * 2**octave + 3.7, y * 2**octave + 8.9, seed + octave))
        each = np.clip(each, 0, 1) ** 2 * weight
        total += gain**octave * each
        weight = np.clip(1.6 * each, 0, 1)
    return total


def _fade(t: Array) -> Array:
    result: Array = t * t * t * (t * (6 * t - 15) + 10)
    return result
