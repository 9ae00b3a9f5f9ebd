"""BackgroundBlurComposition: Pillow's copy inside, scipy's blur outside."""

import math

import numpy as np
import pytest
import torch
from PIL import Image
from scipy import stats

import oracles
from obfuscation_draws import drawn
from unforeseen.transforms.assets.pack import AssetPack
from unforeseen.transforms.obfuscation import Range
from unforeseen.transforms.obfuscations.background_blur_composition import (
    BackgroundBlurComposition,
    BackgroundBlurCompositionParameters,
)

SMALL = BackgroundBlurCompositionParameters(sigma=4.3, top=5, left=20, height=17, width=13)


def test_inside_is_a_copy_of_the_whole_picture(assets: AssetPack) -> None:
    x = oracles.pictures(1, 48, 40)[0]
    seen = BackgroundBlurComposition().apply(x, SMALL, assets)
    for plane, inner in zip(x, seen[:, 5:22, 20:33], strict=True):
        copy = Image.fromarray(plane.numpy()).resize((13, 17), Image.Resampling.BILINEAR)
        np.testing.assert_allclose(inner, np.asarray(copy), atol=1e-6)


def test_outside_is_the_blurred_picture(assets: AssetPack) -> None:
    x = oracles.pictures(1, 48, 40, dtype=torch.float64)[0]
    seen = BackgroundBlurComposition().apply(x, SMALL, assets)
    outside = np.ones((48, 40), dtype=bool)
    outside[5:22, 20:33] = False
    window = 2 * math.ceil(3 * SMALL.sigma) + 1
    for plane, blurred in zip(x.numpy(), seen.numpy(), strict=True):
        expected = oracles.gaussian_blur(plane, window, SMALL.sigma)
        np.testing.assert_allclose(blurred[outside], expected[outside], atol=1e-12)


def test_height_and_width_are_drawn_independently(assets: AssetPack) -> None:
    obfuscation = BackgroundBlurComposition(factor=Range(0.25, 0.45))
    draws = drawn(obfuscation, assets)
    sides = [[each.height for each in draws], [each.width for each in draws]]
    for side in sides:
        assert min(side) >= 0.25 * 224
        assert max(side) <= math.ceil(0.45 * 224)
        oracles.assert_uniform(np.array(side) / 224, 0.25, 0.45)
    assert stats.pearsonr(*sides).pvalue > 1e-3


@pytest.mark.parametrize("size", [(32, 32), (224, 224), (128, 300), (1000, 600)])
def test_the_small_picture_lies_inside_and_the_blur_grows_with_the_picture(
    assets: AssetPack, size: tuple[int, int]
) -> None:
    for each in drawn(BackgroundBlurComposition(), assets, number=100, size=size):
        assert 0 <= each.top <= size[0] - each.height
        assert 0 <= each.left <= size[1] - each.width
        assert 6 <= each.sigma / (min(size) / 224) <= 12.0001
