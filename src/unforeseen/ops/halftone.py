"""Halftone screens: blocks of a plane, each drawn as a shape whose area is the block's mean.

A screen is a grid of square blocks, turned about the plane's upper left corner. Lengths are in pixels.
Shapes are antialiased so that their area is right: an even grey keeps its mean.
"""

__all__ = ["Shape", "halftone", "scatter_pixels"]

import math
from functools import lru_cache
from typing import Literal, NamedTuple

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from unforeseen.ops.blocks import block_count, spread
from unforeseen.ops.sampling import pixel_centres
from unforeseen.rng import Stream

Shape = Literal["disc", "square", "zigzag"]

#: Lines of a zigzag are about this far from each other, or farther.
_LEAST_PERIOD = 3
#: Pictures of random pixels that blocks choose from; each has its own order of pixels.
_ORDERS = 64
#: Screens of larger planes, in pixels, aren't kept for the next.
_LARGEST_KEPT = 2**18


def halftone(plane: Tensor, block: int, angle: float, shape: Shape) -> Tensor:
    """Draws a plane in white on black.

    Args:
        plane: (H, W) in [0, 1].
        block: Side of a block.
        angle: By which the screen is turned, in degrees.
        shape: ``disc`` and ``square``: of that area; ``zigzag``: a line of an even width of which the
            mean decides how often it goes up and down.

    Returns:
        (H, W) in [0, 1].
    """
    height, width = plane.shape
    make = _screen if height * width <= _LARGEST_KEPT else _screen.__wrapped__
    screen = make(height, width, block, angle, plane.dtype, plane.device)
    means = _means(plane, block, *screen.centres)
    # Rounding carries what is wholly white over 1.
    return _DRAWN[shape](means.flatten(), screen, block).clamp(0, 1)


def scatter_pixels(planes: Tensor, block: int, stream: Stream) -> Tensor:
    """Draws each block of planes as random white pixels, as many as its mean asks for.

    Args:
        planes: (C, H, W) in [0, 1].
        block: Side of a block; blocks lie along the planes' sides.
        stream: Says which pixels.

    Returns:
        (C, H, W), 0 and 1.
    """
    channels, height, width = planes.shape
    rows, columns = block_count(height, block), block_count(width, block)
    order = stream.uniform(0, 1, (_ORDERS, block * block)).argsort(-1, kind="stable").argsort(-1)
    thresholds = torch.from_numpy((order + 0.5) / (block * block)).to(planes)
    chosen = torch.from_numpy(stream.integers(0, _ORDERS - 1, (channels, rows, columns)))
    of_pixels = thresholds.reshape(-1, block, block)[chosen.to(planes.device)]
    screen = of_pixels.transpose(2, 3).reshape(channels, rows * block, columns * block)
    v, u = torch.meshgrid(
        (torch.arange(rows, device=planes.device) + 0.5) * block,
        (torch.arange(columns, device=planes.device) + 0.5) * block,
        indexing="ij",
    )
    means = torch.stack([_means(plane, block, u, v) for plane in planes])
    whole = spread(means, (block, block), (height, width))
    white: Tensor = whole > screen[:, :height, :width]
    return white.to(planes.dtype)


def _means(plane: Tensor, block: int, x: Tensor, y: Tensor) -> Tensor:
    """Means of the squares of ``block`` pixels around these places, as far as they are in the plane."""
    height, width = plane.shape
    # Not every device has numbers of 64 bits, which the sums of a large plane need.
    x, y, summed = x.cpu(), y.cpu(), plane.cpu().double()
    left = (x - block / 2).round().long().clamp(0, width - 1)
    top = (y - block / 2).round().long().clamp(0, height - 1)
    right = torch.maximum((x + block / 2).round().long().clamp(max=width), left + 1)
    bottom = torch.maximum((y + block / 2).round().long().clamp(max=height), top + 1)
    sums = summed.new_zeros((height + 1, width + 1))
    sums[1:, 1:] = summed.cumsum(0).cumsum(1)
    inside = sums[bottom, right] - sums[top, right] - sums[bottom, left] + sums[top, left]
    return (inside / ((bottom - top) * (right - left))).clamp(0, 1).to(plane)


