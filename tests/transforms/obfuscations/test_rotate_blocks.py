"""RotateBlocks: four times is none; quarters one by one."""

import numpy as np
import pytest
import torch

from obfuscation_draws import drawn
from oracles import pictures
from unforeseen.transforms.assets.pack import AssetPack
from unforeseen.transforms.obfuscations.rotate_blocks import RotateBlocks, RotateBlocksParameters


def test_quarters_move_counter_clockwise(assets: AssetPack) -> None:
    """As in the published example, whose upper left quarter is the upper right one of before."""
    numbers = torch.tensor([[0.1, 0.2], [0.3, 0.4]])
    x = numbers.repeat_interleave(4, 0).repeat_interleave(4, 1).repeat(3, 4, 4)
    seen = RotateBlocks().apply(x, RotateBlocksParameters(quarter=4, rotations=1), assets)
    moved = torch.tensor([[0.2, 0.4], [0.1, 0.3]])
    expected = moved.repeat_interleave(4, 0).repeat_interleave(4, 1).repeat(3, 4, 4)
    assert torch.equal(seen, expected)


@pytest.mark.parametrize("rotations", [1, 2, 3])
@pytest.mark.parametrize("quarter", [1, 4, 5, 60])
def test_four_times_is_none(assets: AssetPack, quarter: int, rotations: int) -> None:
    x = pictures(1, 48, 40)[0]
    parameters = RotateBlocksParameters(quarter=quarter, rotations=rotations)
    seen = x
    for _ in range(4):
        seen = RotateBlocks().apply(seen, parameters, assets)
    assert torch.equal(seen, x)


@pytest.mark.parametrize("rotations", [1, 2, 3])
def test_several_places_are_several_times_one(assets: AssetPack, rotations: int) -> None:
    x = pictures(1, 48, 40)[0]
    one = RotateBlocksParameters(quarter=5, rotations=1)
    stepwise = x
    for _ in range(rotations):
        stepwise = RotateBlocks().apply(stepwise, one, assets)
    at_once = RotateBlocks().apply(
        x, RotateBlocksParameters(quarter=5, rotations=rotations), assets
    )
    assert torch.equal(at_once, stepwise)


def test_quarters_keep_their_inside_and_what_fills_no_block_stays(assets: AssetPack) -> None:
    x = pictures(1, 33, 47)[0]
    seen = RotateBlocks().apply(x, RotateBlocksParameters(quarter=5, rotations=2), assets).numpy()
    before = x.numpy()
    np.testing.assert_array_equal(seen[:, 30:], before[:, 30:])
    np.testing.assert_array_equal(seen[:, :, 40:], before[:, :, 40:])
    for top in range(0, 30, 10):
        for left in range(0, 40, 10):
            block, moved = (each[:, top : top + 10, left : left + 10] for each in (before, seen))
            np.testing.assert_array_equal(moved[:, :5, :5], block[:, 5:, 5:])
            np.testing.assert_array_equal(moved[:, 5:, :5], block[:, :5, 5:])


def test_blocks_have_6_or_8_pixels_and_all_turns_come(assets: AssetPack) -> None:
    draws = drawn(RotateBlocks(), assets)
    assert {2 * each.quarter for each in draws} == {6, 8}
    assert {each.rotations for each in draws} == {1, 2, 3}
