"""Blue wool in stockinette stitch: one yarn in loops, each drawn through the one below."""

__all__ = ["knitted_wool"]

from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray
from scipy.ndimage import map_coordinates

from drawing.noise import fractal
from drawing.relief import Light, blended, covered, linear, lit
from drawing.textures.strokes import Strokes, strewn

Array: TypeAlias = NDArray[np.float64]

_WIDTH, _ROW = 23.0, 15.5
# Of the leg of a loop: half of its thickness and of its length in pixels, and its lean.
_RADIUS, _REACH, _LEAN = 5.3, 13.6, np.radians(31)
# Of the tile that holds one stitch, in points.
_TILE = 240
_HAIRS = Strokes(count=6000, lengths=(8, 16), wander=28)


def knitted_wool(x: Array, y: Array) -> Array:
    """Light from the points at x and y of a grid, (rows, columns, 3)."""
    generator = np.random.default_rng(6)
    u = x + 2.4 * fractal(x / 50, y / 50, 10, 4) + 200
    v = y + 2.4 * fractal(x / 40, y / 40, 20, 4) + 200
    places = [v / _ROW % 1 * _TILE, u / _WIDTH % 1 * _TILE]
    high, run, around = (
        map_coordinates(each, places, order=1, mode="grid-wrap") for each in _stitch()
    )
    plies = np.sin(run + around * 2.4)
    fluff = fractal(x / 1.6, y / 1.6, 30, 3, 0.8)
    height = 2.6 * high + 0.7 * plies + 1.0 * fluff + 1.2 * fractal(x / 9, y / 9, 40, 3)
    stitch = np.floor(v / _ROW).astype(int) * 57 + np.floor(u / _WIDTH).astype(int)
    tone = 0.5 + 0.14 * plies + 0.28 * fluff + 0.22 * fractal(x / 12, y / 12, 50, 4)
    tone = tone + generator.normal(0, 0.05, 991)[stitch % 991]
    colours = blended(
        np.clip(tone, 0, 1), (22, 44, 92), (40, 78, 140), (72, 118, 178), (128, 164, 206)
    )
    fuzz = strewn(generator, x, y, _HAIRS)
    height = height + 1.6 * fuzz
    colours = covered(colours, linear((160, 188, 224)), 0.35 * fuzz)
    light = Light(azimuth=125, elevation=50, sun=0.95, sky=0.45, occlusion=0.5, softness=4)
    return lit(colours, height, light)


def _stitch() -> tuple[Array, Array, Array]:
    """Of one stitch's tile: height in pixels, place along the yarn and place across it from -1 to 1."""
    down, right = np.meshgrid(*[(np.arange(_TILE) + 0.5) / _TILE] * 2, indexing="ij")
    right, down = right * _WIDTH, down * _ROW
    best = np.full(right.shape, -4.0)
    run, around = np.zeros_like(best), np.zeros_like(best)
    for course in (-1, 0, 1, 2):
        for wale in (-1, 0, 1):
            for side in (-1, 1):
                # A leg of the loop leans outwards to its top, and its foot goes behind the loop below.
                dx = (right - (wale + 0.5 + side * 0.245) * _WIDTH) * side
                dy = down - (course + 0.5) * _ROW
                along = -dy * np.cos(_LEAN) + dx * np.sin(_LEAN)
                across = dx * np.cos(_LEAN) + dy * np.sin(_LEAN)
                across = across + 0.010 * along**2 - 0.4
                thick = _RADIUS * (1 + 0.12 * along / _REACH)
                share = np.abs(along / _REACH) ** 2.6 + (across / thick) ** 2
                top = -0.27 * along + 1.15 * _RADIUS * np.sqrt(np.maximum(1 - share, 0))
                over = (share < 1) & (top > best)
                best[over] = top[over]
                run[over] = along[over]
                around[over] = (across / thick)[over]
    return best, run, around
