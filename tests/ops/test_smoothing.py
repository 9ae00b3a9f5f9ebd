"""Smoothing against scipy's separable correlations."""

import numpy as np
import pytest
import torch

import oracles
from unforeseen.ops.smoothing import LARGEST_BLUR, gaussian_blur


@pytest.mark.parametrize(("size", "sigma"), [(1, 2.0), (3, 0.7), (11, 5.0), (LARGEST_BLUR, 25.0)])
@pytest.mark.parametrize(("height", "width"), [(32, 32), (33, 47)])
def test_each_plane_is_smoothed_as_scipy_does(
    size: int, sigma: float, height: int, width: int
) -> None:
    x = oracles.pictures(2, height, width, low=-1, dtype=torch.float64)
    seen = gaussian_blur(x, size, sigma)
    for plane, smooth in zip(x.flatten(0, 1).numpy(), seen.flatten(0, 1).numpy(), strict=True):
        np.testing.assert_allclose(smooth, oracles.gaussian_blur(plane, size, sigma), atol=1e-12)


def test_an_even_plane_stays_as_it_is() -> None:
    x = torch.full((1, 2, 32, 40), 0.3, dtype=torch.float64)
    torch.testing.assert_close(gaussian_blur(x, 11, 5.0), x)


def test_a_window_may_be_wider_than_the_picture_as_far_as_its_mirror_image_reaches() -> None:
    x = oracles.pictures(1, 51, 80, dtype=torch.float64)
    seen = gaussian_blur(x, 101, 20.0)
    expected = oracles.gaussian_blur(x[0, 0].numpy(), 101, 20.0)
    np.testing.assert_allclose(seen[0, 0], expected, atol=1e-12)
