"""LowContrastTriangles: contrasts measured, areas counted, triangle by triangle."""

import math
from collections import Counter

import numpy as np
import pytest
import torch

from obfuscation_draws import drawn
from oracles import pictures
from unforeseen.transforms.assets.pack import AssetPack
from unforeseen.transforms.obfuscations.low_contrast_triangles import (
    LowContrastTriangles,
    LowContrastTrianglesParameters,
)

CONTRASTS = (0.5, 0.2, 0.05)


def contrast_of(seen: torch.Tensor, x: torch.Tensor) -> np.ndarray:
    """What is left of each pixel's distance from mid-grey."""
    return ((seen - 0.5) / (x - 0.5)).numpy()


def area(row: int, column: int, scale: float) -> int:
    """Which area a pixel is in: its strip, and its triangle among those of the strip.

    A triangle is half a parallelogram that leans to the right by as much as it is high.
    """
    side = scale / 2
    y, x = row + 0.5, column + 0.5
    strip = math.floor(y / side)
    height = y - strip * side
    parallelogram = math.floor((x + height) / side)
    inside = (x + height) - parallelogram * side
    upper = inside < height
    triangle = 2 * parallelogram + (0 if upper else 1)
    return {0: 2, 1: 2}.get(triangle % 4, 0 if strip % 2 == 0 else 1)


@pytest.mark.parametrize("scale", [20.0, 25.66, 47.3])
def test_each_area_keeps_its_own_share_of_contrast(assets: AssetPack, scale: float) -> None:
    x = pictures(1, 64, 80, dtype=torch.float64)[0]
    parameters = LowContrastTrianglesParameters(scale=scale, contrasts=CONTRASTS)
    seen = LowContrastTriangles().apply(x, parameters, assets)
    measured = contrast_of(seen, x)
    for row in range(64):
        for column in range(80):
            expected = CONTRASTS[area(row, column, scale)]
            np.testing.assert_allclose(measured[:, row, column], expected, rtol=1e-9)


def test_the_third_area_is_half_the_picture_and_the_others_share_the_rest(
    assets: AssetPack,
) -> None:
    x = torch.ones(3, 320, 320, dtype=torch.float64)
    parameters = LowContrastTrianglesParameters(scale=32.0, contrasts=CONTRASTS)
    measured = contrast_of(LowContrastTriangles().apply(x, parameters, assets), x)[0]
    shares = Counter(measured.round(9).ravel().tolist())
    assert {contrast: count / 320**2 for contrast, count in shares.items()} == pytest.approx(
        {0.5: 0.25, 0.2: 0.25, 0.05: 0.5}
    )


def test_mid_grey_stays(assets: AssetPack) -> None:
    x = torch.full((3, 64, 64), 0.5)
    parameters = LowContrastTrianglesParameters(scale=20.0, contrasts=CONTRASTS)
    assert torch.equal(LowContrastTriangles().apply(x, parameters, assets), x)


def test_the_pattern_repeats_after_its_scale(assets: AssetPack) -> None:
    x = torch.ones(3, 96, 96)
    parameters = LowContrastTrianglesParameters(scale=24.0, contrasts=CONTRASTS)
    seen = LowContrastTriangles().apply(x, parameters, assets)
    assert torch.equal(seen[:, 24:], seen[:, :-24])
    assert torch.equal(seen[:, :, 24:], seen[:, :, :-24])
    assert not torch.equal(seen[:, 12:], seen[:, :-12])


def test_one_area_is_clear_and_two_are_faint(assets: AssetPack) -> None:
    for each in drawn(LowContrastTriangles(), assets):
        clear, *faint = each.contrasts
        assert clear > max(faint)