class _Screen(NamedTuple):
    """Blocks, (rows · columns) of them, and which one each pixel is in.

    Attributes:
        centres: x and y of the blocks' centres.
        block_of: Index of each pixel's block, (H, W).
        across: Of each pixel's centre from its block's centre along the block's rows, (H, W).
        down: The same along its columns.
    """

    centres: tuple[Tensor, Tensor]
    block_of: Tensor
    across: Tensor
    down: Tensor


@lru_cache(maxsize=16)
def _screen(
    height: int, width: int, block: int, angle: float, dtype: torch.dtype, device: torch.device
) -> _Screen:
    like = torch.empty((), dtype=dtype, device=device)
    cosine, sine = math.cos(math.radians(angle)), math.sin(math.radians(angle))
    x, y = pixel_centres(height, width, like)
    across, down = (cosine * x + sine * y) / block, (cosine * y - sine * x) / block
    column, row = across.floor(), down.floor()
    left, top = column.min(), row.min()
    columns, rows = int(column.max() - left) + 1, int(row.max() - top) + 1
    u, v = pixel_centres(rows, columns, like)
    u, v = ((u + left) * block).flatten(), ((v + top) * block).flatten()
    return _Screen(
        centres=(cosine * u - sine * v, cosine * v + sine * u),
        block_of=((row - top) * columns + (column - left)).long(),
        across=(across - column - 0.5) * block,
        down=(down - row - 0.5) * block,
    )


def _squares(means: Tensor, screen: _Screen, block: int) -> Tensor:
    side = (means.sqrt() * block)[screen.block_of]
    return _band(screen.across, side, block) * _band(screen.down, side, block)


def _band(distance: Tensor, width: Tensor, period: float | Tensor) -> Tensor:
    """How much of a pixel is inside bands of this width that lie ``period`` apart.

    Args:
        distance: Of the pixel's centre from the middle of its band, at most half a period.
        width: At most a period.
        period: Of the same unit.
    """
    most, reach = width.clamp(max=1), (width + 1) / 2
    nearest = distance.abs()
    own = torch.minimum((reach - nearest).clamp(min=0), most)
    return own + torch.minimum((reach - (period - nearest)).clamp(min=0), most)


def _discs(means: Tensor, screen: _Screen, block: int) -> Tensor:
    areas, radii = _areas_of_discs(block)
    reach = torch.from_numpy(np.interp(means.cpu().numpy(), areas, radii) + 0.5).to(means)
    distance = (screen.across.square() + screen.down.square()).sqrt()
    return (reach[screen.block_of] - distance).clamp(0, 1)


def _areas_of_discs(block: int) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Which share of a block's area antialiased discs cover, and their radii in pixels.

    A disc's edge fades over one pixel, so its area is the mean of those of hard discs from half a
    pixel less to half a pixel more.
    """
    half = 0.5 * block
    radii = np.linspace(-0.5, math.sqrt(2) * half + 0.5, 257)
    hard = np.linspace(-1, math.sqrt(2) * half + 1, 1025)
    inside = np.pi * hard.clip(0, half) ** 2
    out = hard.clip(half, math.sqrt(2) * half)
    beyond = np.where(hard > half, np.pi * (out**2 - half**2), 0)
    segments = 4 * (out**2 * np.arccos(half / out) - half * np.sqrt(out**2 - half**2))
    share = (inside + beyond - np.where(hard > half, segments, 0)) / block**2
    whole = np.concatenate([[0], np.cumsum((share[1:] + share[:-1]) / 2)]) * (hard[1] - hard[0])
    areas = np.interp(radii + 0.5, hard, whole) - np.interp(radii - 0.5, hard, whole)
    return np.maximum.accumulate(areas), radii


def _zigzags(means: Tensor, screen: _Screen, block: int) -> Tensor:
    """Lines that go up and down f times a block; what leaves it above comes in below.

    Of a line that rises by 2f, each column of a block is white to the share of its mean.
    """
    frequency = (means * max(1, round(block / _LEAST_PERIOD))).ceil().clamp(min=1)
    # Measured across the line, what is as long as a block along a column.
    length = block / (1 + (2 * frequency).square()).sqrt()
    of_blocks = torch.stack([frequency, length, means * length], dim=-1)
    often, period, line = of_blocks[screen.block_of].unbind(-1)
    phase = (screen.across / block + 0.5) * often
    rise = (2 * (phase - phase.floor()) - 1).abs()
    away = screen.down / block + rise
    return _band((away - away.round()) * period, line, period)


_DRAWN = {"disc": _discs, "square": _squares, "zigzag": _zigzags}
