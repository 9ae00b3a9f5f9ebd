"""ColorPatternOverlay: the blend written out, over the grey of ITU-R BT.601."""

from collections import Counter

import numpy as np
import pytest
import torch

from obfuscation_draws import drawn
from oracles import pictures
from unforeseen.transforms.assets.pack import AssetPack
from unforeseen.transforms.obfuscations.color_pattern_overlay import (
    ColorPatternOverlay,
    ColorPatternOverlayParameters,
)
from unforeseen.transforms.obfuscations.colors import COLORS


@pytest.mark.parametrize("side", [7, 16, 64])
def test_the_pattern_covers_the_grey_picture_by_its_opacity(assets: AssetPack, side: int) -> None:
    x = pictures(1, 48, 40, dtype=torch.float64)[0]
    parameters = ColorPatternOverlayParameters(
        pattern="checks", color="orange", side=side, opacity=0.9
    )
    seen = ColorPatternOverlay().apply(x, parameters, assets)
    grey = np.tensordot([0.299, 0.587, 0.114], x.numpy(), axes=1)
    rows, columns = np.indices((48, 40))
    covered = 0.9 * assets.pattern("checks", side).double().numpy()[rows % side, columns % side]
    for plane, color in zip(seen.numpy(), (1, 0.5, 0), strict=True):
        # torchvision's first weight is 0.2989.
        np.testing.assert_allclose(plane, (1 - covered) * grey + covered * color, atol=1.1e-4)


def test_no_colour_of_the_picture_is_left(assets: AssetPack) -> None:
    for each in drawn(ColorPatternOverlay(), assets, number=20):
        if each.color in {"black", "white"}:
            seen = ColorPatternOverlay().apply(pictures(1, 224, 224)[0], each, assets)
            torch.testing.assert_close(seen[0], seen[1])
            torch.testing.assert_close(seen[0], seen[2])


def test_every_pattern_comes_in_every_colour(assets: AssetPack) -> None:
    draws = drawn(ColorPatternOverlay(), assets)
    counts = Counter((each.pattern, each.color) for each in draws)
    assert set(counts) == {
        (pattern, color) for pattern in assets.names("pattern") for color in COLORS
    }
    assert all(0.4 <= each.opacity <= 0.5 for each in draws)


@pytest.mark.parametrize("size", [(32, 32), (224, 224), (448, 600)])
def test_the_pattern_grows_with_the_picture(assets: AssetPack, size: tuple[int, int]) -> None:
    wanted = ColorPatternOverlay().side
    for each in drawn(ColorPatternOverlay(), assets, number=50, size=size):
        assert wanted.low <= each.side / (min(size) / 224) + 4
        assert each.side / (min(size) / 224) - 4 <= wanted.high
