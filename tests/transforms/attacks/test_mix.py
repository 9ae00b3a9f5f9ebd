"""Mix: weights smoothed by scipy, and the picture in closed form where weights are even."""

import numpy as np
import pytest
import torch

from oracles import assert_uniform, gaussian_blur, pictures
from unforeseen.benchmarks.edition import Geometry
from unforeseen.contract.case import GEOMETRIES, keys_for
from unforeseen.transforms.attacks.mix import Mix, MixLatents
from unforeseen.transforms.base import DonorScene


def donors(height: int, width: int) -> DonorScene:
    return DonorScene(donor=pictures(2, height, width, seed=1, dtype=torch.float64))


@pytest.mark.parametrize("geometry", GEOMETRIES)
@pytest.mark.parametrize(("height", "width"), [(32, 32), (33, 47)])
@pytest.mark.parametrize(("size", "sigma"), [(11, 5.0), (3, 0.7), (1, 1.0)])
def test_the_donor_shines_through_by_the_smoothed_size_of_the_weights(
    geometry: Geometry, height: int, width: int, size: int, sigma: float
) -> None:
    x, scene = pictures(2, height, width, dtype=torch.float64), donors(height, width)
    weight = np.random.default_rng(0).uniform(-3, 3, (2, 1, height, width))
    attack = Mix(blur_size=size, blur_sigma=sigma, geometry=geometry)
    seen = attack.render(x, MixLatents(weight=torch.from_numpy(weight)), scene)
    for each in range(2):
        share = gaussian_blur(np.abs(weight[each, 0]), size, sigma)
        mixed = (1 - share) * x[each].numpy() + share * scene.donor[each].numpy()
        np.testing.assert_allclose(seen[each], mixed.clip(0, 1), atol=1e-12)


def test_even_weights_pass_the_blur_unchanged() -> None:
    x, scene = pictures(2, 33, 47, dtype=torch.float64), donors(33, 47)
    for share, expected in ((0.0, x), (1.0, scene.donor), (-0.25, 0.75 * x + 0.25 * scene.donor)):
        weight = torch.full((2, 1, 33, 47), share, dtype=torch.float64)
        seen = Mix().render(x, MixLatents(weight=weight), scene)
        torch.testing.assert_close(seen, expected, atol=1e-12, rtol=0)


def test_weights_above_one_go_beyond_the_donor_until_the_range_ends() -> None:
    x = torch.full((1, 3, 32, 32), 0.5)
    scene = DonorScene(donor=torch.full((1, 3, 32, 32), 0.6))
    for share, expected in ((2.0, 0.7), (9.0, 1.0)):
        seen = Mix().render(x, MixLatents(weight=torch.full((1, 1, 32, 32), share)), scene)
        torch.testing.assert_close(seen, torch.full_like(x, expected))


def test_a_donor_like_the_picture_changes_nothing() -> None:
    x = pictures(2, 33, 47)
    weight = pictures(2, 33, 47, seed=3)[:, :1]
    seen = Mix().render(x, MixLatents(weight=weight), DonorScene(donor=x))
    assert torch.equal(seen, x)


def test_the_start_is_as_long_as_the_radius_in_the_direction_of_uniform_entries() -> None:
    x = pictures(2, 64, 65)
    scene = DonorScene(donor=x.flip(0))
    radius = torch.tensor([5.0, 40.0])
    start = Mix().start(x, scene, radius, keys_for(Mix(), ["a", "b"])).weight
    assert start.shape == (2, 1, 64, 65)
    torch.testing.assert_close(start.flatten(1).norm(dim=1), radius)
    for each in start:
        # Of thousands of entries, the largest is U(0, 1)'s end to a part in a thousand.
        assert_uniform(each / each.max(), 0, 1)
