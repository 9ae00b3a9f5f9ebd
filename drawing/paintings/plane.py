"""Colours and numbers on a square whose sides run from 0 to 1."""

__all__ = ["Array", "Colour", "around", "blurred", "mixed", "plane", "scattered"]

from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

Array: TypeAlias = NDArray[np.float64]
#: Red, green and blue from 0 to 255.
Colour: TypeAlias = tuple[float, float, float]


def plane(side: int) -> tuple[Array, Array]:
    """The x and y of each pixel's middle, from 0 to 1."""
    y, x = (np.mgrid[:side, :side] + 0.5) / side
    return x, y


def scattered(spacing: float, seed: int) -> tuple[Array, Array]:
    """Points about a spacing apart, in shares of the side, in random order, a little beyond the edges too."""
    generator = np.random.default_rng(seed)
    steps = np.arange(-spacing, 1 + 2 * spacing, spacing)
    x, y = (each.ravel() for each in np.meshgrid(steps, steps))
    x, y = (each + generator.uniform(-0.5, 0.5, each.shape) * spacing for each in (x, y))
    order = generator.permutation(len(x))
    return x[order], y[order]


def around(picture: Array, x: Array, y: Array) -> Array:
    """What a picture, or a field of numbers, has at points in shares of its side."""
    side = len(picture)
    row, column = (np.clip((each * side).astype(np.int64), 0, side - 1) for each in (y, x))
    values: Array = picture[row, column]
    return values


def blurred(values: Array, sigma: float) -> Array:
    """Values smoothed by a Gaussian of this many pixels; edges are continued."""
    reach = int(np.ceil(3 * sigma))
    weights = np.exp(-0.5 * (np.arange(-reach, reach + 1) / sigma) ** 2)
    weights /= weights.sum()
    for axis in (0, 1):
        pad = [(reach, reach) if each == axis else (0, 0) for each in range(values.ndim)]
        wide = np.pad(values, pad, mode="edge")
        length = values.shape[axis]
        values = sum(
            (
                weight * np.take(wide, np.arange(offset, offset + length), axis)
                for offset, weight in enumerate(weights)
            ),
            np.zeros(values.shape),
        )
    return values


def mixed(share: Array, *stops: tuple[float, Colour]) -> Array:
    """Colours along a scale: (…, 3), 0 to 1, from stops at rising shares."""
    at = [stop for stop, _ in stops]
    return np.stack(
        [np.interp(share, at, [colour[each] / 255 for _, colour in stops]) for each in range(3)], -1
    )
