"""TextOverlay: letters in one colour, all over the picture."""

from collections import Counter

import numpy as np
import pytest
import torch

from obfuscation_draws import drawn
from oracles import pictures
from unforeseen.transforms.assets.pack import AssetPack
from unforeseen.transforms.obfuscations.colors import COLORS
from unforeseen.transforms.obfuscations.text_overlay import TextOverlay, TextOverlayParameters


@pytest.mark.parametrize("height", [5, 12, 28])
def test_lines_of_the_same_text_follow_each_other_without_an_offset(
    assets: AssetPack, height: int
) -> None:
    x = pictures(1, 96, 80, dtype=torch.float64)[0]
    written = TextOverlayParameters(text="bars", color="green", height=height)
    seen = TextOverlay().apply(x, written, assets)
    letters = assets.text("bars", height).double().numpy()
    rows, columns = np.indices((96, 80))
    weight = letters[rows % height, columns % letters.shape[1]]
    for plane, under, color in zip(seen.numpy(), x.numpy(), (0, 0.8, 0), strict=True):
        np.testing.assert_allclose(plane, (1 - weight) * under + weight * color, atol=1e-7)


def test_letters_are_opaque_and_between_them_the_picture_stays_as_it_is(
    assets: AssetPack,
) -> None:
    x = pictures(1, 64, 64)[0]
    written = TextOverlayParameters(text="block", color="red", height=32)
    seen = TextOverlay().apply(x, written, assets)
    letters = assets.text("block", 32).repeat(2, 2)[:64, :64]
    assert (letters == 1).float().mean() > 0.2
    assert (letters == 0).float().mean() > 0.2
    red = torch.tensor([1.0, 0.0, 0.0])[:, None]
    assert torch.equal(seen[:, letters == 1], red.expand(-1, int((letters == 1).sum())))
    assert torch.equal(seen[:, letters == 0], x[:, letters == 0])


@pytest.mark.parametrize("size", [(32, 32), (33, 47), (224, 224), (128, 500)])
def test_text_covers_the_whole_picture(assets: AssetPack, size: tuple[int, int]) -> None:
    for written in drawn(TextOverlay(), assets, number=10, size=size):
        grey = torch.full((3, *size), 0.45)
        changed = (TextOverlay().apply(grey, written, assets) != grey).any(0)
        width = assets.text(written.text, written.height).shape[1]
        # Any window of the size of one text holds all of its letters once.
        for top in range(0, size[0] - written.height + 1, written.height):
            for left in range(0, size[1] - width + 1, width):
                assert changed[top : top + written.height, left : left + width].any()
        assert changed[-written.height :, -width:].any()


def test_every_text_comes_in_every_colour(assets: AssetPack) -> None:
    draws = drawn(TextOverlay(), assets)
    counts = Counter((each.text, each.color) for each in draws)
    assert set(counts) == {(text, color) for text in assets.names("text") for color in COLORS}
    assert {each.height for each in draws} == set(range(10, 16))
