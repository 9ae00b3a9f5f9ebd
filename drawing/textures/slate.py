"""Dark slate, cleft and scratched aslant."""

__all__ = ["slate"]

from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from drawing.noise import fractal, ridged
from drawing.relief import Light, blended, covered, lit
from drawing.textures.strokes import Strokes, strewn

Array: TypeAlias = NDArray[np.float64]

_POWDER = np.full(3, 0.66)
_TURN = 62.0
_FINE = Strokes(count=1700, lengths=(10, 46), turn=_TURN, spread=5)
_DEEP = Strokes(count=420, lengths=(16, 70), turn=_TURN, spread=5, width=2)


def slate(x: Array, y: Array) -> Array:
    """Light from the points at x and y of a grid, (rows, columns, 3)."""
    generator = np.random.default_rng(2)
    cosine, sine = np.cos(np.radians(_TURN)), np.sin(np.radians(_TURN))
    along, across = x * cosine - y * sine, x * sine + y * cosine
    fibres = fractal(along / 40, across / 2.2, 10, 4, 0.7)
    cleft = ridged(x / 60 + 0.3 * fibres, y / 9, 20, 4)
    ledges = 5.0 * fractal(x / 34, y / 11, 30, 5, 0.55)
    stepped = np.floor(ledges) + np.clip((ledges % 1 - 0.5) * 3 + 0.5, 0, 1)
    scratches = strewn(generator, x, y, _FINE)
    deep = strewn(generator, x, y, _DEEP)
    height = 2.0 * stepped + 1.3 * fibres - 0.8 * cleft - 1.5 * deep
    tone = 0.5 + 0.36 * fibres + 0.5 * fractal(x / 26, y / 26, 40, 6, 0.65)
    colours = blended(
        np.clip(tone, 0, 1), (52, 54, 58), (84, 86, 90), (112, 113, 114), (142, 140, 136)
    )
    powder = np.clip(0.85 * scratches + 1.2 * deep, 0, 1)
    colours = covered(colours, _POWDER, powder)
    light = Light(azimuth=150, elevation=40, sun=0.95, sky=0.4, occlusion=0.4, gloss=0.04)
    return lit(colours, height, light)
