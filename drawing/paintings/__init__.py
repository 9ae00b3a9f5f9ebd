"""The seven paintings of the default pack, drawn: ``python -m drawing.paintings [NAME…] --out DIR``.

Each is of another technique, with colours, strokes and a surface that no other has; what it shows matters less.
"""

__all__ = ["PAINTINGS", "SIDE", "draw_painting"]

from collections.abc import Callable, Mapping

import numpy as np
from PIL import Image

from drawing.paintings.candlelit_fruit import candlelit_fruit
from drawing.paintings.dotted_river import dotted_river
from drawing.paintings.dusk_water import dusk_water
from drawing.paintings.expressive_planes import expressive_planes
from drawing.paintings.impasto_night import impasto_night
from drawing.paintings.ink_peaks import ink_peaks
from drawing.paintings.plane import Array
from drawing.paintings.woodcut_hills import woodcut_hills

#: Of a painting in pixels.
SIDE = 320

#: Of the panel that is painted on, in pixels.
_PAINTED = 512

#: What paints each on a panel of so many pixels a side: (side, side, 3), 0 to 1.
PAINTINGS: Mapping[str, Callable[[int], Array]] = {
    "impasto-night": impasto_night,
    "woodcut-hills": woodcut_hills,
    "dusk-water": dusk_water,
    "dotted-river": dotted_river,
    "expressive-planes": expressive_planes,
    "ink-peaks": ink_peaks,
    "candlelit-fruit": candlelit_fruit,
}


def draw_painting(name: str) -> Image.Image:
    """A painting in colour, made small from a larger panel."""
    painted = Image.fromarray(np.round(PAINTINGS[name](_PAINTED) * 255).astype(np.uint8))
    return painted.resize((SIDE, SIDE), Image.Resampling.LANCZOS)
