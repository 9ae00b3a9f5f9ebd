"""PerspectiveTransform: corners found again, and where they may go."""

import numpy as np
import pytest
import torch

from obfuscation_draws import drawn
from oracles import assert_uniform, pictures
from unforeseen.ops.perspective import is_convex
from unforeseen.transforms.assets.pack import AssetPack
from unforeseen.transforms.obfuscation import Range
from unforeseen.transforms.obfuscations.perspective_transform import (
    PerspectiveTransform,
    PerspectiveTransformParameters,
)

CENTRES = np.array([[0.25, 0.25], [0.75, 0.25], [0.75, 0.75], [0.25, 0.75]])


@pytest.mark.parametrize("size", [(224, 224), (128, 224)])
def test_each_corner_is_seen_where_the_parameters_say(
    assets: AssetPack, size: tuple[int, int]
) -> None:
    """Four corners in four colours, each the only one near its point."""
    height, width = size
    x = torch.full((3, *size), 0.5)
    colours = torch.tensor([[1.0, 0, 0], [0, 1, 0], [0, 0, 1], [1, 1, 0]])
    x[:, : height // 3, : width // 3] = colours[0][:, None, None]
    x[:, : height // 3, -width // 3 :] = colours[1][:, None, None]
    x[:, -height // 3 :, -width // 3 :] = colours[2][:, None, None]
    x[:, -height // 3 :, : width // 3] = colours[3][:, None, None]
    for parameters in drawn(PerspectiveTransform(), assets, number=20, size=size):
        seen = PerspectiveTransform().apply(x, parameters, assets)
        corners = np.array(parameters.corners)
        for corner, colour in zip(corners, colours, strict=True):
            column, row = corner + 0.2 * (corners.mean(0) - corner)
            torch.testing.assert_close(seen[:, int(row), int(column)], colour, atol=0.02, rtol=0)
            outside_column, outside_row = corner - 0.2 * (corners.mean(0) - corner)
            assert not seen[:, int(outside_row), int(outside_column)].any()


def test_what_is_white_covers_the_quadrilaterals_area_and_nothing_else(assets: AssetPack) -> None:
    white = torch.ones(3, 224, 224)
    for parameters in drawn(PerspectiveTransform(), assets, number=20):
        x, y = np.array(parameters.corners).T
        area = abs(x @ np.roll(y, -1) - y @ np.roll(x, -1)) / 2
        seen = PerspectiveTransform().apply(white, parameters, assets)
        assert float(seen[0].sum()) == pytest.approx(area, rel=2e-3)


def test_the_whole_picture_as_its_own_corners_stays(assets: AssetPack) -> None:
    x = pictures(1, 48, 40)[0]
    corners = ((0.0, 0.0), (40.0, 0.0), (40.0, 48.0), (0.0, 48.0))
    seen = PerspectiveTransform().apply(x, PerspectiveTransformParameters(corners=corners), assets)
    torch.testing.assert_close(seen, x, atol=2e-5, rtol=0)


def test_points_lie_around_the_quadrants_centres(assets: AssetPack) -> None:
    draws = drawn(PerspectiveTransform(), assets, size=(300, 600))
    shares = np.array([each.corners for each in draws]) / [600, 300]
    offsets = np.abs(shares - CENTRES)
    assert offsets.max() <= 0.22
    # At this spread hardly any had to come nearer.
    assert offsets.max() > 0.16


def test_a_spread_that_bends_no_quadrilateral_is_uniform(assets: AssetPack) -> None:
    narrow = PerspectiveTransform(spread=Range(0.05, 0.05))
    shares = np.array([each.corners for each in drawn(narrow, assets)]) / 224
    assert_uniform(shares - CENTRES, -0.05, 0.05)


def test_quadrilaterals_are_convex_however_wide_the_spread(assets: AssetPack) -> None:
    wide = PerspectiveTransform(spread=Range(0.25, 0.6))
    for parameters in drawn(wide, assets):
        assert is_convex(torch.tensor(parameters.corners), least_triangle=0.14)
