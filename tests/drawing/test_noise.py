"""Noise on the plane, held to what defines it."""

import numpy as np
import pytest

from drawing.noise import fractal, perlin, ridged

LATTICE_X, LATTICE_Y = np.meshgrid(np.arange(-3.0, 4), np.arange(-2.0, 5))
X, Y = np.random.default_rng(0).uniform(-20, 20, (2, 400))


def test_gradient_noise_is_zero_at_every_lattice_point() -> None:
    assert perlin(LATTICE_X, LATTICE_Y, seed=3) == pytest.approx(0, abs=1e-12)


def test_gradient_noise_has_slopes_of_unit_length_at_lattice_points() -> None:
    x, y = LATTICE_X, LATTICE_Y
    step = 1e-6
    across = (perlin(x + step, y, seed=3) - perlin(x - step, y, seed=3)) / (2 * step)
    along = (perlin(x, y + step, seed=3) - perlin(x, y - step, seed=3)) / (2 * step)
    assert np.hypot(across, along) == pytest.approx(1, abs=1e-5)


def test_gradient_noise_stays_below_the_bound_of_its_four_slopes() -> None:
    # The largest value is at a cell's centre, where each unit slope adds at most √½ / 4.
    assert np.abs(perlin(X, Y, seed=1)).max() <= np.sqrt(0.5)


def test_one_octave_of_fractal_noise_is_gradient_noise_moved() -> None:
    assert fractal(X, Y, 5, octaves=1) == pytest.approx(perlin(X + 17.3, Y - 9.1, 5))


def test_each_octave_adds_less_by_the_gain() -> None:
    added = fractal(X, Y, 5, octaves=4, gain=0.5) - fractal(X, Y, 5, octaves=3, gain=0.5)
    assert added == pytest.approx(0.125 * perlin(8 * X + 17.3, 8 * Y - 9.1, 8))


def test_ridged_noise_lies_between_nothing_and_the_sum_of_its_octaves() -> None:
    values = ridged(X, Y, seed=2, octaves=5, gain=0.5)
    assert values.min() >= 0
    assert values.max() <= 1 + 0.5 + 0.25 + 0.125 + 0.0625
