"""Interleave: lines taken one by one."""

from collections import Counter

import numpy as np
import pytest
import torch

from obfuscation_draws import drawn
from oracles import assert_uniform, pictures
from unforeseen.transforms.assets.pack import AssetPack
from unforeseen.transforms.obfuscations.choices import Direction
from unforeseen.transforms.obfuscations.interleave import Interleave, InterleaveParameters


def parameters(direction: Direction, width: int, opacity: float) -> InterleaveParameters:
    return InterleaveParameters(photo="haze", direction=direction, width=width, opacity=opacity)


@pytest.mark.parametrize("width", [1, 5, 16])
@pytest.mark.parametrize("direction", ["horizontal", "vertical"])
@pytest.mark.parametrize("opacity", [0.9, 1.0])
def test_every_other_line_is_the_photos_beginning_with_the_first(
    assets: AssetPack, direction: Direction, width: int, opacity: float
) -> None:
    x = pictures(1, 48, 40, dtype=torch.float64)[0]
    seen = Interleave().apply(x, parameters(direction, width, opacity), assets)
    photo = assets.photo("haze", (48, 40)).double()
    for row in range(48):
        for column in range(40):
            pixel = (slice(None), row, column)
            line = (row if direction == "horizontal" else column) // width
            expected = x[pixel]
            if line % 2 == 0:
                expected = (1 - opacity) * x[pixel] + opacity * photo[pixel]
            np.testing.assert_allclose(seen[pixel], expected, atol=1e-12)


def test_lines_between_the_photos_are_untouched(assets: AssetPack) -> None:
    x = pictures(1, 48, 40)[0]
    seen = Interleave().apply(x, parameters("horizontal", 8, 0.9), assets)
    for top in (8, 24, 40):
        assert torch.equal(seen[:, top : top + 8], x[:, top : top + 8])


def test_photos_directions_and_widths_all_come(assets: AssetPack) -> None:
    draws = drawn(Interleave(), assets)
    kinds = Counter((each.photo, each.direction) for each in draws)
    assert len(kinds) == 4
    assert min(kinds.values()) > 60
    assert {each.width for each in draws} == set(range(6, 17))
    assert_uniform(np.array([each.opacity for each in draws]), 0.85, 1)
