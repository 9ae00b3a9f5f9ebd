"""What tests of training share: photos in memory, and a perceptual network that takes no time."""

__all__ = ["SIDE", "photos", "see", "styles"]

import torch
import torch.nn.functional as F
from torch import Tensor

from data.in_memory import InMemory, noise
from oracles import pictures

#: Of cuts, in pixels: the smallest of which a pyramid can be made.
SIDE = 80


def photos(number: int = 5) -> InMemory:
    return InMemory([noise(90 + row, 130, seed=row) for row in range(number)])


def see(x: Tensor) -> list[Tensor]:
    """Colours, and edges of two sizes."""
    edges = F.pad(x.diff(dim=3), (0, 1)).abs()
    return [x, torch.cat([edges, F.avg_pool2d(x, 3, 1, 1)], 1), F.avg_pool2d(x, 4)]


def styles(number: int = 3) -> list[Tensor]:
    colours = pictures(number, 1, 1, seed=5)
    return [
        (0.5 * each + 0.5 * colour)
        for each, colour in zip(pictures(number, 96, 100, seed=6), colours, strict=True)
    ]
