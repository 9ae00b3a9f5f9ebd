"""Where things stand before a camera."""

import numpy as np
import pytest
from numpy.typing import NDArray

from drawing.terrain import apart, fan, height_at, on_land, smooth_step

Array = NDArray[np.float64]


def slope(x: Array, y: Array) -> Array:
    return 0.5 * x - 0.25 * y


def test_a_fan_reaches_from_near_to_far_and_to_both_sides() -> None:
    points = fan(2, 50, 45, 7, 5, slope)
    assert points.shape == (7, 5, 3)
    assert points[0, :, 1] == pytest.approx(2)
    assert points[-1, :, 1] == pytest.approx(50)
    # At 45° the sides are as far out as they are away.
    assert points[:, 0, 0] == pytest.approx(-points[:, 0, 1])
    assert points[:, -1, 0] == pytest.approx(points[:, -1, 1])


def test_rows_of_a_fan_are_further_apart_by_one_factor() -> None:
    rows = fan(1, 64, 30, 7, 3, slope)[:, 0, 1]
    assert rows[1:] / rows[:-1] == pytest.approx(2)


def test_points_of_a_fan_and_places_on_land_lie_on_the_ground() -> None:
    places = on_land(np.random.default_rng(0), 500, (3, 40), 30, slope)
    for points in (fan(2, 50, 45, 7, 5, slope), places):
        assert points[..., 2] == pytest.approx(slope(points[..., 0], points[..., 1]))


def test_the_height_at_a_point_is_the_ground_s() -> None:
    assert height_at(slope, 6, 4) == pytest.approx(2)


def test_places_on_land_are_within_the_angle_and_equally_dense() -> None:
    x, y, _ = on_land(np.random.default_rng(0), 40_000, (10, 30), 30, slope).T
    assert np.abs(x / y).max() <= np.tan(np.radians(30)) + 1e-12
    # The nearer half of the distance has (20² - 10²) / (30² - 10²) of the area.
    assert (y < 20).mean() == pytest.approx(3 / 8, abs=0.01)


def test_places_apart_keep_their_distance_and_drop_none_that_need_not_go() -> None:
    places = on_land(np.random.default_rng(1), 300, (2, 20), 40, slope)
    kept = apart(places, 1.5)
    between = np.hypot(*(kept[:, None, :2] - kept[None, :, :2]).transpose(2, 0, 1))
    assert between[~np.eye(len(kept), dtype=bool)].min() > 1.5
    nearest = np.hypot(*(places[:, None, :2] - kept[None, :, :2]).transpose(2, 0, 1)).min(axis=1)
    assert nearest.max() <= 1.5


def test_a_smooth_step_is_flat_outside_and_symmetric_inside() -> None:
    values = smooth_step(np.array([-1.0, 2, 3, 4, 5, 6, 9]), 2, 6)
    assert values == pytest.approx([0, 0, 5 / 32, 0.5, 27 / 32, 1, 1])
