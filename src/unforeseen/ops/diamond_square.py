"""Fractal surfaces by midpoint displacement (Fournier, Fussell & Carpenter 1982)."""

__all__ = ["diamond_square", "displacement_count"]

import torch
from torch import Tensor


def displacement_count(side: int) -> int:
    """How many points of a surface of ``side`` × ``side`` are displaced: all but the first."""
    return side * side - 1


def diamond_square(displacement: Tensor, side: int, *, decay: float) -> Tensor:
    """Refines a surface that begins as one point of height 0 and has no borders: it wraps.

    At each of the log₂(side) levels n × n points become 2n × 2n. First the squares' centres, then
    the middles of their horizontal and of their vertical edges (the diamonds' centres) get the
    mean of their four neighbours plus weight · displacement. The weight is 1, 1/decay, 1/decay² …

    Args:
        displacement: (B, side² − 1): level by level, the coarsest first; in each one n × n values
            for the squares' centres, for the horizontal edges, and for the vertical edges. Index
            (row, column) of each is that of the square's upper left corner, whose lower right
            point, right neighbour and lower neighbour they displace.
        side: A power of two.
        decay: What the weight is divided by from one level to the next.

    Returns:
        Heights, (B, side, side), linear in ``displacement``; the first is always 0.
    """
    surface = displacement.new_zeros(len(displacement), 1, 1)
    done, weight = 0, 1.0
    while (points := surface.shape[-1]) < side:
        level = displacement[:, done : done + 3 * points * points]
        new = weight * level.reshape(-1, 3, points, points)
        surface = _refine(surface, new[:, 0], new[:, 1], new[:, 2])
        done, weight = done + 3 * points * points, weight / decay
    return surface


def _refine(corner: Tensor, centre: Tensor, horizontal: Tensor, vertical: Tensor) -> Tensor:
    """One level: (B, n, n), thrice → (B, 2n, 2n)."""
    across, down = corner + corner.roll(-1, dims=-1), corner + corner.roll(-1, dims=-2)
    centre = centre + (across + across.roll(-1, dims=-2)) / 4
    horizontal = horizontal + (across + centre + centre.roll(1, dims=-2)) / 4
    vertical = vertical + (down + centre + centre.roll(1, dims=-1)) / 4
    even_rows = torch.stack([corner, horizontal], dim=-1).flatten(-2)
    odd_rows = torch.stack([vertical, centre], dim=-1).flatten(-2)
    return torch.stack([even_rows, odd_rows], dim=-2).flatten(-3, -2)
