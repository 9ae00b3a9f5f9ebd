"""Resizing against Pillow's."""

import numpy as np
import pytest
import torch
from PIL import Image

from oracles import pictures
from unforeseen.ops.resizing import resize


@pytest.mark.parametrize("size", [(13, 17), (31, 9), (16, 20), (32, 40)])
def test_pictures_shrink_as_pillow_shrinks_them(size: tuple[int, int]) -> None:
    picture = pictures(1, 32, 40)[0]
    for plane, shrunk in zip(picture, resize(picture, size), strict=True):
        image = Image.fromarray(plane.numpy())
        expected = np.asarray(image.resize((size[1], size[0]), Image.Resampling.BILINEAR))
        np.testing.assert_allclose(shrunk, expected, atol=1e-6)


def test_a_white_picture_stays_white_at_every_size() -> None:
    white = torch.ones(3, 224, 224)
    for side in range(40, 120, 7):
        resized = resize(white, (side, side + 3))
        assert resized.max() <= 1
        torch.testing.assert_close(resized, torch.ones(3, side, side + 3))
