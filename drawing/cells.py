"""A plane that points divide among them, each having what is nearest to it (Voronoi 1908; Worley 1996)."""

__all__ = ["Cells", "cells", "scattered"]

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy.spatial import cKDTree

Array = NDArray[np.float64]


class Cells(NamedTuple):
    """For every place: the number of its point ``nearest``, the ``distance`` to it and that ``to_edge`` of its cell."""

    nearest: NDArray[np.int64]
    distance: Array
    to_edge: Array


def scattered(
    generator: np.random.Generator, low: float, high: float, spacing: float, jitter: float = 0.9
) -> Array:
    """One point per square of a grid, moved at random within ``jitter`` of the square; (N, 2)."""
    first = np.arange(low, high, spacing) + spacing / 2
    points = np.stack(np.meshgrid(first, first), axis=-1).reshape(-1, 2)
    result: Array = points + generator.uniform(-jitter / 2, jitter / 2, points.shape) * spacing
    return result


def cells(x: Array, y: Array, points: Array, neighbours: int = 6) -> Cells:
    """Divides the places at x and y, of one shape, among points (N, 2).

    The distance to an edge is taken over this many nearest points.
    """
    places = np.stack([x.ravel(), y.ravel()], axis=-1)
    distances, found = cKDTree(points).query(places, k=neighbours)
    nearest = points[found[:, 0]]
    to_edge = np.full(len(places), np.inf)
    for each in range(1, neighbours):
        other = points[found[:, each]]
        between = other - nearest
        length = np.hypot(between[:, 0], between[:, 1])
        # Half way between two points runs their common edge.
        along = ((other + nearest) / 2 - places) * between
        np.minimum(to_edge, along.sum(axis=1) / length, out=to_edge)
    shape = x.shape
    return Cells(
        found[:, 0].reshape(shape).astype(np.int64),
        distances[:, 0].reshape(shape),
        to_edge.reshape(shape),
    )
