"""HighContrastBorder: Pillow's copy with less contrast inside, even noise outside."""

import numpy as np
import pytest
import torch
from PIL import Image

import oracles
from obfuscation_draws import drawn
from unforeseen.transforms.assets.pack import AssetPack
from unforeseen.transforms.obfuscations.high_contrast_border import (
    HighContrastBorder,
    HighContrastBorderParameters,
)

SMALL = HighContrastBorderParameters(contrast=0.25, height=23, width=19, seed=3)
INSIDE = (slice(12, 35), slice(10, 29))


def test_inside_all_contrasts_with_mid_grey_are_reduced(assets: AssetPack) -> None:
    x = oracles.pictures(1, 48, 40)[0]
    seen = HighContrastBorder().apply(x, SMALL, assets)
    for plane, inner in zip(x, seen[:, *INSIDE], strict=True):
        copy = Image.fromarray(plane.numpy()).resize((19, 23), Image.Resampling.BILINEAR)
        np.testing.assert_allclose(inner, 0.5 + 0.25 * (np.asarray(copy) - 0.5), atol=1e-6)


def test_the_border_is_even_noise_whatever_the_picture(assets: AssetPack) -> None:
    border = torch.ones(48, 40, dtype=torch.bool)
    border[INSIDE] = False
    black, white = (
        HighContrastBorder().apply(torch.full((3, 48, 40), value), SMALL, assets)[:, border]
        for value in (0.0, 1.0)
    )
    assert torch.equal(black, white)
    oracles.assert_uniform(black, 0, 1)
    for one, other in ((0, 1), (0, 2), (1, 2)):
        assert abs(np.corrcoef(black[one], black[other])[0, 1]) < 0.1


def test_another_seed_draws_another_border(assets: AssetPack) -> None:
    grey = torch.full((3, 48, 40), 0.5)
    other = HighContrastBorderParameters(contrast=0.25, height=23, width=19, seed=4)
    first, second = (HighContrastBorder().apply(grey, each, assets) for each in (SMALL, other))
    assert (first != second).float().mean() > 0.7


@pytest.mark.parametrize("size", [(32, 32), (224, 224), (128, 300)])
def test_the_picture_keeps_its_shape_in_the_middle(
    assets: AssetPack, size: tuple[int, int]
) -> None:
    grey = torch.full((3, *size), 0.5)
    for each in drawn(HighContrastBorder(), assets, number=20, size=size):
        assert 0.08 <= each.contrast <= 0.3
        assert each.height / size[0] == pytest.approx(each.width / size[1], abs=1 / min(size))
        assert 0.4 * size[0] - 1 <= each.height <= 0.6 * size[0] + 1
        inside = (HighContrastBorder().apply(grey, each, assets) == 0.5).all(0)
        rows, columns = inside.any(1).nonzero().flatten(), inside.any(0).nonzero().flatten()
        for places, side in ((rows, size[0]), (columns, size[1])):
            assert abs(int(places[0]) - (side - 1 - int(places[-1]))) <= 1
