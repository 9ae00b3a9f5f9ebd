"""Coordinates of pixels, and pictures sampled at other places.

Units of grids: the picture is 2 wide and 2 high, its centre is 0; component 0 is horizontal. Units
of :func:`sample_at`: pixels, the first of which has its centre at (0.5, 0.5).
"""

__all__ = ["GridConvention", "axis", "base_grid", "displace", "pixel_centres", "sample_at"]

from typing import Literal

import torch
import torch.nn.functional as F
from torch import Tensor

GridConvention = Literal["centred", "left_edge", "corner_to_corner"]
Padding = Literal["zeros", "reflection"]
Outside = Literal["zeros", "border", "reflection"]


def axis(size: int, convention: GridConvention, like: Tensor) -> Tensor:
    """Where the ``size`` pixels of one axis lie, (size,).

    Args:
        size: Number of pixels.
        convention: ``centred``: (2i + 1)/n − 1, the pixels' true centres under
            ``align_corners=False``; ``left_edge``: 2i/n − 1; ``corner_to_corner``: from −1 to 1.
            The latter two shift or zoom a picture a little.
        like: Gives device and dtype.
    """
    index = torch.arange(size, device=like.device, dtype=like.dtype)
    if convention == "centred":
        return (2 * index + 1) / size - 1
    if convention == "left_edge":
        return 2 * index / size - 1
    return torch.linspace(-1, 1, size, device=like.device, dtype=like.dtype)


def base_grid(height: int, width: int, convention: GridConvention, like: Tensor) -> Tensor:
    """Where each pixel lies, (H, W, 2), horizontal coordinate first; see :func:`axis`."""
    vertical, horizontal = torch.meshgrid(
        axis(height, convention, like), axis(width, convention, like), indexing="ij"
    )
    return torch.stack([horizontal, vertical], dim=-1)


def displace(
    x: Tensor, displacement: Tensor, *, convention: GridConvention, padding: Padding
) -> Tensor:
    """Samples each pixel from elsewhere, bilinearly.

    Args:
        x: (B, C, H, W).
        displacement: (B, H, W, 2): pixel p takes the colour found at p + displacement.
        convention: Where pixels lie before they are displaced.
        padding: What lies outside the picture: zeros, or its mirror image.
    """
    grid = base_grid(x.shape[-2], x.shape[-1], convention, x) + displacement
    return F.grid_sample(x, grid, mode="bilinear", padding_mode=padding, align_corners=False)


def pixel_centres(height: int, width: int, like: Tensor) -> tuple[Tensor, Tensor]:
    """X and y of each pixel's centre, in pixels from the upper left corner: twice (H, W)."""
    down = torch.arange(height, device=like.device, dtype=like.dtype) + 0.5
    across = torch.arange(width, device=like.device, dtype=like.dtype) + 0.5
    y, x = torch.meshgrid(down, across, indexing="ij")
    return x, y


def sample_at(image: Tensor, x: Tensor, y: Tensor, *, outside: Outside) -> Tensor:
    """One picture sampled bilinearly wherever you like.

    Args:
        image: (C, H, W) in [0, 1].
        x: Where to look, in pixels from the left, of any size (h, w).
        y: The same from the top.
        outside: What lies outside the picture: black, what lies nearest at its border, or its mirror
            image.

    Returns:
        (C, h, w).
    """
    height, width = image.shape[-2:]
    grid = torch.stack([2 * x / width - 1, 2 * y / height - 1], dim=-1)
    sampled = F.grid_sample(
        image[None], grid[None], mode="bilinear", padding_mode=outside, align_corners=False
    )
    # Weights add up to 1 only as far as rounding allows.
    return sampled[0].clamp(0, 1)
