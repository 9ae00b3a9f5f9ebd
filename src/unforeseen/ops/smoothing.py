"""Gaussian smoothing that mirrors what lies beyond the border."""

__all__ = ["LARGEST_BLUR", "gaussian_blur"]

import torch
import torch.nn.functional as F
from torch import Tensor

#: In pixels. A mirror shows no more than the picture, of which the smallest has sides of 32.
LARGEST_BLUR = 63


def gaussian_blur(planes: Tensor, size: int, sigma: float) -> Tensor:
    """Smooths each plane with a Gaussian cut off at a square window; even planes stay as they are.

    Two products with matrices: on CPUs several times as quick as two convolutions.

    Args:
        planes: (B, C, H, W).
        size: Side of the window in pixels, odd, at most ``LARGEST_BLUR``; 1 changes nothing.
        sigma: Width of the Gaussian in pixels.

    Returns:
        (B, C, H, W).
    """
    height, width = planes.shape[-2:]
    across = planes @ _blur_matrix(width, size, sigma, planes).T
    return _blur_matrix(height, size, sigma, planes) @ across


def _blur_matrix(length: int, size: int, sigma: float, like: Tensor) -> Tensor:
    """Smooths a column of ``length`` pixels: (length, length); rows add up to 1."""
    offset = torch.arange(size, device=like.device, dtype=like.dtype) - size // 2
    window = torch.softmax(-offset.square() / (2 * sigma**2), dim=0)
    pixels = torch.eye(length, device=like.device, dtype=like.dtype)
    mirrored = F.pad(pixels[None], (size // 2, size // 2), mode="reflect")[0]
    return (mirrored.unfold(1, size, 1) @ window).T
