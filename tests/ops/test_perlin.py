"""Perlin noise against nested interpolation, in closed form, and by what defines it."""

import numpy as np
import pytest
import torch

from oracles import perlin_plane
from unforeseen.ops.perlin import perlin_noise


def random_vectors(batch: int, cells: int) -> torch.Tensor:
    shape = (batch, cells + 1, cells + 1, 2)
    return torch.from_numpy(np.random.default_rng(cells).uniform(-1, 1, shape))


@pytest.mark.parametrize(("cells", "side"), [(1, 8), (8, 32), (16, 32), (4, 4), (5, 32)])
def test_the_four_corners_of_a_cell_are_interpolated(cells: int, side: int) -> None:
    vectors = random_vectors(2, cells)
    seen = perlin_noise(vectors, side)
    assert seen.shape == (2, side, side)
    for each in range(2):
        expected = perlin_plane(vectors[each].numpy(), side)
        np.testing.assert_allclose(seen[each], expected, atol=1e-12)


def test_it_is_zero_at_the_lattice_and_rises_there_as_the_vectors_say() -> None:
    cells, pixels = 4, 2**12
    vectors = random_vectors(1, cells)
    noise = perlin_noise(vectors, cells * pixels // 16)[0]
    step = pixels // 16
    np.testing.assert_allclose(noise[::step, ::step], 0, atol=1e-12)
    inner = vectors[0, 1:-1, 1:-1]
    for component, axis in ((0, 1), (1, 0)):
        rise = (noise.roll(-1, axis) - noise.roll(1, axis)) / (2 / step)
        np.testing.assert_allclose(
            rise[step::step, step::step], inner[..., component], atol=20 / step**2
        )


@pytest.mark.parametrize("component", [0, 1])
def test_vectors_that_are_all_alike_give_waves_known_in_closed_form(component: int) -> None:
    vectors = torch.zeros(1, 9, 9, 2, dtype=torch.float64)
    vectors[..., component] = 0.7
    t = (torch.arange(32, dtype=torch.float64) / 4) % 1
    wave = 0.7 * (t - (6 * t**5 - 15 * t**4 + 10 * t**3))
    expected = wave.expand(32, 32) if component == 0 else wave[:, None].expand(32, 32)
    torch.testing.assert_close(perlin_noise(vectors, 32)[0], expected)


def test_it_is_linear_in_the_vectors() -> None:
    drawn = random_vectors(2, 8)
    one, other = drawn[:1], drawn[1:]
    together = perlin_noise(2 * one - other, 32)
    apart = [perlin_noise(each, 32) for each in (one, other)]
    torch.testing.assert_close(together, 2 * apart[0] - apart[1])
