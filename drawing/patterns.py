"""Nine patterns that cover about three fifths of a picture and go on at all edges of their tile."""

__all__ = ["PATTERNS", "SIDE", "draw_pattern"]

from collections.abc import Callable
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray
from PIL import Image

from drawing.canvas import SUPERSAMPLING

#: Of a tile in pixels; each holds about four repeats a side.
SIDE = 256

Coordinates: TypeAlias = NDArray[np.float64]
Covers: TypeAlias = NDArray[np.bool_]


def draw_pattern(name: str) -> Image.Image:
    """A tile in grey: white where it covers."""
    points = SIDE * SUPERSAMPLING
    y, x = (np.mgrid[:points, :points] + 0.5) / points
    covers = PATTERNS[name](x, y).reshape(SIDE, SUPERSAMPLING, SIDE, SUPERSAMPLING)
    return Image.fromarray(np.round(covers.mean((1, 3)) * 255).astype(np.uint8))


def _bricks(x: Coordinates, y: Coordinates) -> Covers:
    """Thick joints around bricks; every other row is shifted by half a brick."""
    row, up = np.divmod(y * 6, 1)
    along = (x * 3 + 0.5 * (row % 2)) % 1
    covers: Covers = (up < 0.4) | (along < 0.27)
    return covers


def _checks(x: Coordinates, y: Coordinates) -> Covers:
    """A chessboard whose two kinds of square differ in size."""
    return ~(((x * 4) % 1 < 0.62) ^ ((y * 4) % 1 < 0.62))


def _discs(x: Coordinates, y: Coordinates) -> Covers:
    """Round holes in a square grid."""
    return np.hypot((x * 4) % 1 - 0.5, (y * 4) % 1 - 0.5) > 0.37


def _hatching(x: Coordinates, y: Coordinates) -> Covers:
    """Two sets of diagonal lines that cross."""
    return (((x + y) * 4) % 1 < 0.36) | (((x - y) * 4) % 1 < 0.36)


def _honeycomb(x: Coordinates, y: Coordinates) -> Covers:
    """Hexagonal holes: five columns and six rows come near to a regular grid in a square."""
    to_edge = np.full_like(x, np.inf)
    for shift in (0.0, 0.5):
        across = (x * 5 - shift) % 1 - 0.5
        along = ((y * 3 - shift) % 1 - 0.5) * (5 / 3)
        slanted = np.abs(across) / 2 + np.abs(along) * np.sqrt(3) / 2
        to_edge = np.minimum(to_edge, np.maximum(np.abs(across), slanted))
    return to_edge > 0.32


def _scales(x: Coordinates, y: Coordinates) -> Covers:
    """Rows of half circles, each over the one above; thick rims and a spot in each."""
    share = np.zeros_like(x)
    # A lower row's circles lie over those of the row above it.
    for below in (2, 1, 0):
        row = np.floor(y * 8) + below
        across = (x * 4 - 0.5 * (row % 2)) % 1 - 0.5
        distance = np.hypot(across, (y * 8 - row) / 2) / 0.5
        share = np.where(distance < 1, distance, share)
    return (share > 0.74) | (share < 0.4)


def _stars(x: Coordinates, y: Coordinates) -> Covers:
    """Five-pointed holes; every other row is shifted by half."""
    row, up = np.divmod(y * 4, 1)
    across, along = (x * 4 + 0.5 * (row % 2)) % 1 - 0.5, up - 0.53
    sector = np.pi / 5
    angle = np.abs((np.arctan2(across, -along) + sector) % (2 * sector) - sector)
    distance = np.hypot(across, along)
    # Between a tip and the notch beside it a star's outline is a straight line.
    tip, notch = 0.52, 0.26
    reach = tip * notch * np.sin(sector)
    slope = notch * np.sin(sector - angle) + tip * np.sin(angle)
    covers: Covers = distance * slope > reach
    return covers


def _waves(x: Coordinates, y: Coordinates) -> Covers:
    """Bands that swing, thick and thin by turns."""
    swing = 0.045 * np.sin(2 * np.pi * 2 * x) + 0.012 * np.sin(2 * np.pi * 4 * x)
    return ((y + swing) * 5) % 1 < 0.6 + 0.08 * np.sin(2 * np.pi * 2 * x)


def _zigzag(x: Coordinates, y: Coordinates) -> Covers:
    """Bands that go up and down at right angles."""
    return ((y + np.abs((x * 4) % 1 - 0.5) / 4) * 6) % 1 < 0.6


#: Whether each pattern covers the points at x and y, which run from 0 to 1.
PATTERNS: dict[str, Callable[[Coordinates, Coordinates], Covers]] = {
    "bricks": _bricks,
    "checks": _checks,
    "discs": _discs,
    "hatching": _hatching,
    "honeycomb": _honeycomb,
    "scales": _scales,
    "stars": _stars,
    "waves": _waves,
    "zigzag": _zigzag,
}
