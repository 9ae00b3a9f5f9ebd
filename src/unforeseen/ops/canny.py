"""Canny's edges without hysteresis (Canny 1986). Numpy, for drawing scenes on the CPU.

Kornia's would do for the variant ``standard``, but which of two equal neighbours it keeps has
changed between its releases, and rows must not depend on that. Sums in float64 and comparisons
give the same edges on every machine, whatever the picture's device and dtype.
"""

__all__ = ["CannyVariant", "canny_edges"]

import math
from typing import Literal

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

Array = NDArray[np.float64]
Padding = Literal["reflect", "edge", "constant"]
CannyVariant = Literal["standard", "published"]

#: Share of the picture's largest magnitude (after thinning) that an edge must exceed.
THRESHOLD = 0.1

#: Below this a picture is flat: gradients are rounding, an edge of one grey level in 255 has 1e-2.
FLAT = 1e-6

#: Rec. 601, as OpenCV and kornia have it.
LUMA = (0.299, 0.587, 0.114)

#: The Gaussian of σ = 1 at −1, 0, 1 pixels.
GAUSSIAN = np.array([math.exp(-0.5), 1.0, math.exp(-0.5)]) / (1 + 2 * math.exp(-0.5))

Offset = tuple[int, int]

#: Angles (degrees) at which a gradient's direction goes into the next bin, counted from the
#: horizontal; the bins of falling gradients are counted backwards, modulo 4.
BIN_ENDS: dict[CannyVariant, tuple[float, ...]] = {
    "standard": (22.5, 67.5),
    "published": (11.25, 33.75, 56.25, 78.75),
}

#: Neighbours (row, column) that a pixel must exceed, per bin.
EXCEEDED: dict[CannyVariant, tuple[tuple[Offset, ...], ...]] = {
    "standard": (((0, -1),), ((-1, -1), (1, 1)), ((-1, 0),), ((-1, 1), (1, -1))),
    "published": (((0, -1), (0, 1)), ((-1, 1), (1, -1)), ((-1, 0),), ((-1, -1),)),
}

#: Neighbours that a pixel must equal or exceed, per bin: of two equal ones the first is an edge.
EQUALLED: dict[CannyVariant, tuple[tuple[Offset, ...], ...]] = {
    "standard": (((0, 1),), (), ((1, 0),), ()),
    "published": ((), (), (), ()),
}


def canny_edges(x: Tensor, *, variant: CannyVariant) -> Tensor:
    """Which pixels lie on an edge.

    Args:
        x: Pictures (B, 3, H, W) in [0, 1].
        variant: ``standard``: gradients of the grey picture, edges of the picture continued, two
            neighbours along the gradient, as OpenCV and kornia compare them. ``published``: what
            the paper's figures were made with: gradients averaged over the channels; zeros around
            the picture, so that its border is an edge; neighbours by twice the gradient's angle,
            for half of the directions only one of them.

    Returns:
        (B, 1, H, W), boolean.
    """
    channels = x.detach().cpu().numpy().astype(np.float64)
    # Gradients are linear: averaging them is averaging channels.
    weights = LUMA if variant == "standard" else (1 / 3, 1 / 3, 1 / 3)
    grey = sum(weight * channels[:, number] for number, weight in enumerate(weights))
    across, down = _gradient(np.asarray(grey), variant)
    magnitude = np.sqrt(across * across + down * down)
    thinned = np.where(_peaks(magnitude, _bins(across, down, variant), variant), magnitude, 0.0)
    largest = thinned.max(axis=(1, 2), keepdims=True)
    edges = thinned > np.maximum(THRESHOLD * largest, FLAT)
    return torch.from_numpy(edges[:, None]).to(x.device)


def _gradient(grey: Array, variant: CannyVariant) -> tuple[Array, Array]:
    """Gaussian, then Sobel: horizontal and vertical derivative (rows point down), (B, H, W)."""
    standard = variant == "standard"
    blurred = _weighted(grey, GAUSSIAN, GAUSSIAN, "reflect" if standard else "constant")
    around: Padding = "edge" if standard else "constant"
    smooth, difference = np.array([1.0, 2.0, 1.0]), np.array([-1.0, 0.0, 1.0])
    return (
        _weighted(blurred, smooth, difference, around),
        _weighted(blurred, difference, smooth, around),
    )


def _weighted(plane: Array, rows: Array, columns: Array, around: Padding) -> Array:
    """Weighted sum of each pixel's 3×3 neighbourhood, the weights an outer product."""
    height, width = plane.shape[-2:]
    padded = np.pad(plane, ((0, 0), (1, 1), (1, 1)), mode=around)
    tall = sum(weight * padded[:, row : row + height] for row, weight in enumerate(rows))
    wide = sum(weight * tall[..., column : column + width] for column, weight in enumerate(columns))
    return np.asarray(wide)


def _bins(across: Array, down: Array, variant: CannyVariant) -> NDArray[np.int64]:
    """The direction of each gradient, 0 … 3, (B, H, W)."""
    steep = [
        np.abs(down) > math.tan(math.radians(end)) * np.abs(across) for end in BIN_ENDS[variant]
    ]
    count = np.sum(steep, axis=0, dtype=np.int64)
    return np.where((across < 0) == (down < 0), count, -count) % 4


def _peaks(magnitude: Array, bins: NDArray[np.int64], variant: CannyVariant) -> NDArray[np.bool_]:
    """Pixels that their neighbours in the gradient's direction don't reach; outside is 0."""
    height, width = magnitude.shape[-2:]
    padded = np.pad(magnitude, ((0, 0), (1, 1), (1, 1)))

    def neighbour(offset: Offset) -> Array:
        row, column = 1 + offset[0], 1 + offset[1]
        return padded[:, row : row + height, column : column + width]

    peaks = np.zeros(magnitude.shape, dtype=np.bool_)
    for number in range(4):
        peak = bins == number
        for offset in EXCEEDED[variant][number]:
            peak &= magnitude > neighbour(offset)
        for offset in EQUALLED[variant][number]:
            peak &= magnitude >= neighbour(offset)
        peaks |= peak
    return peaks
