"""Fog: surfaces displaced point by point, mixed by hand."""

import numpy as np
import pytest
import torch

from oracles import assert_uniform, diamond_square_heights, pictures
from unforeseen.benchmarks.edition import Geometry
from unforeseen.contract.case import GEOMETRIES, keys_for
from unforeseen.transforms.attacks.fog import Fog, FogLatents
from unforeseen.transforms.base import NoScene

#: Pictures, and the side of the surface that covers them.
SIZES = [(32, 32, 32), (33, 47, 64), (64, 40, 64), (40, 65, 128)]
COLOUR = (0.485, 0.45, 0.406)


def displacements(batch: int, side: int, strength: float) -> torch.Tensor:
    generator = np.random.default_rng(side)
    return torch.from_numpy(generator.uniform(-strength, strength, (batch, side * side - 1)))


@pytest.mark.parametrize("geometry", GEOMETRIES)
@pytest.mark.parametrize(("height", "width", "side"), SIZES)
@pytest.mark.parametrize("strength", [0.3, 1.5])
@pytest.mark.parametrize("decay", [3.0, 1.5])
def test_the_picture_fades_into_the_fogs_colour_as_the_surface_says(
    geometry: Geometry, height: int, width: int, side: int, strength: float, decay: float
) -> None:
    x = pictures(2, height, width, dtype=torch.float64)
    displacement = displacements(2, side, strength)
    seen = Fog(geometry=geometry, decay=decay).render(
        x, FogLatents(displacement=displacement), NoScene()
    )
    for each in range(2):
        surface = diamond_square_heights(displacement[each].numpy(), side, decay)
        fog = np.minimum(np.abs(surface[:height, :width]), 1)
        for channel, colour in enumerate(COLOUR):
            expected = (1 - fog) * x[each, channel].numpy() + fog * colour
            np.testing.assert_allclose(seen[each, channel], expected, atol=1e-12)


@pytest.mark.parametrize(("height", "width", "side"), SIZES)
def test_no_displacement_is_the_identity(height: int, width: int, side: int) -> None:
    x = pictures(2, height, width)
    latents = FogLatents(displacement=torch.zeros(2, side * side - 1))
    assert torch.equal(Fog().render(x, latents, NoScene()), x)


def test_a_hole_in_the_surface_is_as_deep_a_fog_as_a_hill() -> None:
    x = pictures(2, 33, 47)
    displacement = displacements(2, 64, 0.5).float()
    hill, hole = (
        Fog().render(x, FogLatents(displacement=sign * displacement), NoScene()) for sign in (1, -1)
    )
    assert torch.equal(hill, hole)


def test_the_densest_fog_hides_the_picture() -> None:
    x = pictures(1, 32, 32)
    latents = FogLatents(displacement=torch.full((1, 1023), 10.0))
    seen = Fog().render(x, latents, NoScene())
    hidden = torch.ones(32, 32, dtype=torch.bool)
    hidden[0, 0] = False  # the surface's first point stays at 0
    for channel, colour in enumerate(COLOUR):
        torch.testing.assert_close(seen[0, channel][hidden], torch.full((1023,), colour))
    torch.testing.assert_close(seen[..., 0, 0], x[..., 0, 0])


def test_the_start_is_uniform_and_positive_for_every_point_but_the_first() -> None:
    x = pictures(2, 33, 47)
    attack = Fog()
    radius = torch.tensor([0.3, 0.7])
    start = attack.start(x, NoScene(), radius, keys_for(attack, ["a", "b"])).displacement
    assert start.shape == (2, 64 * 64 - 1)
    assert_uniform(start[0], 0, 0.3)
    assert_uniform(start[1], 0, 0.7)
