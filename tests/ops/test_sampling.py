"""Grids in closed form, samples against scipy."""

from typing import Literal

import numpy as np
import pytest
import torch
from scipy import ndimage

from oracles import pictures, sample
from unforeseen.ops.sampling import (
    GridConvention,
    axis,
    base_grid,
    displace,
    pixel_centres,
    sample_at,
)

LIKE = torch.zeros((), dtype=torch.float64)


@pytest.mark.parametrize(
    ("convention", "expected"),
    [
        ("centred", [-0.75, -0.25, 0.25, 0.75]),
        ("left_edge", [-1, -0.5, 0, 0.5]),
        ("corner_to_corner", [-1, -1 / 3, 1 / 3, 1]),
    ],
)
def test_the_three_conventions_at_four_pixels(
    convention: GridConvention, expected: list[float]
) -> None:
    np.testing.assert_allclose(axis(4, convention, LIKE), expected)


def test_a_base_grid_has_the_horizontal_coordinate_first() -> None:
    grid = base_grid(3, 5, "left_edge", LIKE)
    assert grid.shape == (3, 5, 2)
    assert grid.dtype == torch.float64
    for row in range(3):
        for column in range(5):
            assert grid[row, column].tolist() == pytest.approx(
                [2 * column / 5 - 1, 2 * row / 3 - 1]
            )


@pytest.mark.parametrize("dtype", [torch.float32, torch.float64])
@pytest.mark.parametrize("side", [32, 33, 224, 299, 384])
def test_no_displacement_is_the_identity_when_centred(side: int, dtype: torch.dtype) -> None:
    x = pictures(1, side, side, dtype=dtype)
    still = x.new_zeros(1, side, side, 2)
    for padding in ("zeros", "reflection"):
        seen = displace(x, still, convention="centred", padding=padding)
        tolerance = 1e-4 if dtype == torch.float32 else 1e-12
        torch.testing.assert_close(seen, x, atol=tolerance, rtol=0)


@pytest.mark.parametrize("convention", ["centred", "left_edge", "corner_to_corner"])
@pytest.mark.parametrize(("padding", "outside"), [("zeros", "zeros"), ("reflection", "mirror")])
def test_samples_are_scipys(
    convention: GridConvention,
    padding: Literal["zeros", "reflection"],
    outside: Literal["zeros", "mirror"],
) -> None:
    x = pictures(2, 9, 14, dtype=torch.float64)
    moves = np.random.default_rng(0).uniform(-1.5, 1.5, (2, 9, 14, 2))
    seen = displace(x, torch.from_numpy(moves), convention=convention, padding=padding)
    across, down = np.moveaxis(base_grid(9, 14, convention, x).numpy() + moves, -1, 0)
    for each in range(2):
        for channel in range(3):
            expected = sample(x[each, channel].numpy(), across[each], down[each], outside)
            np.testing.assert_allclose(seen[each, channel], expected, atol=1e-12)


@pytest.mark.parametrize("outside", ["zeros", "border"])
def test_samples_in_pixels_are_scipys(outside: Literal["zeros", "border"]) -> None:
    image = pictures(1, 33, 47)[0].double()
    x, y = pixel_centres(20, 30, image)
    x, y = 1.7 * x + 0.2 * y - 5, 2.1 * y - 0.3 * x
    sampled = sample_at(image, x, y, outside=outside)
    for channel in range(3):
        expected = ndimage.map_coordinates(
            image[channel].numpy(),
            [(y - 0.5).numpy(), (x - 0.5).numpy()],
            order=1,
            mode="grid-constant" if outside == "zeros" else "nearest",
        )
        np.testing.assert_allclose(sampled[channel], expected, atol=1e-12)


def test_a_picture_sampled_at_its_pixels_centres_is_itself() -> None:
    image = pictures(1, 33, 47)[0]
    sampled = sample_at(image, *pixel_centres(33, 47, image), outside="zeros")
    torch.testing.assert_close(sampled, image, atol=1e-5, rtol=0)
