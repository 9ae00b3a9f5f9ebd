"""Numbers and colours on the square, held to closed forms."""

import numpy as np
import pytest

from drawing.paintings.plane import around, blurred, mixed, plane, scattered


def test_every_pixel_finds_its_own_value_at_its_middle() -> None:
    x, y = plane(16)
    values = np.arange(256.0).reshape(16, 16)
    assert np.array_equal(around(values, x, y), values)


def test_points_beyond_the_square_find_the_value_at_its_edge() -> None:
    values = np.array([[1.0, 2.0], [3.0, 4.0]])
    x, y = np.array([-0.3, 1.2]), np.array([-0.1, 1.0])
    assert around(values, x, y).tolist() == [1, 4]


def test_scattered_points_lie_about_their_spacing_apart_over_the_whole_square() -> None:
    x, y = scattered(0.02, seed=5)
    inside = (x > 0) & (x < 1) & (y > 0) & (y < 1)
    assert inside.sum() == pytest.approx(50 * 50, rel=0.05)
    counts = np.histogram2d(x[inside], y[inside], bins=5, range=[[0, 1], [0, 1]])[0]
    assert counts.min() > 60


def test_a_blurred_point_has_the_variance_of_its_gaussian() -> None:
    point = np.zeros((41, 41))
    point[20, 20] = 1
    soft = blurred(point, 3)
    rows = np.arange(41) - 20
    assert soft.sum() == pytest.approx(1)
    # The Gaussian is cut off at three times its width.
    assert (soft.sum(1) * rows**2).sum() == pytest.approx(9, rel=0.04)


def test_blurring_leaves_an_even_picture_as_it_is() -> None:
    grey = np.full((20, 30, 3), 0.4)
    assert blurred(grey, 2.5) == pytest.approx(grey)


def test_mixed_colours_are_the_stops_and_lie_evenly_between_them() -> None:
    share = np.array([0.0, 0.5, 1.0, 1.5, 2.0])
    colours = mixed(share, (0, (0, 0, 255)), (1, (255, 51, 0)), (2, (0, 0, 0)))
    expected = [[0, 0, 1], [0.5, 0.1, 0.5], [1, 0.2, 0], [0.5, 0.1, 0], [0, 0, 0]]
    assert colours == pytest.approx(np.array(expected))
