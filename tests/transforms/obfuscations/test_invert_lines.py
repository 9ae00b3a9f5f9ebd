"""InvertLines against numpy, and undone."""

import numpy as np
import pytest
import torch

from obfuscation_draws import drawn
from oracles import pictures
from unforeseen.transforms.assets.pack import AssetPack
from unforeseen.transforms.obfuscations.choices import Direction
from unforeseen.transforms.obfuscations.invert_lines import InvertLines, InvertLinesParameters


@pytest.mark.parametrize("direction", ["horizontal", "vertical"])
@pytest.mark.parametrize("width", [1, 5, 19])
def test_every_other_line_is_the_negative(
    assets: AssetPack, direction: Direction, width: int
) -> None:
    x = pictures(1, 48, 40)[0]
    seen = InvertLines().apply(x, InvertLinesParameters(width=width, direction=direction), assets)
    expected = x.numpy().copy()
    lines = expected if direction == "horizontal" else expected.transpose(0, 2, 1)
    for start in range(0, lines.shape[1], 2 * width):
        lines[:, start : start + width] = 1 - lines[:, start : start + width]
    np.testing.assert_array_equal(seen.numpy(), expected)


@pytest.mark.parametrize("direction", ["horizontal", "vertical"])
def test_done_twice_it_is_undone(assets: AssetPack, direction: Direction) -> None:
    x = pictures(1, 48, 40)[0]
    parameters = InvertLinesParameters(width=7, direction=direction)
    twice = InvertLines().apply(InvertLines().apply(x, parameters, assets), parameters, assets)
    torch.testing.assert_close(twice, x, atol=1e-7, rtol=0)


def test_both_directions_and_all_widths_come(assets: AssetPack) -> None:
    draws = drawn(InvertLines(), assets)
    assert {each.direction for each in draws} == {"horizontal", "vertical"}
    assert {each.width for each in draws} == set(range(8, 15))


def test_lengths_grow_with_the_picture(assets: AssetPack) -> None:
    small, large = (drawn(InvertLines(), assets, size=size) for size in ((112, 300), (448, 448)))
    for one, other in zip(small, large, strict=True):
        assert abs(other.width / 4 - one.width) <= 1
