"""White paper that was crumpled and smoothed out again: facets between sharp creases."""

__all__ = ["crumpled_paper"]

from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray
from scipy.interpolate import LinearNDInterpolator

from drawing.cells import scattered
from drawing.noise import fractal
from drawing.relief import Light, blended, blurred, lit

Array: TypeAlias = NDArray[np.float64]

# Distance between corners in pixels, and height per distance.
_FOLDS = ((32, 0.26), (17, 0.38), (9, 0.24))


def crumpled_paper(x: Array, y: Array) -> Array:
    """Light from the points at x and y of a grid, (rows, columns, 3)."""
    generator = np.random.default_rng(10)
    u = x + 1.5 * fractal(x / 20, y / 20, 10, 3)
    v = y + 1.5 * fractal(x / 20, y / 20, 20, 3)
    folds = np.zeros_like(x)
    for spacing, steepness in _FOLDS:
        folds += _facets(generator, u, v, spacing) * spacing * steepness
    height = blurred(folds, 0.7) + 0.16 * fractal(x / 1.2, y / 1.2, 30, 3, 0.8)
    worn = np.abs(blurred(height, 0.8) - blurred(height, 2.0))
    tone = np.clip(0.75 + 0.1 * fractal(x / 60, y / 60, 40, 4) - 0.5 * worn, 0, 1)
    colours = blended(tone, (170, 166, 158), (226, 223, 216), (240, 238, 232))
    light = Light(azimuth=140, elevation=34, sun=0.85, sky=0.34, occlusion=0.4, softness=3)
    return lit(colours, height, light)


def _facets(generator: np.random.Generator, x: Array, y: Array, spacing: float) -> Array:
    """Triangles between random points of random heights, whose standard deviation is 1."""
    points = scattered(generator, -80, 470, spacing, 1.0)
    surface = LinearNDInterpolator(points, generator.normal(0, 1, len(points)))
    result: Array = surface(x, y)
    return result
