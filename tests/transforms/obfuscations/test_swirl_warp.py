"""SwirlWarp against scikit-image's formula, written out."""

import math

import numpy as np
import pytest
import torch
from scipy import ndimage

from obfuscation_draws import drawn
from oracles import pictures
from unforeseen.transforms.assets.pack import AssetPack
from unforeseen.transforms.obfuscations.swirl_warp import SwirlWarp, SwirlWarpParameters


@pytest.mark.parametrize("strength", [2.4, -3.5])
@pytest.mark.parametrize("size", [(48, 48), (33, 47)])
def test_a_swirl_is_that_of_scikit_image(
    assets: AssetPack, strength: float, size: tuple[int, int]
) -> None:
    """Its ``_swirl_mapping``: θ = arctan2(y − y0, x − x0) + strength · exp(−ρ / radius)."""
    x = pictures(1, *size, dtype=torch.float64)[0]
    center = (0.4 * size[1], 0.55 * size[0])
    parameters = SwirlWarpParameters(strength=strength, radius=17.0, center=center)
    seen = SwirlWarp().apply(x, parameters, assets)
    down, across = np.mgrid[: size[0], : size[1]] + 0.5
    across, down = across - center[0], down - center[1]
    rho = np.hypot(across, down)
    theta = np.arctan2(down, across) + strength * np.exp(-rho / 17.0)
    places = [
        center[1] + rho * np.sin(theta) - 0.5,
        center[0] + rho * np.cos(theta) - 0.5,
    ]
    for channel in range(3):
        expected = ndimage.map_coordinates(x[channel].numpy(), places, order=1, mode="reflect")
        np.testing.assert_allclose(seen[channel], expected, atol=1e-9)


def test_no_strength_is_no_swirl(assets: AssetPack) -> None:
    x = pictures(1, 48, 40)[0]
    parameters = SwirlWarpParameters(strength=0.0, radius=20.0, center=(20.0, 24.0))
    torch.testing.assert_close(SwirlWarp().apply(x, parameters, assets), x, atol=1e-5, rtol=0)


def test_far_from_the_centre_nothing_moves(assets: AssetPack) -> None:
    """At twelve radii a swirl of 3 radians has fallen to 2e-5, a thousandth of a pixel."""
    x = pictures(1, 96, 96)[0]
    parameters = SwirlWarpParameters(strength=3.0, radius=3.0, center=(48.0, 48.0))
    seen = SwirlWarp().apply(x, parameters, assets)
    down, across = np.mgrid[:96, :96] - 47.5
    far = torch.from_numpy(np.hypot(across, down) > 36)
    assert float((seen - x)[:, far].abs().max()) < 2e-3
    assert float((seen - x)[:, ~far].abs().max()) > 0.3


def test_the_opposite_swirl_undoes_it(assets: AssetPack) -> None:
    """Distances from the centre don't change, so turning back by as much is the inverse."""
    down, across = np.mgrid[:128, :128]
    smooth = 0.5 + 0.4 * np.sin(across / 9) * np.cos(down / 11)
    x = torch.from_numpy(smooth).expand(3, -1, -1)
    there, back = (
        SwirlWarpParameters(strength=strength, radius=20.0, center=(64.0, 64.0))
        for strength in (2.0, -2.0)
    )
    seen = SwirlWarp().apply(SwirlWarp().apply(x, there, assets), back, assets)
    inner = (slice(None), slice(32, 96), slice(32, 96))
    torch.testing.assert_close(seen[inner], x[inner], atol=0.02, rtol=0)


def test_both_turns_come_and_centres_lie_in_the_middle_third(assets: AssetPack) -> None:
    draws = drawn(SwirlWarp(), assets, size=(300, 600))
    assert {math.copysign(1, each.strength) for each in draws} == {-1, 1}
    for each in draws:
        assert 200 <= each.center[0] <= 400
        assert 100 <= each.center[1] <= 200
