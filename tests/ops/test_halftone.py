"""Halftones keep means; shapes are what they are called."""

import itertools

import numpy as np
import pytest
import torch

from oracles import pictures
from unforeseen.ops.halftone import Shape, halftone, scatter_pixels
from unforeseen.rng import Stream
from unforeseen.transforms.obfuscations.halftoning import Halftoning

SHAPES: tuple[Shape, ...] = ("disc", "square", "zigzag")
GREYS = (0.0, 0.05, 0.2, 0.4, 0.5, 0.6, 0.8, 0.95, 1.0)

each_shape = pytest.mark.parametrize("shape", SHAPES)


@each_shape
@pytest.mark.parametrize("block", [4, 5, 8, 17])
@pytest.mark.parametrize("angle", [15.0, 30.0])
def test_an_even_grey_keeps_its_mean(shape: Shape, block: int, angle: float) -> None:
    for grey in GREYS:
        drawn = halftone(torch.full((240, 240), grey), block, angle, shape)
        assert float(drawn.mean()) == pytest.approx(grey, abs=6e-3)


@each_shape
@pytest.mark.parametrize("angle", [0.0, 15.0, 30.0])
def test_black_stays_black_and_white_white(shape: Shape, angle: float) -> None:
    for block in (3, 4, 7, 8):
        for grey in (0.0, 1.0):
            even = torch.full((60, 70), grey)
            torch.testing.assert_close(halftone(even, block, angle, shape), even)


@each_shape
@pytest.mark.parametrize("angle", [0.0, 15.0])
def test_the_brighter_a_block_the_more_of_it_is_white(shape: Shape, angle: float) -> None:
    whites = [
        float(halftone(torch.full((64, 64), float(grey)), 8, angle, shape).mean())
        for grey in np.linspace(0, 1, 41)
    ]
    assert all(one < other for one, other in itertools.pairwise(whites))


def test_squares_have_the_side_of_their_area() -> None:
    """Of a quarter of a block of 8: the 4×4 pixels in its middle."""
    drawn = halftone(torch.full((16, 24), 0.25), 8, 0.0, "square")
    expected = torch.zeros(8, 8)
    expected[2:6, 2:6] = 1
    torch.testing.assert_close(drawn, expected.repeat(2, 3))


def test_discs_have_the_radius_of_their_area() -> None:
    drawn = halftone(torch.full((40, 40), 0.5), 40, 0.0, "disc")
    row, column = np.mgrid[:40, :40] - 19.5
    distance = np.hypot(row, column)
    radius = 40 * np.sqrt(0.5 / np.pi)
    assert (drawn.numpy()[distance < radius - 1] == 1).all()
    assert (drawn.numpy()[distance > radius + 1] == 0).all()


def test_discs_that_overflow_their_block_still_have_its_mean() -> None:
    drawn = halftone(torch.full((200, 200), 0.93), 50, 0.0, "disc")
    assert float(drawn.mean()) == pytest.approx(0.93, abs=2e-3)
    assert float(drawn[0, 0]) == 0


def test_zigzags_go_up_and_down_more_often_where_it_is_brighter() -> None:
    """Along a row of a block, a line that goes up and down f times is crossed 2f times."""

    def crossings(grey: float) -> int:
        row = halftone(torch.full((48, 48), grey), 48, 0.0, "zigzag")[3] > 0.5
        return int((row & ~row.roll(1)).sum())

    assert [crossings(each / 16) for each in (1, 2, 4, 6)] == [2, 4, 8, 12]


def test_zigzags_of_the_largest_blocks_that_obfuscations_draw_go_by_their_mean_too() -> None:
    """A dim and a bright block of the same white differ, as lines that go up and down once and twice."""
    block = int(Halftoning().zigzag.high)
    size = block * 8
    dim, bright = (
        halftone(torch.full((size, size), grey), block, 0.0, "zigzag") for grey in (0.49, 0.51)
    )
    assert float((dim.mean() - bright.mean()).abs()) < 0.03
    assert float((dim - bright).abs().mean()) > 0.15


@each_shape
def test_each_block_has_its_own_mean(shape: Shape) -> None:
    plane = torch.tensor([[0.0, 1.0], [1.0, 0.0]]).repeat_interleave(16, 0).repeat_interleave(16, 1)
    torch.testing.assert_close(halftone(plane, 16, 0.0, shape), plane)


@each_shape
def test_large_screens_are_drawn_as_small_ones(shape: Shape) -> None:
    """Beyond the size up to which screens are kept."""
    tile = pictures(1, 64, 64)[0, 0].repeat_interleave(8, 0).repeat_interleave(8, 1)
    large = torch.cat([tile, tile], dim=1)
    drawn = halftone(large, 8, 0.0, shape)
    torch.testing.assert_close(drawn[:, :512], halftone(tile, 8, 0.0, shape), atol=1e-4, rtol=0)


def test_as_many_pixels_are_white_as_the_mean_asks_for() -> None:
    for share in range(17):
        planes = torch.full((3, 32, 40), share / 16, dtype=torch.float64)
        drawn = scatter_pixels(planes, 4, Stream("a"))
        blocks = drawn.reshape(3, 8, 4, 10, 4).sum((2, 4))
        assert (blocks == share).all()


def test_white_pixels_are_random_and_those_of_the_stream() -> None:
    planes = torch.full((3, 320, 320), 0.5)
    one, again, other = (scatter_pixels(planes, 8, Stream(key)) for key in ("a", "a", "b"))
    assert torch.equal(one, again)
    assert float((one != other).float().mean()) == pytest.approx(0.5, abs=0.02)
    assert float((one[0] != one[1]).float().mean()) == pytest.approx(0.5, abs=0.02)
    # Every place in a block is white about equally often.
    places = one.reshape(3, 40, 8, 40, 8).mean((0, 1, 3))
    assert float((places - 0.5).abs().max()) < 0.25
