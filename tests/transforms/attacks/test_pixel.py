"""Pixel: block values by explicit loops."""

from typing import Literal

import numpy as np
import pytest
import torch

from oracles import assert_uniform, block_values, pictures
from unforeseen.benchmarks.edition import Geometry
from unforeseen.contract.case import keys_for
from unforeseen.transforms.attacks.pixel import Pixel, PixelLatents
from unforeseen.transforms.base import NoScene

Reduce = Literal["mean", "corner"]

#: Height, width, block: divided and not, on one axis or both.
SIZES = [(32, 32, 4), (33, 47, 16), (40, 33, 16), (32, 35, 1)]


def levelled(x: torch.Tensor, block: int, reduce: Reduce) -> torch.Tensor:
    planes = [block_values(plane, block, reduce) for plane in x.flatten(0, 1).numpy()]
    return torch.from_numpy(np.stack(planes)).reshape(x.shape)


@pytest.mark.parametrize(("geometry", "reduce"), [("centred", "mean"), ("published", "corner")])
@pytest.mark.parametrize(("height", "width", "block"), SIZES)
def test_mix_goes_from_the_picture_to_its_mosaic(
    geometry: Geometry, reduce: Reduce, height: int, width: int, block: int
) -> None:
    x = pictures(2, height, width, dtype=torch.float64)
    mosaic = levelled(x, block, reduce)
    shape = (2, 3, -(-height // block), -(-width // block))
    attack = Pixel(block=block, geometry=geometry)
    for share, expected in ((0.0, x), (1.0, mosaic), (0.3, 0.7 * x + 0.3 * mosaic)):
        mix = torch.full(shape, share, dtype=torch.float64)
        torch.testing.assert_close(attack.render(x, PixelLatents(mix=mix), NoScene()), expected)


@pytest.mark.parametrize("geometry", ["centred", "published"])
@pytest.mark.parametrize("reduce", ["mean", "corner"])
def test_a_reduction_that_is_asked_for_goes_before_the_edition(
    geometry: Geometry, reduce: Reduce
) -> None:
    x = pictures(1, 33, 47, dtype=torch.float64)
    attack = Pixel(block=16, reduce=reduce, geometry=geometry)
    whole = PixelLatents(mix=torch.ones(1, 3, 3, 3, dtype=torch.float64))
    torch.testing.assert_close(attack.render(x, whole, NoScene()), levelled(x, 16, reduce))


def test_each_block_of_each_channel_has_its_own_mix() -> None:
    x = pictures(1, 33, 47, dtype=torch.float64)
    mix = torch.zeros(1, 3, 3, 3, dtype=torch.float64)
    mix[0, 1, 2, 0] = 1
    seen = Pixel(block=16).render(x, PixelLatents(mix=mix), NoScene())
    expected = x.clone()
    expected[0, 1, 32:, :16] = x[0, 1, 32:, :16].mean()
    torch.testing.assert_close(seen, expected)


def test_the_start_is_nonnegative_with_a_length_uniform_below_the_radius() -> None:
    attack = Pixel(block=16)
    x = pictures(1, 32, 32).expand(400, -1, -1, -1)
    keys = keys_for(attack, [str(number) for number in range(400)])
    start = attack.start(x, NoScene(), torch.full((400,), 5.0), keys).mix.flatten(1)
    assert start.shape == (400, 12)
    assert (start >= 0).all()
    assert_uniform(start.norm(dim=1), 0, 5)
    # Directions are those of U(0, 1) entries: the largest of twelve is near the others' scale.
    ratio = start / start.amax(dim=1, keepdim=True)
    assert abs(float(ratio.mean()) - (0.5 / (12 / 13))) < 0.02
