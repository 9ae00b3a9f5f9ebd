"""One picture laid over another."""

__all__ = ["blend", "paste", "tiled"]

import torch
from torch import Tensor

from unforeseen.errors import DataError


def blend(under: Tensor, over: Tensor, opacity: Tensor | float) -> Tensor:
    """``under`` + opacity · (``over`` − ``under``), exactly ``under`` at 0 and exactly ``over`` at 1.

    Args:
        under: (C, H, W), floating point; gives the result's type and device.
        over: (C, H, W), or what broadcasts to it.
        opacity: In [0, 1]; a number, or per pixel (H, W).
    """
    weight = torch.as_tensor(opacity, dtype=under.dtype, device=under.device)
    return torch.lerp(under, over.to(under), weight)


def paste(under: Tensor, over: Tensor, *, top: int, left: int) -> Tensor:
    """A copy of ``under`` (C, H, W) on which ``over`` (C, h, w) lies; raises DataError unless all of it does."""
    height, width = over.shape[1:]
    if not (0 <= top <= under.shape[1] - height and 0 <= left <= under.shape[2] - width):
        raise DataError(
            f"expected a place inside a picture of {under.shape[2]}×{under.shape[1]} pixels, got "
            f"{width}×{height} pixels at {left}, {top}. Give the picture in the size that it was drawn for."
        )
    pasted = under.clone()
    pasted[:, top : top + height, left : left + width] = over
    return pasted


def tiled(tile: Tensor, size: tuple[int, int]) -> Tensor:
    """Repeats a tile (…, h, w) from the upper left corner on until it fills (…, H, W)."""
    height, width = size
    across, down = -(-width // tile.shape[-1]), -(-height // tile.shape[-2])
    repeats = (1,) * (tile.ndim - 2) + (down, across)
    return tile.repeat(repeats)[..., :height, :width]
