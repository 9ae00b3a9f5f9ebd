"""Polkadot: pixel by pixel, in plain Python."""

import math

import numpy as np
import pytest
import torch

from oracles import Array, assert_uniform, pictures
from unforeseen.benchmarks.edition import Geometry
from unforeseen.constraints import step
from unforeseen.contract.case import GEOMETRIES, keys_for
from unforeseen.transforms.attacks.polkadot import Polkadot, PolkadotLatents, PolkadotScene


def dotted(picture: Array, centres: Array, colours: Array, sizes: Array) -> Array:
    """A softmax of logits per pixel, as the specification words it."""
    _, height, width = picture.shape
    result = np.empty_like(picture)
    for row in range(height):
        for column in range(width):
            logits = [5 * 0.5]
            for (across, down), size in zip(centres, sizes, strict=True):
                distance = math.hypot(column / width - across, row / height - down)
                power = math.copysign(abs(1 - distance) ** 5, 1 - distance)
                logits.append(5 * size * power)
            weights = np.exp(logits) / np.exp(logits).sum()
            result[:, row, column] = weights[0] * picture[:, row, column] + weights[1:] @ colours
    return result


def scene_of(centres: Array, colours: Array) -> PolkadotScene:
    return PolkadotScene(centre=torch.from_numpy(centres), colour=torch.from_numpy(colours))


@pytest.mark.parametrize("geometry", GEOMETRIES)
@pytest.mark.parametrize(("height", "width"), [(32, 32), (33, 47)])
@pytest.mark.parametrize("largest", [0.0, 3.0])
def test_each_pixel_is_the_softmax_of_picture_and_dots(
    geometry: Geometry, height: int, width: int, largest: float
) -> None:
    x = pictures(2, height, width, dtype=torch.float64)
    generator = np.random.default_rng(0)
    centres, colours = generator.uniform(0, 1, (2, 20, 2)), generator.uniform(0, 1, (2, 20, 3))
    sizes = generator.uniform(0, largest, (2, 20))
    latents = PolkadotLatents(size=torch.from_numpy(sizes))
    seen = Polkadot(geometry=geometry).render(x, latents, scene_of(centres, colours))
    for each in range(2):
        expected = dotted(x[each].numpy(), centres[each], colours[each], sizes[each])
        np.testing.assert_allclose(seen[each], expected, atol=1e-12)


def test_without_sizes_every_dot_tints_the_picture_alike() -> None:
    x = pictures(1, 32, 40, dtype=torch.float64)
    scene = Polkadot().draw_scene(x, keys_for(Polkadot(), ["a"]))
    seen = Polkadot().render(x, PolkadotLatents(size=x.new_zeros(1, 20)), scene)
    kept = math.exp(2.5) / (math.exp(2.5) + 20)
    mean = scene.colour.mean(dim=1).reshape(1, 3, 1, 1)
    torch.testing.assert_close(seen, kept * x + (1 - kept) * mean)


def test_where_dots_are_sharp_a_dot_ends_where_its_logit_falls_to_the_pictures() -> None:
    x = torch.zeros(1, 3, 64, 64, dtype=torch.float64)
    scene = scene_of(np.full((1, 1, 2), 0.5), np.ones((1, 1, 3)))
    attack = Polkadot(dots=1, sharpness=1e6)
    seen = attack.render(x, PolkadotLatents(size=x.new_tensor([[2.0]])), scene)[0, 0]
    radius = 1 - (0.5 / 2) ** (1 / 5)
    down, across = np.mgrid[:64, :64] / 64 - 0.5
    np.testing.assert_array_equal(seen.round(), np.hypot(across, down) < radius)


@pytest.mark.parametrize("size", [1e3, 1e6])
def test_sizes_beyond_what_an_exponential_holds_make_plain_dots(size: float) -> None:
    """Between two dots the nearer one's colour; far from all the picture."""
    x = torch.full((1, 3, 64, 64), 0.25)
    scene = scene_of(np.array([[[0.0, 0.0], [0.5, 0.0]]]), np.eye(3)[None, :2])
    sizes = torch.full((1, 2), size, requires_grad=True)
    seen = Polkadot(dots=2).render(x, PolkadotLatents(size=sizes), scene.map(torch.Tensor.float))
    assert seen[0, :, 0, 2].tolist() == [1, 0, 0]
    assert seen[0, :, 0, 30].tolist() == [0, 1, 0]
    assert torch.autograd.grad(seen.sum(), sizes)[0].isfinite().all()


@pytest.mark.parametrize("geometry", GEOMETRIES)
def test_a_centre_on_a_pixel_has_a_finite_gradient(geometry: Geometry) -> None:
    x = pictures(1, 32, 32, dtype=torch.float64)
    scene = scene_of(np.full((1, 2, 2), 0.5), np.ones((1, 2, 3)))
    size = torch.zeros(1, 2, dtype=torch.float64, requires_grad=True)
    seen = Polkadot(dots=2, geometry=geometry).render(x, PolkadotLatents(size=size), scene)
    (gradient,) = torch.autograd.grad(seen.square().sum(), [size])
    assert gradient.isfinite().all()


def test_a_size_that_a_step_makes_negative_becomes_positive() -> None:
    ball = Polkadot().balls["size"]
    size, gradient = torch.tensor([[0.1, 1.0]]), torch.tensor([[-1.0, 0.0]])
    moved = step(size, gradient, size=0.3, rule="l2", gradient_batch=None)
    torch.testing.assert_close(ball.project(moved, torch.tensor([5.0])), torch.tensor([[0.2, 1.0]]))


def test_the_start_is_uniform_and_lies_in_the_ball_unless_published() -> None:
    x = pictures(1, 32, 32).expand(200, -1, -1, -1)
    radius = torch.full((200,), 1.5)
    for geometry in GEOMETRIES:
        attack = Polkadot(geometry=geometry)
        keys = keys_for(attack, [str(number) for number in range(200)])
        scene = attack.draw_scene(x, keys)
        drawn = attack.start(x, scene, radius, keys).size
        assert drawn.shape == (200, 20)
        assert_uniform(drawn, 0, 1)
        begun = attack.begin(x, scene, radius, keys).size
        if geometry == "published":
            assert torch.equal(begun, drawn)
            assert (begun.norm(dim=1) > 1.5).any()
        else:
            shrunk = drawn * (1.5 / drawn.norm(dim=1, keepdim=True)).clamp(max=1)
            torch.testing.assert_close(begun, shrunk)


def test_centres_and_colours_are_uniform() -> None:
    x = pictures(1, 32, 40).expand(100, -1, -1, -1)
    scene = Polkadot().draw_scene(x, keys_for(Polkadot(), [str(number) for number in range(100)]))
    assert scene.centre.shape == (100, 20, 2)
    assert scene.colour.shape == (100, 20, 3)
    assert_uniform(scene.centre, 0, 1)
    assert_uniform(scene.colour, 0, 1)
