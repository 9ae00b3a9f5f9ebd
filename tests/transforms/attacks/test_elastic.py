"""Elastic: whole-pixel flows are array slices; others are sampled by scipy."""

import numpy as np
import pytest
import torch

from oracles import Array, assert_uniform, bicubic_upsample, pictures, sample
from unforeseen.benchmarks.edition import Geometry
from unforeseen.contract.case import GEOMETRIES, keys_for
from unforeseen.transforms.attacks.elastic import Elastic, ElasticLatents
from unforeseen.transforms.base import NoScene


def at_rest(geometry: Geometry, size: int) -> Array:
    """Where pixels lie before they are moved, by edition."""
    if geometry == "published":
        return np.array([-1 + 2 * index / (size - 1) for index in range(size)])
    return np.array([(2 * index + 1) / size - 1 for index in range(size)])


@pytest.mark.parametrize(("height", "width"), [(32, 32), (33, 47), (128, 224)])
def test_no_flow_is_the_identity_when_centred(height: int, width: int) -> None:
    x = pictures(1, height, width, dtype=torch.float64)
    attack = Elastic()
    rows, columns = -(-height // 32), -(-width // 32)
    latents = ElasticLatents(flow=x.new_zeros(1, 2, rows, columns))
    torch.testing.assert_close(attack.render(x, latents, NoScene()), x, atol=1e-12, rtol=0)


@pytest.mark.parametrize(("down", "across"), [(0, 3), (2, 0), (-4, -1), (5, -6)])
def test_a_constant_flow_of_whole_pixels_shifts_and_leaves_black(down: int, across: int) -> None:
    height, width = 33, 48
    x = pictures(1, height, width, dtype=torch.float64)
    flow = x.new_tensor([2 * across / width, 2 * down / height])
    latents = ElasticLatents(flow=flow[None, :, None, None].expand(1, 2, 5, 6))
    wide = np.pad(x[0].numpy(), ((0, 0), (8, 8), (8, 8)))
    expected = wide[:, 8 + down : 8 + down + height, 8 + across : 8 + across + width]
    seen = Elastic(spacing=8).render(x, latents, NoScene())
    np.testing.assert_allclose(seen[0], expected, atol=1e-12)


@pytest.mark.parametrize("geometry", GEOMETRIES)
@pytest.mark.parametrize(("height", "width", "spacing"), [(32, 32, 2), (33, 47, 8), (64, 40, 32)])
@pytest.mark.parametrize("strength", [0.0, 0.3])
def test_the_flow_is_upsampled_bicubically_and_added_to_the_grid(
    geometry: Geometry, height: int, width: int, spacing: int, strength: float
) -> None:
    x = pictures(1, height, width, dtype=torch.float64)
    shape = (2, -(-height // spacing), -(-width // spacing))
    flow = np.random.default_rng(0).uniform(-strength, strength, shape)
    latents = ElasticLatents(flow=torch.from_numpy(flow)[None])
    seen = Elastic(spacing=spacing, geometry=geometry).render(x, latents, NoScene())[0].numpy()
    across = at_rest(geometry, width)[None, :] + bicubic_upsample(flow[0], height, width)
    down = at_rest(geometry, height)[:, None] + bicubic_upsample(flow[1], height, width)
    for channel in range(3):
        expected = sample(x[0, channel].numpy(), across, down, "zeros")
        np.testing.assert_allclose(seen[channel], expected, atol=1e-9)


def test_the_start_is_uniform_before_it_is_projected() -> None:
    x = pictures(2, 33, 47)
    attack = Elastic(spacing=2)
    for radius in (0.1, 0.5):
        start = attack.start(
            x, NoScene(), torch.full((2,), radius), keys_for(attack, ["a", "b"])
        ).flow
        assert start.shape == (2, 2, 17, 24)
        assert_uniform(start, -1, 1)
