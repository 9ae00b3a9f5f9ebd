"""The ten textures of the default pack: ``python -m drawing.textures [NAME…] --out DIR``."""

__all__ = ["TEXTURES", "draw_texture"]

from collections.abc import Callable, Mapping
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray
from PIL import Image

from drawing.textures.bark import bark
from drawing.textures.brick_wall import brick_wall
from drawing.textures.cracked_mud import cracked_mud
from drawing.textures.crumpled_paper import crumpled_paper
from drawing.textures.grass import grass
from drawing.textures.knitted_wool import knitted_wool
from drawing.textures.pebbles import pebbles
from drawing.textures.rust import rust
from drawing.textures.sheet import Window, photographed, places
from drawing.textures.slate import slate
from drawing.textures.wicker import wicker

Array: TypeAlias = NDArray[np.float64]

#: The light that each gives to a camera above the points at x and y of a grid, in the picture's
#: pixels: (rows, columns, 3), 0 to about 1.
TEXTURES: Mapping[str, Callable[[Array, Array], Array]] = {
    "slate": slate,
    "brick-wall": brick_wall,
    "wicker": wicker,
    "bark": bark,
    "pebbles": pebbles,
    "cracked-mud": cracked_mud,
    "knitted-wool": knitted_wool,
    "rust": rust,
    "grass": grass,
    "crumpled-paper": crumpled_paper,
}

_WHOLE = Window()


def draw_texture(name: str, window: Window = _WHOLE) -> Image.Image:
    """The picture of a texture, or a window of it; it differs from the whole one's a little at its edges."""
    return photographed(TEXTURES[name](*places(window)))
