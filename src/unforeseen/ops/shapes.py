"""Small shapes drawn into bitmaps, many at a time. Numpy, for drawing scenes on the CPU."""

__all__ = ["CORNERS", "DISC", "SQUARE", "TRIANGLE", "dilate", "fill_disc", "fill_polygon"]

import math

import numpy as np
from numpy.typing import NDArray

DISC, TRIANGLE, SQUARE = 0, 1, 2

#: Corners (row, column) of unit shapes in the order in which :func:`fill_polygon` wants them, for
#: an edge of 1; a triangle's last corner is repeated, a disc has none.
CORNERS: NDArray[np.float64] = np.array(
    [
        [(0.0, 0.0)] * 4,
        [(0.0, 0.0), (0.0, 1.0), (math.sin(math.pi / 3), 0.5), (math.sin(math.pi / 3), 0.5)],
        [(0.0, 0.0), (0.0, 1.0), (1.0, 1.0), (1.0, 0.0)],
    ]
)


def fill_disc(centre: NDArray[np.int64], radius: float, side: int) -> NDArray[np.bool_]:
    """Pixels nearer to a centre than ``radius``.

    Args:
        centre: Rows and columns, (N, 2).
        radius: In pixels.
        side: k, of the bitmaps.

    Returns:
        (N, k, k).
    """
    row, column = np.mgrid[:side, :side]
    squared = (row - centre[:, 0, None, None]) ** 2 + (column - centre[:, 1, None, None]) ** 2
    disc: NDArray[np.bool_] = squared < radius**2
    return disc


def fill_polygon(corners: NDArray[np.int64], side: int) -> NDArray[np.bool_]:
    """Pixels of convex polygons, each pixel a point; of the outline, half is inside.

    Polygons that share an edge share no pixel, so that areas are right on average.

    Args:
        corners: Rows and columns of whole pixels, (N, corners, 2), clockwise on the screen;
            repeated corners are fine.
        side: k, of the bitmaps.

    Returns:
        (N, k, k).
    """
    row, column = np.mgrid[:side, :side]
    inside = np.ones((len(corners), side, side), dtype=np.bool_)
    for this, following in zip(
        np.moveaxis(corners, 1, 0), np.moveaxis(np.roll(corners, -1, axis=1), 1, 0), strict=True
    ):
        down, across = (following - this).T[:, :, None, None]
        side_of = across * (row - this[:, 0, None, None]) - down * (column - this[:, 1, None, None])
        counts = (down > 0) | ((down == 0) & (across < 0))
        repeated = (down == 0) & (across == 0)
        inside &= (side_of > 0) | ((side_of == 0) & (counts | repeated)) | repeated
    return inside


def dilate(bitmaps: NDArray[np.bool_], reach: int) -> NDArray[np.bool_]:
    """Grows (N, k, k) bitmaps by a square of ±``reach`` pixels; they need that much of a border."""
    grown = bitmaps.copy()
    for axis in (1, 2):
        source = grown.copy()
        for shift in range(1, reach + 1):
            grown |= np.roll(source, shift, axis) | np.roll(source, -shift, axis)
    return grown
