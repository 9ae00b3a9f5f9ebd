"""Independent references: numpy, scipy and plain loops that read as the specification does."""

__all__ = [
    "assert_uniform",
    "bicubic_upsample",
    "bilinear_upsample",
    "block_values",
    "diamond_square_heights",
    "gabor_kernel",
    "gaussian_blur",
    "jpeg_space_noise",
    "perlin_plane",
    "pictures",
    "sample",
    "snow_streak",
]

import math
from typing import Literal

import numpy as np
from numpy.typing import NDArray
from scipy import fft, ndimage, stats
from torch import Tensor

from unforeseen.contract.case import pictures

Array = NDArray[np.float64]

#: JFIF's matrix from RGB to Y, Cb, Cr (ITU-T T.871), written as there.
YCBCR = np.array(
    [[0.299, 0.587, 0.114], [-0.168736, -0.331264, 0.5], [0.5, -0.418688, -0.081312]], dtype=float
)


def assert_uniform(values: Tensor | Array, low: float, high: float) -> None:
    """Fails where values don't look drawn from U(low, high), at a significance of 1e-3."""
    flat = np.asarray(values, dtype=np.float64).ravel()
    assert stats.kstest(flat, stats.uniform(low, high - low).cdf).pvalue > 1e-3


def sample(plane: Array, across: Array, down: Array, outside: Literal["zeros", "mirror"]) -> Array:
    """Bilinear samples of a plane (H, W) at coordinates in which it is 2 wide and 2 high."""
    height, width = plane.shape
    places = [((down + 1) * height - 1) / 2, ((across + 1) * width - 1) / 2]
    mode = "grid-constant" if outside == "zeros" else "reflect"
    sampled: Array = ndimage.map_coordinates(plane, places, order=1, mode=mode)
    return sampled


def bilinear_upsample(plane: Array, height: int, width: int) -> Array:
    """Half-pixel centres, edges repeated."""
    rows = (np.arange(height) + 0.5) * plane.shape[0] / height - 0.5
    columns = (np.arange(width) + 0.5) * plane.shape[1] / width - 0.5
    grid = np.meshgrid(rows, columns, indexing="ij")
    upsampled: Array = ndimage.map_coordinates(plane, grid, order=1, mode="nearest")
    return upsampled


def bicubic_upsample(plane: Array, height: int, width: int, *, a: float = -0.75) -> Array:
    """Keys' cubic convolution, half-pixel centres, edges repeated; one axis after the other."""
    return _cubic_rows(_cubic_rows(plane, height, a).T, width, a).T


def _cubic_rows(plane: Array, length: int, a: float) -> Array:
    result = np.zeros((length, plane.shape[1]))
    for target in range(length):
        source = (target + 0.5) * len(plane) / length - 0.5
        for neighbour in range(math.floor(source) - 1, math.floor(source) + 3):
            t = abs(source - neighbour)
            near = (a + 2) * t**3 - (a + 3) * t**2 + 1
            far = a * (t**3 - 5 * t**2 + 8 * t - 4)
            weight = near if t <= 1 else far if t < 2 else 0.0
            result[target] += weight * plane[min(max(neighbour, 0), len(plane) - 1)]
    return result


def jpeg_space_noise(picture: Array, noise: Array) -> Array:
    """Encodes (3, H, W), adds 255 times the noise block by block, decodes, clamps.

    A picture whose sides 8 doesn't divide is continued by its last row and column.
    """
    _, height, width = picture.shape
    padded = np.pad(picture, ((0, 0), (0, -height % 8), (0, -width % 8)), mode="edge")
    planes = np.tensordot(YCBCR, padded * 255, axes=1)
    planes[0] -= 128  # Cb and Cr would get 128 added and subtracted again
    for channel in range(3):
        for row in range(0, padded.shape[1], 8):
            for column in range(0, padded.shape[2], 8):
                block = np.s_[channel, row : row + 8, column : column + 8]
                coefficients = fft.dctn(planes[block], norm="ortho")
                planes[block] = fft.idctn(coefficients + 255 * noise[block], norm="ortho")
    planes[0] += 128
    decoded = np.tensordot(np.linalg.inv(YCBCR), planes, axes=1) / 255
    clamped: Array = decoded[:, :height, :width].clip(0, 1)
    return clamped


