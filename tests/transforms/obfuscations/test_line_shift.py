"""LineShift against numpy, and undone."""

import numpy as np
import pytest
import torch

from oracles import pictures
from unforeseen.transforms.assets.pack import AssetPack
from unforeseen.transforms.obfuscations.choices import Direction
from unforeseen.transforms.obfuscations.line_shift import LineShift, LineShiftParameters


@pytest.mark.parametrize("direction", ["horizontal", "vertical"])
@pytest.mark.parametrize(("width", "length"), [(1, 8), (3, 12), (6, 100)])
def test_lines_move_to_and_fro_and_come_back_at_the_other_side(
    assets: AssetPack, direction: Direction, width: int, length: int
) -> None:
    x = pictures(1, 48, 40)[0]
    parameters = LineShiftParameters(width=width, length=length, direction=direction)
    seen = LineShift().apply(x, parameters, assets).numpy()
    before = x.numpy()
    if direction == "vertical":
        seen, before = seen.transpose(0, 2, 1), before.transpose(0, 2, 1)
    for line in range(before.shape[1]):
        by = length if line // width % 2 == 0 else -length
        np.testing.assert_array_equal(seen[:, line], np.roll(before[:, line], by, axis=-1))


@pytest.mark.parametrize("direction", ["horizontal", "vertical"])
def test_the_opposite_shift_undoes_it(assets: AssetPack, direction: Direction) -> None:
    x = pictures(1, 48, 40)[0]
    forth, back = (
        LineShiftParameters(width=3, length=length, direction=direction) for length in (12, -12)
    )
    there = LineShift().apply(x, forth, assets)
    assert not torch.equal(there, x)
    assert torch.equal(LineShift().apply(there, back, assets), x)


def test_no_pixel_is_lost(assets: AssetPack) -> None:
    x = pictures(1, 33, 47)[0]
    parameters = LineShiftParameters(width=4, length=17, direction="vertical")
    seen = LineShift().apply(x, parameters, assets)
    assert torch.equal(seen.flatten(1).sort().values, x.flatten(1).sort().values)
