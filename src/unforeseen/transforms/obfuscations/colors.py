"""The colours of patterns and of texts: as the paper says nine, strong and unlike each other."""

__all__ = ["COLORS", "ColorName", "color_planes"]

from typing import Literal, get_args

import torch
from torch import Tensor

ColorName = Literal["red", "orange", "yellow", "green", "cyan", "blue", "magenta", "black", "white"]

COLORS: tuple[ColorName, ...] = get_args(ColorName)

_RGB: dict[ColorName, tuple[float, float, float]] = {
    "red": (1.0, 0.0, 0.0),
    "orange": (1.0, 0.5, 0.0),
    "yellow": (1.0, 1.0, 0.0),
    "green": (0.0, 0.8, 0.0),
    "cyan": (0.0, 1.0, 1.0),
    "blue": (0.0, 0.0, 1.0),
    "magenta": (1.0, 0.0, 1.0),
    "black": (0.0, 0.0, 0.0),
    "white": (1.0, 1.0, 1.0),
}


def color_planes(name: ColorName, like: Tensor) -> Tensor:
    """A colour as a picture of one pixel, (3, 1, 1), of the type and on the device of ``like``."""
    return torch.tensor(_RGB[name], dtype=like.dtype, device=like.device)[:, None, None]