def gabor_kernel(size: int, sides: int, sigma: float, angle: float, frequency: float) -> Array:
    """Σ_s w_s · exp(−r²/(2(σ + 1e-3)²)) · cos(2πΛ·x_θ), cell by cell on [−½, ½]²."""
    kernel = np.zeros((size, size))
    for row in range(size):
        for column in range(size):
            y, x = row / (size - 1) - 0.5, column / (size - 1) - 0.5
            for side in range(sides):
                weight = 1.0 if side == 0 else 1 / sides
                theta = angle + math.pi * side / sides
                rotated = x * math.cos(theta) + y * math.sin(theta)
                envelope = math.exp(-(x * x + y * y) / (2 * (sigma + 1e-3) ** 2))
                kernel[row, column] += (
                    weight * envelope * math.cos(2 * math.pi * frequency * rotated)
                )
    return kernel


def gaussian_blur(plane: Array, size: int, sigma: float) -> Array:
    """Rows, then columns, weighted by exp(−d²/2σ²) within ``size`` pixels, mirrored at the borders."""
    offsets = np.arange(size) - size // 2
    weights = np.exp(-(offsets**2) / (2 * sigma**2))
    weights /= weights.sum()
    rows = ndimage.correlate1d(plane, weights, axis=0, mode="mirror")
    blurred: Array = ndimage.correlate1d(rows, weights, axis=1, mode="mirror")
    return blurred


def diamond_square_heights(displacement: Array, side: int, decay: float) -> Array:
    """Midpoint displacement of (side² − 1,), point by point at its place on a surface that wraps."""
    heights = np.zeros((side, side))
    given = iter(displacement.tolist())
    step, weight = side, 1.0
    while step > 1:
        half = step // 2
        aside = [(0, half), (0, -half), (half, 0), (-half, 0)]
        corners = [(half, half), (half, -half), (-half, half), (-half, -half)]
        for (down, right), neighbours in (
            ((half, half), corners),
            ((0, half), aside),
            ((half, 0), aside),
        ):
            for row in range(down, side, step):
                for column in range(right, side, step):
                    around = [heights[(row + a) % side, (column + b) % side] for a, b in neighbours]
                    heights[row, column] = sum(around) / 4 + weight * next(given)
        step, weight = half, weight / decay
    assert next(given, None) is None
    return heights


def perlin_plane(vectors: Array, side: int) -> Array:
    """Perlin's improved noise from (cells + 1, cells + 1, 2) vectors, by nested interpolation."""
    cells = len(vectors) - 1
    plane = np.zeros((side, side))

    def fade(t: float) -> float:
        return 6 * t**5 - 15 * t**4 + 10 * t**3

    for y, x in np.ndindex(side, side):
        row, v = divmod(y * cells / side, 1)
        column, u = divmod(x * cells / side, 1)
        corners = [
            [
                float(
                    np.dot(vectors[int(row) + down, int(column) + across], (u - across, v - down))
                )
                for across in (0, 1)
            ]
            for down in (0, 1)
        ]
        upper, lower = (left + fade(u) * (right - left) for left, right in corners)
        plane[y, x] = upper + fade(v) * (lower - upper)
    return plane


def snow_streak(size: int, down: int, across: int, thickness: float) -> Array:
    """One streak before it is blurred: a line to (m + down, m + across), and its reflection."""
    middle = size // 2
    kernel = np.zeros((size, size))
    steep = down >= across
    long, short = (down, across) if steep else (across, down)
    width = thickness * math.sqrt(1 + short / long) / 2
    for along in range(long + 1):
        line = along * short / long
        for aside in range(size - middle):
            value = min(max(1 + width / 2 - abs(aside - line), 0.0), 1.0)
            row, column = (along, aside) if steep else (aside, along)
            kernel[middle + row, middle + column] = value
            kernel[middle - row, middle - column] = value
    return kernel


def block_values(plane: Array, side: int, reduce: Literal["mean", "corner"]) -> Array:
    """Each pixel's block value: mean or top-left pixel of blocks that may stick out, (H, W)."""
    result = np.empty_like(plane)
    for row in range(0, plane.shape[0], side):
        for column in range(0, plane.shape[1], side):
            block = np.s_[row : row + side, column : column + side]
            result[block] = plane[block].mean() if reduce == "mean" else plane[row, column]
    return result
