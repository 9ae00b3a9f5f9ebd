"""PhotoComposition: Pillow's copy inside, the photo outside."""

from collections import Counter

import numpy as np
import pytest
import torch
from PIL import Image

from obfuscation_draws import drawn
from oracles import assert_uniform, pictures
from unforeseen.transforms.assets.pack import AssetPack
from unforeseen.transforms.obfuscations.photo_composition import (
    PhotoComposition,
    PhotoCompositionParameters,
)


def test_a_small_copy_lies_on_the_photo(assets: AssetPack) -> None:
    x = pictures(1, 48, 40)[0]
    place = PhotoCompositionParameters(photo="haze", top=30, left=2, height=17, width=14)
    seen = PhotoComposition().apply(x, place, assets)
    outside = torch.ones(48, 40, dtype=torch.bool)
    outside[30:47, 2:16] = False
    assert torch.equal(seen[:, outside], assets.photo("haze", (48, 40))[:, outside])
    for plane, inner in zip(x, seen[:, 30:47, 2:16], strict=True):
        copy = Image.fromarray(plane.numpy()).resize((14, 17), Image.Resampling.BILINEAR)
        np.testing.assert_allclose(inner, np.asarray(copy), atol=1e-6)


def test_the_photo_is_cut_to_the_pictures_shape(assets: AssetPack) -> None:
    file = Image.open(assets.folder / assets.asset("photo", "noise").file)
    assert file.size == (128, 96)
    place = PhotoCompositionParameters(photo="noise", top=0, left=0, height=1, width=1)
    seen = PhotoComposition().apply(torch.zeros(3, 96, 96), place, assets)
    middle = np.asarray(file)[:, 16:112].transpose(2, 0, 1) / 255
    np.testing.assert_allclose(seen[:, 1:, 1:], middle[:, 1:, 1:], atol=1e-6)


@pytest.mark.parametrize("size", [(32, 32), (224, 224), (128, 300)])
def test_the_picture_keeps_its_shape_and_lies_inside(
    assets: AssetPack, size: tuple[int, int]
) -> None:
    draws = drawn(PhotoComposition(), assets, size=size)
    for each in draws:
        assert each.height / size[0] == pytest.approx(each.width / size[1], abs=1 / min(size))
        assert 0 <= each.top <= size[0] - each.height
        assert 0 <= each.left <= size[1] - each.width
    if min(size) == 224:
        assert_uniform(np.array([each.height / size[0] for each in draws]), 0.23, 0.36)


def test_every_photo_comes_equally_often(assets: AssetPack) -> None:
    counts = Counter(each.photo for each in drawn(PhotoComposition(), assets, number=200))
    assert set(counts) == set(assets.names("photo"))
    assert min(counts.values()) > 70
