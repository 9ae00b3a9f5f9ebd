"""JPEG: against an encoder and decoder made of scipy's cosine transform."""

import numpy as np
import pytest
import torch

from oracles import assert_uniform, jpeg_space_noise, pictures
from unforeseen.contract.case import keys_for
from unforeseen.transforms.attacks.jpeg import Jpeg, JpegLatents
from unforeseen.transforms.base import NoScene

SIZES = [(32, 32), (40, 64), (33, 47)]


@pytest.mark.parametrize(("height", "width"), SIZES)
@pytest.mark.parametrize("radius", [1 / 255, 6 / 255, 1.0])
def test_noise_is_added_between_encoding_and_decoding(
    height: int, width: int, radius: float
) -> None:
    x = pictures(2, height, width, dtype=torch.float64)
    padded = (height + -height % 8, width + -width % 8)
    noise = pictures(2, *padded, seed=1, low=-radius, high=radius, dtype=torch.float64)
    seen = Jpeg().render(x, JpegLatents(coefficients=noise), NoScene())
    for each in range(2):
        expected = jpeg_space_noise(x[each].numpy(), noise[each].numpy())
        # The standard prints its two matrices with six digits; they are inverse to that much.
        np.testing.assert_allclose(seen[each], expected, atol=1e-5)


@pytest.mark.parametrize(("height", "width"), SIZES)
def test_no_noise_is_exactly_the_identity(height: int, width: int) -> None:
    x = pictures(1, height, width)
    attack = Jpeg()
    start = attack.start(x, NoScene(), torch.zeros(1), keys_for(attack, ["a"]))
    assert torch.equal(attack.render(x, start, NoScene()), x)


def test_the_constant_coefficient_of_luma_brightens_a_block_and_only_that() -> None:
    x = torch.full((1, 3, 32, 32), 0.5)
    coefficients = torch.zeros_like(x)
    coefficients[0, 0, 8, 16] = 0.8
    seen = Jpeg().render(x, JpegLatents(coefficients=coefficients), NoScene())
    expected = x.clone()
    expected[..., 8:16, 16:24] += 0.8 / 8
    torch.testing.assert_close(seen, expected)


def test_the_start_is_uniform_between_zero_and_the_radius() -> None:
    x = pictures(2, 33, 47)
    attack = Jpeg()
    radius = torch.tensor([0.02, 0.3])
    start = attack.start(x, NoScene(), radius, keys_for(attack, ["a", "b"])).coefficients
    assert start.shape == (2, 3, 40, 48)
    for each, limit in zip(start, radius.tolist(), strict=True):
        assert_uniform(each, 0, limit)
