"""Gradient noise on a lattice (Perlin 2002, "Improving noise")."""

__all__ = ["perlin_noise"]

import torch
from torch import Tensor


def perlin_noise(vectors: Tensor, side: int) -> Tensor:
    """Noise that is 0 at the lattice's points, with the slope that each point's vector says.

    A pixel at offset (u, v) from a lattice point, in cells, gets u · horizontal + v · vertical
    from it, faded by s(|u|) · s(|v|), s(t) = 1 − (6t⁵ − 15t⁴ + 10t³); from its cell's four corners
    in all. Both factors depend on one axis each, so this is computed as products of matrices.

    Args:
        vectors: One per lattice point, (B, cells + 1, cells + 1, 2), horizontal component first.
            Any length; Perlin's have about 1.
        side: Pixels along each side; pixel i lies at i · cells / side of the lattice.

    Returns:
        (B, side, side), linear in ``vectors``.
    """
    cells = vectors.shape[1] - 1
    pixel = torch.arange(side, device=vectors.device, dtype=vectors.dtype) * cells / side
    point = torch.arange(cells + 1, device=vectors.device, dtype=vectors.dtype)
    offset = pixel[:, None] - point
    share = 1 - _fade(offset.abs().clamp(max=1))
    slope = share * offset
    return share @ vectors[..., 0] @ slope.T + slope @ vectors[..., 1] @ share.T


def _fade(t: Tensor) -> Tensor:
    """From 0 at 0 to 1 at 1, with first and second derivatives of 0 at both."""
    return t**3 * (t * (6 * t - 15) + 10)
