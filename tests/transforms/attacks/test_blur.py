"""Blur: scipy's separable correlations, mixed by hand."""

import numpy as np
import pytest
import torch

from oracles import Array, assert_uniform, gaussian_blur, pictures
from unforeseen.benchmarks.edition import Geometry
from unforeseen.contract.case import GEOMETRIES, keys_for
from unforeseen.transforms.attacks.blur import Blur, BlurLatents
from unforeseen.transforms.base import NoScene

SIZES = [(32, 32), (33, 47), (64, 40)]


def blurred(x: Array, size: int = 17, sigma: float = 25.0) -> Array:
    return np.stack([gaussian_blur(plane, size, sigma) for plane in x])


@pytest.mark.parametrize("geometry", GEOMETRIES)
@pytest.mark.parametrize(("height", "width"), SIZES)
@pytest.mark.parametrize("windows", [(17, 25.0, 9, 18.0), (5, 1.5, 3, 0.8), (63, 25.0, 1, 18.0)])
def test_picture_and_blurred_picture_are_mixed_by_the_smoothed_weight(
    geometry: Geometry, height: int, width: int, windows: tuple[int, float, int, float]
) -> None:
    size, sigma, weight_size, weight_sigma = windows
    x = pictures(2, height, width, dtype=torch.float64)
    weight = pictures(2, height, width, seed=1, high=0.6, dtype=torch.float64)[:, :1]
    attack = Blur(
        geometry=geometry,
        blur_size=size,
        blur_sigma=sigma,
        weight_size=weight_size,
        weight_sigma=weight_sigma,
    )
    seen = attack.render(x, BlurLatents(weight=weight), NoScene())
    for each in range(2):
        smooth = gaussian_blur(weight[each, 0].numpy(), weight_size, weight_sigma)
        original = x[each].numpy()
        expected = (1 - smooth) * original + smooth * blurred(original, size, sigma)
        np.testing.assert_allclose(seen[each], expected, atol=1e-12)


@pytest.mark.parametrize(("height", "width"), SIZES)
def test_no_weight_is_the_identity(height: int, width: int) -> None:
    x = pictures(2, height, width)
    assert torch.equal(
        Blur().render(x, BlurLatents(weight=torch.zeros_like(x[:, :1])), NoScene()), x
    )


def test_full_weight_is_the_blurred_picture() -> None:
    x = pictures(1, 33, 47, dtype=torch.float64)
    seen = Blur().render(x, BlurLatents(weight=torch.ones_like(x[:, :1])), NoScene())
    np.testing.assert_allclose(seen[0], blurred(x[0].numpy()), atol=1e-12)


def test_one_weight_reaches_its_window_and_no_further() -> None:
    x = pictures(1, 40, 40)
    weight = torch.zeros(1, 1, 40, 40)
    weight[..., 20, 11] = 0.6
    changed = (Blur().render(x, BlurLatents(weight=weight), NoScene()) != x).any(dim=1)[0]
    expected = torch.zeros(40, 40, dtype=torch.bool)
    expected[16:25, 7:16] = True
    assert torch.equal(changed, expected)


def test_weights_start_uniform_and_stay_one_sided() -> None:
    x = pictures(2, 33, 47)
    attack = Blur()
    radius = torch.tensor([0.3, 0.6])
    start = attack.start(x, NoScene(), radius, keys_for(attack, ["a", "b"])).weight
    assert start.shape == (2, 1, 33, 47)
    assert_uniform(start[0], 0, 0.3)
    assert_uniform(start[1], 0, 0.6)
    stepped = attack.balls["weight"].project(start - 0.45, radius)
    assert stepped.min() == 0
    assert stepped.max() > 0
