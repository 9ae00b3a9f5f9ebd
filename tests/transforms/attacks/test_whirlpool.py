"""Whirlpool: displacements in polar coordinates, centre by centre and pixel by pixel."""

import math

import numpy as np
import pytest
import torch

from oracles import Array, assert_uniform, pictures, sample
from unforeseen.benchmarks.edition import Geometry
from unforeseen.contract.case import GEOMETRIES, keys_for
from unforeseen.transforms.attacks.whirlpool import Whirlpool, WhirlpoolLatents, WhirlpoolScene

SIZES = [(32, 32), (33, 47), (48, 40)]


def swirled(across: float, down: float, centre: Array, strength: float) -> tuple[float, float]:
    """Where one whirlpool takes a pixel from, less where the pixel lies."""
    from_centre = math.hypot(across - centre[0], down - centre[1])
    turned = math.atan2(down - centre[1], across - centre[0])
    turned += (abs(strength) + 0.5) * math.exp(-from_centre / (0.5 * math.log(2) / 5))
    taken = (
        centre[0] + from_centre * math.cos(turned),
        centre[1] + from_centre * math.sin(turned),
    )
    return taken[0] - across, taken[1] - down


def expected_picture(picture: Array, centres: Array, strengths: Array, geometry: Geometry) -> Array:
    _, height, width = picture.shape
    half = 0 if geometry == "published" else 1
    places = np.empty((height, width, 2))
    for row in range(height):
        for column in range(width):
            across, down = (2 * column + half) / width - 1, (2 * row + half) / height - 1
            moves = [
                swirled(across, down, centre, strength)
                for centre, strength in zip(centres, strengths.tolist(), strict=True)
            ]
            if geometry == "published":
                move = max(move[0] for move in moves), max(move[1] for move in moves)
            else:
                move = max(moves, key=lambda each: math.hypot(*each))
            places[row, column] = across + move[0], down + move[1]
    across_all, down_all = places[..., 0], places[..., 1]
    return np.stack([sample(plane, across_all, down_all, "zeros") for plane in picture])


def rendered(x: torch.Tensor, centres: Array, strengths: Array, attack: Whirlpool) -> torch.Tensor:
    return attack.render(
        x,
        WhirlpoolLatents(strength=torch.from_numpy(strengths).to(x)),
        WhirlpoolScene(centre=torch.from_numpy(centres).to(x)),
    )


@pytest.mark.parametrize("geometry", GEOMETRIES)
@pytest.mark.parametrize(("height", "width"), SIZES)
@pytest.mark.parametrize("strength", [0.0, 4.0])
def test_each_pixel_comes_from_where_the_formula_says(
    geometry: Geometry, height: int, width: int, strength: float
) -> None:
    x = pictures(2, height, width, dtype=torch.float64)
    generator = np.random.default_rng(0)
    centres = generator.uniform(-1, 1, (2, 8, 2))
    strengths = generator.uniform(-strength, strength, (2, 8))
    seen = rendered(x, centres, strengths, Whirlpool(geometry=geometry))
    for each in range(2):
        expected = expected_picture(x[each].numpy(), centres[each], strengths[each], geometry)
        np.testing.assert_allclose(seen[each], expected, atol=1e-9)


def test_a_whirlpool_whose_middle_makes_half_a_turn_shows_the_opposite_pixel_there() -> None:
    side = 33
    x = pictures(1, side, side, dtype=torch.float64)
    attack = Whirlpool(whirlpools=1, twist=0.0, radius=1e9)
    seen = rendered(x, np.zeros((1, 1, 2)), np.array([[math.pi]]), attack)
    torch.testing.assert_close(seen, x.flip(-1, -2), atol=1e-5, rtol=0)


@pytest.mark.parametrize("geometry", GEOMETRIES)
def test_the_sign_of_a_strength_is_ignored(geometry: Geometry) -> None:
    x = pictures(1, 32, 40)
    centres = np.random.default_rng(0).uniform(-1, 1, (1, 8, 2))
    strengths = np.random.default_rng(1).uniform(-5, 5, (1, 8))
    attack = Whirlpool(geometry=geometry)
    assert torch.equal(
        rendered(x, centres, strengths, attack), rendered(x, centres, -strengths, attack)
    )


def test_without_twist_and_strength_nothing_moves_when_centred() -> None:
    x = pictures(1, 33, 47, dtype=torch.float64)
    centres = np.random.default_rng(0).uniform(-1, 1, (1, 8, 2))
    seen = rendered(x, centres, np.zeros((1, 8)), Whirlpool(twist=0.0))
    torch.testing.assert_close(seen, x, atol=1e-12, rtol=0)


@pytest.mark.parametrize("geometry", GEOMETRIES)
def test_a_centre_on_a_pixel_has_a_finite_gradient(geometry: Geometry) -> None:
    x = pictures(1, 32, 32, dtype=torch.float64)
    centres = torch.tensor([[[0.0, 0.0], [1 / 32, 1 / 32]]], dtype=torch.float64)
    strength = torch.zeros(1, 2, dtype=torch.float64, requires_grad=True)
    attack = Whirlpool(whirlpools=2, geometry=geometry)
    latents, scene = WhirlpoolLatents(strength=strength), WhirlpoolScene(centre=centres)
    (gradient,) = torch.autograd.grad(attack.render(x, latents, scene).square().sum(), [strength])
    assert gradient.isfinite().all()


def test_centres_are_uniform_and_the_start_has_a_length_uniform_below_the_radius() -> None:
    attack = Whirlpool()
    x = pictures(1, 32, 32).expand(400, -1, -1, -1)
    keys = keys_for(attack, [str(number) for number in range(400)])
    scene = attack.draw_scene(x, keys)
    assert scene.centre.shape == (400, 8, 2)
    assert_uniform(scene.centre, -1, 1)
    start = attack.start(x, scene, torch.full((400,), 40.0), keys).strength
    assert start.shape == (400, 8)
    assert (start >= 0).all()
    assert_uniform(start.norm(dim=1), 0, 40)
    # Directions are those of U(0, 1) entries: the largest of eight is near the others' scale.
    ratio = start / start.amax(dim=1, keepdim=True)
    assert abs(float(ratio.mean()) - 9 / 16) < 0.02
