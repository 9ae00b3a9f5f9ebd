"""Projections and steps: closed forms, and what makes a point the nearest one."""

import math

import numpy as np
import pytest
import torch
from torch import Tensor

from unforeseen.constraints import Ball, Norm, step

BALLS = [
    Ball(norm="linf"),
    Ball(norm="l2"),
    Ball(norm="l2", low=0, high=1),
    Ball(norm="linf", low=0),
    Ball(norm="l2", folded=True),
]
RADII = torch.tensor([0.0, 1e-6, 0.3, 5.0])

each_ball = pytest.mark.parametrize("ball", BALLS, ids=str)


def points(scale: float, *shape: int, seed: int = 0) -> Tensor:
    drawn = np.random.default_rng(seed).standard_normal((len(RADII), *(shape or (3, 5, 4))))
    return torch.from_numpy(drawn * scale).float()


@pytest.mark.parametrize(("norm", "order"), [("linf", np.inf), ("l2", 2)])
def test_a_norm_is_numpys_over_all_axes_but_the_first(norm: Norm, order: float) -> None:
    latent = points(1.0)
    expected = [np.linalg.norm(each.ravel(), order) for each in latent.numpy()]
    np.testing.assert_allclose(Ball(norm=norm).norm_of(latent), expected, rtol=1e-6)


@each_ball
@pytest.mark.parametrize("scale", [0.0, 1e-30, 1e-3, 1.0, 1e3, 1e15])
@pytest.mark.parametrize("shape", [(), (150_528,), (1,)])
def test_a_projected_point_is_in_ball_and_box_and_stays(
    ball: Ball, scale: float, shape: tuple[int, ...]
) -> None:
    projected = ball.project(points(scale, *shape), RADII)
    assert projected.isfinite().all()
    assert (ball.norm_of(projected) <= RADII * (1 + 1e-6)).all()
    assert projected.min() >= ball.low
    assert projected.max() <= ball.high
    torch.testing.assert_close(ball.project(projected, RADII), projected, rtol=1e-6, atol=0)


@each_ball
def test_a_point_of_the_ball_is_left_alone(ball: Ball) -> None:
    inside = ball.project(points(1.0), RADII) * 0.9
    assert torch.equal(ball.project(inside, RADII), inside)


@pytest.mark.parametrize("norm", ["linf", "l2"])
def test_no_point_of_the_ball_is_nearer(norm: Norm) -> None:
    ball = Ball(norm=norm)
    outside = points(3.0).double()
    projected = ball.project(outside, RADII)
    for seed in range(1, 50):
        other = ball.project(points(10.0 ** (seed % 3 - 1), seed=seed).double(), RADII)
        # What characterises a projection to a convex set: no obtuse way out.
        product = ((outside - projected) * (other - projected)).flatten(1).sum(dim=1)
        assert (product <= 1e-5).all()


def test_projections_in_closed_form() -> None:
    latent = torch.tensor([[3.0, -4.0], [0.3, -0.4]])
    radius = torch.tensor([2.5, 2.5])
    torch.testing.assert_close(
        Ball(norm="l2").project(latent, radius), torch.tensor([[1.5, -2.0], [0.3, -0.4]])
    )
    torch.testing.assert_close(
        Ball(norm="linf").project(latent, radius), torch.tensor([[2.5, -2.5], [0.3, -0.4]])
    )
    torch.testing.assert_close(
        Ball(norm="l2", low=0, high=1).project(latent, radius),
        torch.tensor([[1.0, 0.0], [0.3, 0.0]]),
    )


def test_a_folded_point_is_the_absolute_value_of_the_projected_one() -> None:
    norms: tuple[Norm, ...] = ("linf", "l2")
    for norm in norms:
        usual = Ball(norm=norm).project(points(2.0), RADII)
        assert torch.equal(Ball(norm=norm, folded=True).project(points(2.0), RADII), usual.abs())


def test_examples_have_their_own_radius_and_do_not_disturb_each_other() -> None:
    latent, radius = points(1.0), RADII.double()
    ball = Ball(norm="l2")
    for each in range(len(latent)):
        alone = ball.project(latent[each : each + 1], radius[each : each + 1])
        assert torch.equal(alone[0], ball.project(latent, radius)[each])
    broken = latent.clone()
    broken[0] = math.nan
    assert torch.equal(ball.project(broken, radius)[1:], ball.project(latent, radius)[1:])


@pytest.mark.parametrize("dtype", [torch.float32, torch.float64])
def test_dtype_follows_the_latent_not_the_radius(dtype: torch.dtype) -> None:
    latent = points(1.0).to(dtype)
    for ball in BALLS:
        assert ball.project(latent, RADII.double()).dtype == dtype


@pytest.mark.parametrize("batch", [None, 5])
def test_a_sign_step_moves_each_entry_by_its_size_and_zeros_not_at_all(batch: int | None) -> None:
    latent = torch.ones(1, 4)
    gradient = torch.tensor([[1e-30, -1e30, 0.0, -0.0]])
    moved = step(latent, gradient, size=0.25, rule="sign", gradient_batch=batch)
    assert moved.tolist() == [[1.25, 0.75, 1.0, 1.0]]


@pytest.mark.parametrize("exponent", [-38, -30, -20, -8, 0, 8, 20, 30, 37])
@pytest.mark.parametrize("size", [1e-3, 1.0])
def test_an_exact_step_has_its_length_and_the_gradients_direction(
    exponent: int, size: float
) -> None:
    direction = points(1.0)
    gradient = (direction.double() * 10.0**exponent).float()
    moved = step(torch.zeros_like(gradient), gradient, size=size, rule="l2", gradient_batch=None)
    length = direction.flatten(1).norm(dim=1).reshape(-1, 1, 1, 1)
    # The smallest numbers have fewer digits.
    tolerance = 1e-2 if exponent < -37 else 1e-5
    torch.testing.assert_close(
        moved, size * direction / length, rtol=tolerance, atol=tolerance * size
    )


def test_an_exact_step_along_no_gradient_stays() -> None:
    latent = points(1.0)
    gradient = points(1.0)
    gradient[1] = 0
    moved = step(latent, gradient, size=1.0, rule="l2", gradient_batch=None)
    assert torch.equal(moved[1], latent[1])
    assert not torch.equal(moved[0], latent[0])


@pytest.mark.parametrize("exponent", [-12, -9, -8, -6, 0, 3])
@pytest.mark.parametrize("batch", [1, 5, 200])
def test_a_published_step_divides_by_the_norm_of_the_mean_gradient_plus_a_guard(
    exponent: int, batch: int
) -> None:
    latent, gradient = points(1.0, seed=1), points(10.0**exponent)
    moved = step(latent, gradient, size=0.5, rule="l2", gradient_batch=batch)
    for each in range(len(latent)):
        mean = gradient[each].double().numpy() / batch
        expected = latent[each].numpy() + 0.5 * mean / (np.sqrt((mean**2).sum()) + 1e-8)
        np.testing.assert_allclose(moved[each], expected, rtol=1e-5, atol=1e-6)


def test_a_confidently_classified_picture_hardly_moves_in_the_published_procedure() -> None:
    gradient = torch.full((1, 4), 0.5e-9)  # of norm 1e-9
    still = torch.zeros_like(gradient)
    moved = step(still, gradient, size=1.0, rule="l2", gradient_batch=5)
    assert float(moved.norm()) == pytest.approx(2e-10 / (2e-10 + 1e-8), rel=1e-4)
    exact = step(still, gradient, size=1.0, rule="l2", gradient_batch=None)
    assert float(exact.norm()) == pytest.approx(1)
