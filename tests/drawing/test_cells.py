"""Cells around points, held to all distances."""

import numpy as np
import pytest

from drawing.cells import cells, scattered

POINTS = scattered(np.random.default_rng(0), 0, 100, 10)
X, Y = np.random.default_rng(1).uniform(20, 80, (2, 7, 50))
DISTANCES = np.hypot(X[..., None] - POINTS[:, 0], Y[..., None] - POINTS[:, 1])


def test_each_square_has_one_point_within_the_jitter_of_its_middle() -> None:
    middles = (np.mgrid[:10, :10] * 10.0 + 5).transpose(1, 2, 0).reshape(-1, 2)[:, ::-1]
    assert POINTS.shape == (100, 2)
    assert np.abs(POINTS - middles).max() <= 4.5
    assert np.abs(POINTS - middles).mean() == pytest.approx(2.25, rel=0.2)


def test_a_place_belongs_to_the_nearest_of_all_points() -> None:
    found = cells(X, Y, POINTS)
    assert (found.nearest == DISTANCES.argmin(-1)).all()
    assert found.distance == pytest.approx(DISTANCES.min(-1))


def test_the_edge_is_as_far_as_the_nearest_bisector_of_all_points() -> None:
    nearest = DISTANCES.argmin(-1)
    apart = np.hypot(*(POINTS[nearest][..., None, :] - POINTS).transpose(3, 0, 1, 2))
    # By Pythagoras, from the squared distances to two points and between them.
    with np.errstate(divide="ignore", invalid="ignore"):
        to_bisector = (DISTANCES**2 - DISTANCES.min(-1)[..., None] ** 2) / (2 * apart)
    expected = np.nanmin(np.where(apart > 0, to_bisector, np.nan), axis=-1)
    assert cells(X, Y, POINTS, neighbours=20).to_edge == pytest.approx(expected)


def test_six_neighbours_are_enough_for_nearly_all_places() -> None:
    few, many = (cells(X, Y, POINTS, neighbours=count).to_edge for count in (6, 20))
    assert (few - many > 1e-9).mean() < 0.02
