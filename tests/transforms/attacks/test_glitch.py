"""Glitch: whole-pixel shifts are array slices; the published grid is half a pixel off."""

import numpy as np
import pytest
import torch

from oracles import Array, assert_uniform, pictures, sample
from unforeseen.contract.case import keys_for
from unforeseen.transforms.attacks.glitch import Glitch, GlitchLatents
from unforeseen.transforms.base import NoScene

#: Height, bars, height of a bar: with a remainder, without, and with bars that fall away.
BARS = [(32, 16, 2), (33, 16, 3), (47, 5, 10), (224, 56, 4), (299, 56, 6), (32, 56, 1)]


def shifted_by_pixels(plane: Array, pixels: int) -> Array:
    """Each pixel takes the colour ``pixels`` to its right; edges are mirrored."""
    margin = abs(pixels)
    wide = np.pad(plane, ((0, 0), (margin, margin)), mode="symmetric")
    return wide[:, margin + pixels : margin + pixels + plane.shape[1]]


def zero_shift(attack: Glitch, height: int) -> GlitchLatents:
    x = pictures(1, height, 40)
    start = attack.start(x, NoScene(), torch.zeros(1), keys_for(attack, ["a"]))
    return GlitchLatents(shift=start.shift.double())


@pytest.mark.parametrize(("height", "bars", "bar_height"), BARS)
def test_no_shift_is_the_identity_when_centred(height: int, bars: int, bar_height: int) -> None:
    x = pictures(1, height, 40, dtype=torch.float64)
    latents = zero_shift(Glitch(bars=bars), height)
    assert latents.shift.shape == (1, 3, -(-height // bar_height))
    torch.testing.assert_close(
        Glitch(bars=bars).render(x, latents, NoScene()), x, atol=1e-12, rtol=0
    )


@pytest.mark.parametrize(("height", "bars", "bar_height"), BARS)
def test_each_channel_of_each_bar_slips_by_its_own_whole_pixels(
    height: int, bars: int, bar_height: int
) -> None:
    width = 40
    x = pictures(1, height, width, dtype=torch.float64)
    count = -(-height // bar_height)
    pixels = np.random.default_rng(0).integers(-7, 8, (3, count))
    shift = torch.from_numpy(pixels * 2 / width)[None]
    seen = Glitch(bars=bars).render(x, GlitchLatents(shift=shift), NoScene())[0].numpy()
    for channel in range(3):
        for bar in range(count):
            rows = np.s_[channel, bar * bar_height : (bar + 1) * bar_height]
            expected = shifted_by_pixels(x[0].numpy()[rows], int(pixels[channel, bar]))
            np.testing.assert_allclose(seen[rows], expected, atol=1e-12)


@pytest.mark.parametrize("strength", [0.0, 0.07])
def test_edition_published_samples_half_a_pixel_up_and_left(strength: float) -> None:
    height, width, bars = 33, 47, 11
    x = pictures(1, height, width, dtype=torch.float64)
    shift = np.random.default_rng(0).uniform(-strength, strength, (3, bars))
    latents = GlitchLatents(shift=torch.from_numpy(shift)[None])
    seen = Glitch(bars=bars, geometry="published").render(x, latents, NoScene())[0].numpy()
    down, across = np.mgrid[:height, :width]
    for channel in range(3):
        expected = sample(
            x[0, channel].numpy(),
            2 * across / width - 1 + shift[channel].repeat(3)[:, None],
            2 * down / height - 1,
            "mirror",
        )
        np.testing.assert_allclose(seen[channel], expected, atol=1e-12)


def test_the_published_grid_at_rest_averages_four_neighbours() -> None:
    x = pictures(1, 32, 40, dtype=torch.float64)
    attack = Glitch(bars=16, geometry="published")
    seen = attack.render(x, zero_shift(attack, 32), NoScene())
    expected = (x[..., 1:, 1:] + x[..., :-1, 1:] + x[..., 1:, :-1] + x[..., :-1, :-1]) / 4
    torch.testing.assert_close(seen[..., 1:, 1:], expected, atol=1e-12, rtol=0)


@pytest.mark.parametrize("strength", [0.0, 0.25, 1.0])
def test_grey_strength_mixes_towards_light_grey(strength: float) -> None:
    x = pictures(1, 32, 40, dtype=torch.float64)
    attack = Glitch(bars=16, grey_strength=strength)
    seen = attack.render(x, zero_shift(attack, 32), NoScene())
    torch.testing.assert_close(seen, (1 - strength) * x + strength * 0.87)


def test_the_start_is_uniform_between_zero_and_the_radius() -> None:
    x = pictures(2, 224, 32)
    attack = Glitch()
    radius = torch.tensor([0.07, 0.3])
    start = attack.start(x, NoScene(), radius, keys_for(attack, ["a", "b"])).shift
    assert start.shape == (2, 3, 56)
    for each, limit in zip(start, radius.tolist(), strict=True):
        assert_uniform(each, 0, limit)
