"""Hue, saturation and value (Smith 1978), without a branch per sextant."""

__all__ = ["hsv_to_rgb", "shift_hue"]

import torch
from torch import Tensor

#: A channel's share of its hue is clamp(b + a·|6·hue − c|, 0, 1): (a, b, c) of R, G and B.
_SHARES = ((1.0, -1.0, 3.0), (-1.0, 2.0, 2.0), (-1.0, 2.0, 4.0))


def hsv_to_rgb(hsv: Tensor) -> Tensor:
    """RGB = v − v·s·(1 − share of the hue).

    Kornia's, which chooses between six cases, takes several times as long.

    Args:
        hsv: (…, 3, H, W), each in [0, 1]; hue 0 and 1 are both red.

    Returns:
        (…, 3, H, W) in [0, 1].
    """
    slope, start, peak = hsv.new_tensor(_SHARES).T[..., None, None]
    hue, saturation, value = hsv.chunk(3, dim=-3)
    share = (start + slope * (6 * hue - peak).abs()).clamp(0, 1)
    rgb: Tensor = value - value * saturation * (1 - share)
    return rgb


def shift_hue(rgb: Tensor, turns: float) -> Tensor:
    """Raises all hues; value and saturation stay, and so do greys.

    With v the largest channel and c = v − the smallest, RGB = v − c·(1 − share of the hue), so
    that the saturation c / v need not be known. Kornia's way there and back takes twice as long.
    Unlike the rest of this package it has no gradient.

    Args:
        rgb: (…, 3, H, W) in [0, 1].
        turns: By how much, 1 is the whole circle.

    Returns:
        (…, 3, H, W) in [0, 1].
    """
    red, green, blue = rgb.unbind(-3)
    value = torch.maximum(torch.maximum(red, green), blue)
    chroma = value - torch.minimum(torch.minimum(red, green), blue)
    past_green = torch.where(value == green, blue - red + 2 * chroma, red - green + 4 * chroma)
    past_red = torch.where(value == red, green - blue, past_green)
    sextant = past_red / chroma.clamp(min=torch.finfo(rgb.dtype).tiny)
    hue = (sextant + 6 * turns).remainder_(6).unsqueeze(-3)
    slope, start, peak = rgb.new_tensor(_SHARES).T[..., None, None]
    # In place: to allocate all three channels anew costs more than to reckon them.
    share = (hue - peak).abs_().mul_(slope).add_(start).clamp_(0, 1)
    shifted: Tensor = share.sub_(1).mul_(chroma.unsqueeze(-3)).add_(value.unsqueeze(-3))
    return shifted.clamp_(0, 1)
