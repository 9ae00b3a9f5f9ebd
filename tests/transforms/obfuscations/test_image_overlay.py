"""ImageOverlay: the weighted mean of two pictures."""

import numpy as np
import torch

from obfuscation_draws import drawn
from oracles import assert_uniform, pictures
from unforeseen.transforms.assets.pack import AssetPack
from unforeseen.transforms.obfuscations.image_overlay import ImageOverlay, ImageOverlayParameters


def test_picture_and_photo_are_averaged_by_the_photos_opacity(assets: AssetPack) -> None:
    x = pictures(1, 48, 40, dtype=torch.float64)[0]
    seen = ImageOverlay().apply(x, ImageOverlayParameters(photo="haze", opacity=0.55), assets)
    photo = assets.photo("haze", (48, 40)).double()
    np.testing.assert_allclose(seen, 0.45 * x.numpy() + 0.55 * photo.numpy(), atol=1e-12)


def test_every_photo_comes_and_opacities_are_even(assets: AssetPack) -> None:
    draws = drawn(ImageOverlay(), assets)
    assert {each.photo for each in draws} == set(assets.names("photo"))
    assert_uniform(np.array([each.opacity for each in draws]), 0.55, 0.63)
