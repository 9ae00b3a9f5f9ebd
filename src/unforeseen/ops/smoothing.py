"""Gaussian smoothing that mirrors what lies beyond the border."""

__all__ = ["LARGEST_BLUR", "gaussian_blur"]

import kornia
from torch import Tensor

#: In pixels. A mirror shows no more than the picture, of which the smallest has sides of 32.
LARGEST_BLUR = 63


def gaussian_blur(planes: Tensor, size: int, sigma: float) -> Tensor:
    """Smooths each plane with a Gaussian cut off at a square window; even planes stay as they are.

    Args:
        planes: (B, C, H, W).
        size: Side of the window in pixels, odd, at most ``LARGEST_BLUR``; 1 changes nothing.
        sigma: Width of the Gaussian in pixels.

    Returns:
        (B, C, H, W).
    """
    blurred: Tensor = kornia.filters.gaussian_blur2d(
        planes, (size, size), (sigma, sigma), border_type="reflect"
    )
    return blurred
