"""Gabor: scipy's direct convolution with a kernel written out cell by cell."""

import math

import numpy as np
import pytest
import torch
from scipy import signal, stats

from oracles import assert_uniform, gabor_kernel, pictures
from unforeseen.benchmarks.edition import Geometry
from unforeseen.contract.case import GEOMETRIES, keys_for
from unforeseen.transforms.attacks.gabor import Gabor, GaborLatents

MANY = [str(number) for number in range(400)]


@pytest.mark.parametrize("geometry", GEOMETRIES)
@pytest.mark.parametrize(
    ("sides", "kernel_size", "sigma"), [(5, 23, 3.0), (3, 23, 3.0), (1, 13, 0.2)]
)
def test_masked_impulses_are_convolved_with_the_written_out_kernel(
    geometry: Geometry, sides: int, kernel_size: int, sigma: float
) -> None:
    attack = Gabor(sides=sides, kernel_size=kernel_size, sigma=sigma, geometry=geometry)
    x = pictures(2, 33, 47, dtype=torch.float64)
    scene = attack.draw_scene(x, keys_for(attack, ["a", "b"]))
    impulses = pictures(2, 33, 47, seed=1, low=-0.1, high=0.1, dtype=torch.float64)
    seen = attack.render(x, GaborLatents(impulses=impulses), scene).numpy()
    for each in range(2):
        kernel = gabor_kernel(
            kernel_size, sides, sigma, float(scene.angle[each]), float(scene.frequency[each])
        )
        for channel in range(3):
            masked = (impulses * scene.mask)[each, channel].numpy()
            noise = signal.convolve2d(masked, kernel, mode="same")
            expected = np.clip(x[each, channel].numpy() + noise, 0, 1)
            np.testing.assert_allclose(seen[each, channel], expected, atol=1e-10)


def test_no_impulses_are_the_identity() -> None:
    x = pictures(2, 33, 47)
    attack = Gabor()
    scene = attack.draw_scene(x, keys_for(attack, ["a", "b"]))
    seen = attack.render(x, GaborLatents(impulses=torch.zeros_like(x)), scene)
    torch.testing.assert_close(seen, x, atol=1e-7, rtol=0)


@pytest.mark.parametrize("density", [0.1, 0.0, 1.0])
def test_the_mask_keeps_its_share_of_every_channel(density: float) -> None:
    x = pictures(2, 128, 96)
    attack = Gabor(density=density)
    mask = attack.draw_scene(x, keys_for(attack, ["a", "b"])).mask
    assert set(mask.flatten().tolist()) <= {0.0, 1.0}
    for channel in mask.flatten(0, 1):
        trial = stats.binomtest(int(channel.sum()), channel.numel(), density)
        assert trial.pvalue > 1e-3
    assert density in {0.0, 1.0} or not torch.equal(mask[:, 0], mask[:, 1])


def test_angle_and_frequency_are_uniform() -> None:
    x = pictures(1, 32, 32)
    attack = Gabor()
    scene = attack.draw_scene(x.expand(400, -1, -1, -1), keys_for(attack, MANY))
    assert_uniform(scene.angle, 0, math.pi)
    assert_uniform(scene.frequency, 3, 23 / 4)


def test_all_impulses_start_at_one_height_uniform_below_the_radius() -> None:
    x = pictures(1, 32, 32).expand(400, -1, -1, -1)
    attack = Gabor()
    keys = keys_for(attack, MANY)
    scene = attack.draw_scene(x, keys)
    start = attack.start(x, scene, torch.full((400,), 0.06), keys).impulses
    height = start.amax(dim=(1, 2, 3))
    assert torch.equal(start, scene.mask * height[:, None, None, None])
    assert_uniform(height, 0, 0.06)


def test_edition_strict_keeps_its_stripes() -> None:
    x = pictures(2, 32, 32)
    attack = Gabor(geometry="centred")
    keys = keys_for(attack, ["a", "b"])
    scene = attack.draw_scene(x, keys)
    assert attack.redraw(scene, keys, [5, 0]) is scene


def test_edition_published_draws_stripes_afresh_for_each_update_whatever_the_batch() -> None:
    x = pictures(2, 32, 32)
    attack = Gabor(geometry="published")
    keys = keys_for(attack, ["a", "b"])
    scene = attack.draw_scene(x, keys)
    drawn = [attack.redraw(scene, keys, [count, count]) for count in range(200)]
    assert all(torch.equal(each.mask, scene.mask) for each in drawn)
    assert_uniform(torch.stack([each.angle for each in drawn]), 0, math.pi)
    assert_uniform(torch.stack([each.frequency for each in drawn]), 3, 23 / 4)
    assert len({float(each.angle[0]) for each in drawn}) == 200

    swapped = torch.tensor([1, 0])
    again = attack.redraw(scene.select(swapped), keys[::-1], [7, 3])
    assert again.angle.tolist() == [float(drawn[7].angle[1]), float(drawn[3].angle[0])]
    assert again.frequency.tolist() == [
        float(drawn[7].frequency[1]),
        float(drawn[3].frequency[0]),
    ]
