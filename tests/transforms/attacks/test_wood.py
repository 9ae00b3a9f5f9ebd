"""Wood: the formula in numpy, compared by eighth powers since the rings' flanks are vertical."""

import numpy as np
import pytest
import torch

from oracles import Array, bilinear_upsample, pictures
from unforeseen.benchmarks.edition import Geometry
from unforeseen.contract.case import GEOMETRIES, keys_for
from unforeseen.transforms.attacks.wood import Wood, WoodLatents
from unforeseen.transforms.base import NoScene

SIZES = [(32, 32), (33, 47), (128, 224)]


def rings_seen(attack: Wood, turbulence: Array, height: int, width: int) -> Array:
    """|sin(π · rings · d)|: the eighth power of the rendered white picture."""
    white = torch.ones(1, 3, height, width, dtype=torch.float64)
    latents = WoodLatents(turbulence=torch.from_numpy(turbulence)[None, None])
    rendered = attack.render(white, latents, NoScene())[0]
    assert torch.equal(rendered[0], rendered[1])
    assert torch.equal(rendered[0], rendered[2])
    seen: Array = rendered[0].numpy() ** 8
    return seen


@pytest.mark.parametrize("geometry", GEOMETRIES)
@pytest.mark.parametrize(("height", "width"), SIZES)
@pytest.mark.parametrize(("rings", "resolution"), [(4, 32), (5, 16), (1, 1)])
@pytest.mark.parametrize("strength", [0.0, 0.1])
def test_the_rings_are_those_of_the_formula(
    geometry: Geometry, height: int, width: int, rings: int, resolution: int, strength: float
) -> None:
    turbulence = np.random.default_rng(0).uniform(-strength, strength, (resolution, resolution))
    u = 2 * np.arange(width) / width - 1
    v = 2 * np.arange(height) / height - 1
    distance = np.hypot(u[None, :], v[:, None]) + bilinear_upsample(turbulence, height, width)
    expected = np.abs(np.sin(np.pi * rings * distance))
    attack = Wood(rings=rings, resolution=resolution, geometry=geometry)
    seen = rings_seen(attack, turbulence, height, width)
    np.testing.assert_allclose(seen, expected, atol=1e-11)


@pytest.mark.parametrize("geometry", GEOMETRIES)
def test_the_picture_is_multiplied_by_the_rings(geometry: Geometry) -> None:
    x = pictures(2, 40, 32, dtype=torch.float64)
    attack = Wood(geometry=geometry)
    latents = attack.start(x, NoScene(), torch.ones(2), keys_for(attack, ["a", "b"]))
    rings = attack.render(torch.ones_like(x), latents, NoScene())
    torch.testing.assert_close(attack.render(x, latents, NoScene()), x * rings)


def test_the_start_is_zero() -> None:
    x = pictures(1, 32, 32)
    attack = Wood(resolution=16)
    start = attack.start(x, NoScene(), torch.ones(1), keys_for(attack, ["a"])).turbulence
    assert torch.equal(start, torch.zeros(1, 1, 16, 16))
