"""Filled shapes: lattice geometry (Pick), Matplotlib and scipy as references."""

import numpy as np
import pytest
from matplotlib.path import Path
from numpy.typing import NDArray
from scipy import ndimage

from unforeseen.ops.shapes import dilate, fill_disc, fill_polygon

SIDE = 40

Corners = NDArray[np.int64]


def clockwise(corners: Corners) -> Corners:
    """Orders polygons (N, corners, 2) of rows and columns so that they turn right on the screen."""
    doubled = twice_the_area(corners)
    return np.where(doubled[:, None, None] < 0, corners[:, ::-1], corners)


def twice_the_area(corners: Corners) -> Corners:
    """Shoelace formula, signed: positive for clockwise on the screen (rows point down)."""
    row, column = corners[..., 0], corners[..., 1]
    following = np.roll(corners, -1, axis=1)
    signed: Corners = (column * following[..., 0] - following[..., 1] * row).sum(axis=1)
    return signed


def random_triangles(count: int) -> Corners:
    drawn = np.random.default_rng(0).integers(0, SIDE // 2, (count, 3, 2))
    return clockwise(drawn[twice_the_area(drawn) != 0])


def test_a_triangle_and_its_reflection_hold_the_area_of_their_parallelogram() -> None:
    triangles = random_triangles(300)
    # Reflected in the middle of one edge: together they tile, so by Pick every pixel counts once.
    reflected = triangles[:, :1] + triangles[:, 1:2] - triangles
    offset = np.minimum(triangles.min(axis=1), reflected.min(axis=1))[:, None]
    both = fill_polygon(triangles - offset, 2 * SIDE), fill_polygon(reflected - offset, 2 * SIDE)
    assert not (both[0] & both[1]).any()
    pixels = sum(each.sum(axis=(1, 2)) for each in both)
    np.testing.assert_array_equal(pixels, twice_the_area(triangles))


def test_parallelograms_hold_exactly_their_area() -> None:
    triangles = random_triangles(300)
    fourth = triangles[:, :1] + triangles[:, 2:] - triangles[:, 1:2]
    corners = np.concatenate([triangles, fourth], axis=1)
    corners -= corners.min(axis=1, keepdims=True)
    filled = fill_polygon(clockwise(corners), 2 * SIDE).sum(axis=(1, 2))
    np.testing.assert_array_equal(filled, np.abs(twice_the_area(corners)) // 2)


def test_triangles_are_matplotlibs_with_every_pixel_nudged_up_and_left() -> None:
    row, column = np.mgrid[:SIDE, :SIDE]
    pixels = np.stack([row.ravel() - 1e-6, column.ravel() - 1e-3], axis=1)
    triangles = random_triangles(100)
    for corners, bitmap in zip(triangles, fill_polygon(triangles, SIDE), strict=True):
        expected = Path(corners.astype(float)).contains_points(pixels).reshape(SIDE, SIDE)
        np.testing.assert_array_equal(bitmap, expected)


def test_a_repeated_corner_changes_nothing() -> None:
    triangles = random_triangles(100)
    repeated = np.concatenate([triangles, triangles[:, 2:]], axis=1)
    np.testing.assert_array_equal(fill_polygon(repeated, SIDE), fill_polygon(triangles, SIDE))


def test_an_upright_square_has_its_lower_and_right_edges_only() -> None:
    square = np.array([[[3, 3], [3, 7], [7, 7], [7, 3]]])
    expected = np.zeros((12, 12), dtype=np.bool_)
    expected[4:8, 4:8] = True
    np.testing.assert_array_equal(fill_polygon(square, 12)[0], expected)


@pytest.mark.parametrize("radius", [0.5, 1, 2, 7.5])
def test_a_disc_holds_the_pixels_nearer_than_its_radius(radius: float) -> None:
    centres = np.array([[8, 8], [0, 15], [9, 3]])
    for centre, bitmap in zip(centres, fill_disc(centres, radius, 17), strict=True):
        for row in range(17):
            for column in range(17):
                near = np.hypot(row - centre[0], column - centre[1]) < radius
                assert bitmap[row, column] == near


@pytest.mark.parametrize("reach", [0, 1, 2, 3])
def test_dilation_is_scipys_by_a_square(reach: int) -> None:
    bitmaps = np.zeros((5, 30, 30), dtype=np.bool_)
    bitmaps[:, 4:-4, 4:-4] = np.random.default_rng(0).uniform(size=(5, 22, 22)) < 0.1
    neighbourhood = np.ones((2 * reach + 1, 2 * reach + 1))
    before = bitmaps.copy()
    for grown, bitmap in zip(dilate(bitmaps, reach), bitmaps, strict=True):
        np.testing.assert_array_equal(grown, ndimage.binary_dilation(bitmap, neighbourhood))
    np.testing.assert_array_equal(bitmaps, before)
