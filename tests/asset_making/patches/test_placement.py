"""Places of patches: inside the picture, within their ranges, and what is laid there."""

import math

import numpy as np
import pytest
import torch

import oracles
from unforeseen.asset_making.patches.placement import (
    PlacementRanges,
    anywhere,
    draw_corners,
    in_corners,
    placed,
)
from unforeseen.rng import Stream

RANGES = PlacementRanges(side=(0.2, 0.35), angle=20)


@pytest.mark.parametrize("size", [(64, 64), (224, 224), (90, 200)])
def test_all_of_a_patch_lies_inside(size: tuple[int, int]) -> None:
    height, width = size
    for example in range(300):
        corners = draw_corners(Stream(0, example), size, RANGES)
        assert (corners >= -1e-4).all()
        assert (corners <= torch.tensor([width, height]) + 1e-4).all()


def test_side_and_angle_are_drawn_evenly_from_their_ranges() -> None:
    drawn = [draw_corners(Stream(1, example), (200, 200), RANGES) for example in range(400)]
    edges = [(each[1] - each[0]).tolist() for each in drawn]
    sides = np.array([math.hypot(*edge) / 200 for edge in edges])
    angles = np.array([math.degrees(math.atan2(edge[1], edge[0])) for edge in edges])
    oracles.assert_uniform(sides, 0.2, 0.35)
    oracles.assert_uniform(angles, -20, 20)


def test_corners_are_those_of_a_square() -> None:
    corners = draw_corners(Stream(2), (100, 100), RANGES).double()
    edges = corners.roll(-1, 0) - corners
    lengths = edges.norm(dim=1)
    torch.testing.assert_close(lengths, lengths[:1].expand(4), rtol=1e-5, atol=0)
    assert ((edges * edges.roll(-1, 0)).sum(dim=1).abs() < 1e-3).all()


def test_an_upright_patch_on_whole_pixels_is_pasted() -> None:
    image, patch = torch.rand(3, 40, 50), torch.rand(3, 12, 12)
    corners = torch.tensor([[7.0, 20.0], [19.0, 20.0], [19.0, 32.0], [7.0, 32.0]])
    expected = image.clone()
    expected[:, 20:32, 7:19] = patch
    torch.testing.assert_close(placed(image, patch, corners), expected, rtol=0, atol=1e-5)


def test_a_patch_hides_what_is_below_and_nothing_else() -> None:
    image, patch = torch.zeros(3, 64, 64), torch.ones(3, 16, 16)
    ranges = PlacementRanges(side=(0.3, 0.3), angle=20)
    laid = anywhere(image, patch, Stream(3), ranges)
    # The area of the square, in whatever way it is turned.
    assert laid[0].sum().item() == pytest.approx((0.3 * 64) ** 2, rel=0.02)


def test_both_ways_give_the_patch_a_gradient_and_leave_the_picture_alone() -> None:
    image = torch.rand(3, 64, 64)
    before = image.clone()
    patch = torch.rand(3, 16, 16, requires_grad=True)
    for laid in (
        anywhere(image, patch, Stream(4), RANGES),
        in_corners(image, patch, Stream(4)),
    ):
        (gradient,) = torch.autograd.grad(laid.sum(), patch)
        assert (gradient > 0).all()
    assert torch.equal(image, before)
