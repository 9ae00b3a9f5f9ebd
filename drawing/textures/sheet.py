"""The sheet that textures are drawn on, measured in the picture's pixels, and how it is photographed."""

__all__ = ["POINTS", "SIDE", "Window", "photographed", "places", "random_places"]

from typing import NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray
from PIL import Image

from drawing.relief import painted

Array: TypeAlias = NDArray[np.float64]

#: Of a picture in pixels.
SIDE = 360
#: Per pixel along each side.
POINTS = 2

# Drawn around a window, so that filters and shadows at its edges find what is there.
_MARGIN = 16
# Things are strewn this far beyond the picture, so that some reach into it.
_BEYOND = 40


class Window(NamedTuple):
    """A square part of a picture, in pixels."""

    left: int = 0
    top: int = 0
    side: int = SIDE


def places(window: Window) -> tuple[Array, Array]:
    """The x and y of every point of a window and of a margin around it, in the picture's pixels."""
    along = (np.arange((window.side + 2 * _MARGIN) * POINTS) + 0.5) / POINTS - _MARGIN
    x, y = np.meshgrid(window.left + along, window.top + along)
    return x, y


def random_places(generator: np.random.Generator, count: int) -> Array:
    """Places all over the picture and a little beyond it, (count, 2), whatever the window."""
    return generator.uniform(-_BEYOND, SIDE + _BEYOND, (count, 2))


def photographed(light: Array) -> Image.Image:
    """A window as a camera sees it, without the margin and with a sensor's grain."""
    inside = slice(_MARGIN * POINTS, -_MARGIN * POINTS)
    side = light.shape[0] // POINTS - 2 * _MARGIN
    seen = light[inside, inside].reshape(side, POINTS, side, POINTS, 3).mean(axis=(1, 3))
    noise = np.random.default_rng(0).normal(0, 0.006, seen.shape)
    return Image.fromarray(painted(seen + noise * np.sqrt(np.maximum(seen, 0) + 0.02)))
