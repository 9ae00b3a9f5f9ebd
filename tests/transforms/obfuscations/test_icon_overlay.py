"""IconOverlay: icons counted by scipy, blends written out."""

import numpy as np
import pytest
import torch
from scipy import ndimage

from obfuscation_draws import drawn
from oracles import pictures
from unforeseen.transforms.assets.pack import AssetPack
from unforeseen.transforms.obfuscation import Range
from unforeseen.transforms.obfuscations.icon_overlay import IconOverlay, IconOverlayParameters


@pytest.mark.parametrize("count", range(8, 15))
@pytest.mark.parametrize("size", [(224, 224), (299, 299), (384, 384)])
def test_so_many_icons_stand_side_by_side(
    assets: AssetPack, count: int, size: tuple[int, int]
) -> None:
    overlay = IconOverlay(count=Range(count, count))
    (parameters,) = drawn(overlay, assets, number=1, size=size)
    seen = overlay.apply(torch.zeros(3, *size), parameters, assets)
    brightness = seen.sum(0).numpy()
    _, icons = ndimage.label(brightness > brightness.max() / 2)
    assert icons == count**2


def test_the_shorter_side_counts(assets: AssetPack) -> None:
    overlay = IconOverlay(count=Range(10, 10))
    (parameters,) = drawn(overlay, assets, number=1, size=(200, 400))
    assert parameters.side == 20


def test_icons_are_blended_by_their_own_opacity_times_that_of_all(assets: AssetPack) -> None:
    x = pictures(1, 48, 40, dtype=torch.float64)[0]
    seen = IconOverlay().apply(x, IconOverlayParameters(icon="disc", side=9, opacity=0.6), assets)
    icon = assets.icon("disc", 9)
    rows, columns = np.indices((48, 40))
    weight = 0.6 * icon.opacity.double().numpy()[rows % 9, columns % 9]
    for plane, under, over in zip(seen, x, icon.image.double(), strict=True):
        expected = (1 - weight) * under.numpy() + weight * over.numpy()[rows % 9, columns % 9]
        np.testing.assert_allclose(plane, expected, atol=1e-7)


def test_between_the_icons_the_picture_stays_as_it_is(assets: AssetPack) -> None:
    x = pictures(1, 64, 64)[0]
    seen = IconOverlay().apply(x, IconOverlayParameters(icon="coin", side=16, opacity=0.7), assets)
    between = assets.icon("coin", 16).opacity.repeat(4, 4) == 0
    assert between.float().mean() > 0.1
    assert torch.equal(seen[:, between], x[:, between])


def test_every_icon_and_number_of_icons_comes(assets: AssetPack) -> None:
    draws = drawn(IconOverlay(), assets)
    assert {each.icon for each in draws} == set(assets.names("icon"))
    assert {-(-224 // each.side) for each in draws} == set(range(8, 15))
    assert all(0.5 <= each.opacity <= 0.75 for each in draws)
