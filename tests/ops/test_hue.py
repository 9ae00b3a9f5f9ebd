"""Hue, saturation and value to RGB: Python's colorsys, and kornia's slopes."""

import colorsys
import math

import kornia
import pytest
import torch

from unforeseen.ops.hue import hsv_to_rgb, shift_hue


def colours() -> torch.Tensor:
    """Every corner, edge and middle of the six sextants, pale and dark; (1, 3, H, W)."""
    hue = torch.linspace(0, 1, 49, dtype=torch.float64)
    other = torch.tensor([0.0, 0.3, 1.0], dtype=torch.float64)
    grid = torch.cartesian_prod(hue, other, other)
    return grid.T.reshape(1, 3, len(hue), -1)


def test_every_colour_is_that_of_colorsys() -> None:
    hsv = colours()
    seen = hsv_to_rgb(hsv).flatten(2)[0].T
    expected = [colorsys.hsv_to_rgb(*colour.tolist()) for colour in hsv.flatten(2)[0].T]
    torch.testing.assert_close(seen, torch.tensor(expected, dtype=torch.float64))


def test_slopes_are_kornias_within_the_sextants() -> None:
    generator = torch.Generator().manual_seed(0)
    hsv = torch.rand(2, 3, 32, 40, generator=generator, dtype=torch.float64).requires_grad_()
    weights = torch.rand(2, 3, 32, 40, generator=generator, dtype=torch.float64)
    turn = torch.tensor([2 * math.pi, 1, 1], dtype=torch.float64).reshape(3, 1, 1)
    ours, theirs = (
        torch.autograd.grad((weights * rgb).sum(), hsv)[0]
        for rgb in (hsv_to_rgb(hsv), kornia.color.hsv_to_rgb(hsv * turn))
    )
    torch.testing.assert_close(ours, theirs)


@pytest.mark.parametrize("turns", [0.0, 0.15, 0.5, 0.85, -0.3, 2.25])
def test_hues_are_raised_as_colorsys_does(turns: float) -> None:
    """Black, white, greys, primary and mixed colours among them: all of a lattice of 5 × 5 × 5."""
    levels = torch.linspace(0, 1, 5, dtype=torch.float64)
    rgb = torch.cartesian_prod(levels, levels, levels).T.reshape(3, 25, 5)
    shifted = shift_hue(rgb, turns)
    for before, after in zip(rgb.flatten(1).T, shifted.flatten(1).T, strict=True):
        hue, saturation, value = colorsys.rgb_to_hsv(*before.tolist())
        expected = colorsys.hsv_to_rgb((hue + turns) % 1, saturation, value)
        assert after.tolist() == pytest.approx(expected, abs=1e-9)


def test_greys_have_no_hue_to_raise() -> None:
    grey = torch.linspace(0, 1, 64).reshape(1, 8, 8).expand(3, -1, -1)
    assert torch.equal(shift_hue(grey, 0.4), grey)
