"""Prison: the bars' columns as the specification lists them, then plain array slices."""

import numpy as np
import pytest
import torch

from oracles import pictures
from unforeseen.benchmarks.edition import Geometry
from unforeseen.contract.case import GEOMETRIES, keys_for
from unforeseen.transforms.attacks.prison import Prison, PrisonLatents
from unforeseen.transforms.base import NoScene

#: Width, bars, bar_width, middles of the bars, reach of a bar to either side.
BARS = [
    (224, 7, 6, [16, 48, 80, 112, 144, 176], 3),
    (32, 8, 1, [2, 6, 10, 14, 18, 22, 26], 0),
    # 299 = 7 · 42 + 5: the remainder leaves room for a seventh.
    (299, 7, 6, [21, 63, 105, 147, 189, 231, 273], 3),
    (47, 7, 3, [3, 9, 15, 21, 27, 33, 39], 1),
    (33, 2, 1, [8, 24], 0),
    (32, 32, 1, list(range(32)), 0),
    # Bars wider than their distance run together and off the picture.
    (32, 8, 9, [2, 6, 10, 14, 18, 22, 26], 4),
]

each_picture = pytest.mark.parametrize(("width", "bars", "bar_width", "middles", "reach"), BARS)


def columns_under_bars(width: int, middles: list[int], reach: int) -> list[int]:
    return [
        column
        for column in range(width)
        if any(middle - reach <= column <= middle + reach for middle in middles)
    ]


@pytest.mark.parametrize("geometry", GEOMETRIES)
@each_picture
def test_bars_are_grey_plus_delta_and_all_else_is_the_picture(
    geometry: Geometry, width: int, bars: int, bar_width: int, middles: list[int], reach: int
) -> None:
    x = pictures(2, 37, width)
    delta = pictures(2, 37, width, seed=1, high=0.7)
    attack = Prison(bars=bars, bar_width=bar_width, geometry=geometry)
    expected = x.numpy().copy()
    for column in columns_under_bars(width, middles, reach):
        expected[..., column] = np.minimum(np.float32(0.5) + delta.numpy()[..., column], 1)
    seen = attack.render(x, PrisonLatents(delta=delta), NoScene())
    np.testing.assert_array_equal(seen, expected)


@each_picture
def test_only_what_is_on_the_bars_has_a_gradient(
    width: int, bars: int, bar_width: int, middles: list[int], reach: int
) -> None:
    x = pictures(1, 32, width)
    delta = torch.zeros_like(x, requires_grad=True)
    attack = Prison(bars=bars, bar_width=bar_width)
    painted = attack.paint(x, PrisonLatents(delta=delta), NoScene())
    (gradient,) = torch.autograd.grad(painted.sum(), [delta])
    expected = torch.zeros_like(x)
    expected[..., columns_under_bars(width, middles, reach)] = 1
    assert torch.equal(gradient, expected)


@pytest.mark.parametrize("geometry", GEOMETRIES)
def test_the_start_is_plain_grey_bars(geometry: Geometry) -> None:
    x = pictures(1, 224, 224)
    attack = Prison(geometry=geometry)
    start = attack.start(x, NoScene(), torch.ones(1), keys_for(attack, ["a"]))
    assert torch.equal(start.delta, torch.zeros_like(x))
    assert (attack.render(x, start, NoScene())[..., 45:52] == 0.5).all()


def test_bars_only_ever_get_lighter_and_by_no_more_than_the_radius() -> None:
    x = pictures(1, 32, 32)
    delta = pictures(1, 32, 32, seed=1, low=-1)
    projected = Prison().balls["delta"].project(delta, torch.tensor([0.3]))
    np.testing.assert_array_equal(projected, np.clip(delta.numpy(), 0, np.float32(0.3)))
    lightest = Prison().render(x, PrisonLatents(delta=projected), NoScene())[..., :, 2]
    assert lightest.min() >= 0.5
    assert lightest.max() <= 0.8
