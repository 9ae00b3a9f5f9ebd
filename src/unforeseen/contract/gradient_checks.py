"""What must hold for the gradients of an attack's pictures."""

__all__ = ["GRADIENT_CHECKS", "gradients_of", "infinite_gradients"]

import math
from collections.abc import Iterator

import torch
from torch import Tensor

from unforeseen.contract.case import Case, Point, pictures, points
from unforeseen.contract.check import Check
from unforeseen.contract.known import dead_latents
from unforeseen.transforms.base import Latents, Scene

_IDS = ("a", "b")
#: Length of the step of finite differences, relative deviation that is accepted, and the absolute
#: one that rounding in float64 makes.
_STEP, _RELATIVE, _ABSOLUTE = 1e-7, 1e-3, 1e-7


def gradients_of(
    case: Case, x: Tensor, latents: Latents, scene: Scene, weights: Tensor | None = None
) -> dict[str, Tensor | None]:
    """Gradients of a random linear function of the painted picture; None where it isn't used."""
    leaves = latents.map(lambda value: value.detach().requires_grad_())
    painted = case.attack.paint(x, leaves, scene)
    if weights is None:
        weights = pictures(*(len(x), *x.shape[-2:]), seed=7, low=-1, dtype=x.dtype)
    tensors = leaves.tensors()
    found: tuple[Tensor | None, ...] = torch.autograd.grad(
        (painted * weights).sum(), list(tensors.values()), allow_unused=True
    )
    return dict(zip(tensors, found, strict=True))


def infinite_gradients(case: Case, point: Point) -> Iterator[str]:
    """Where gradients at a point aren't finite."""
    where, size, x, latents, scene = point
    for name, gradient in gradients_of(case, x, latents, scene).items():
        if gradient is None:
            continue
        broken = int((~gradient.isfinite() & ~dead_latents(case, gradient, size)).sum())
        if broken:
            values = f"{broken} of {gradient.numel()} values"
            yield f"{where}: {values} of {name}'s gradient aren't finite"


def _not_finite(case: Case) -> Iterator[str]:
    for point in points(case):
        yield from infinite_gradients(case, point)


def _unused(case: Case) -> Iterator[str]:
    x = pictures(1, 32, 35, low=0.3, high=0.6, dtype=torch.float64)
    scene, start = case.begun(x, _IDS[:1])
    point = _away_from_kinks(case, start, seed=0)
    for name, gradient in gradients_of(case, x, point, scene).items():
        if gradient is None or bool((gradient == 0).all()):
            yield f"the gradient with respect to {name} is 0 everywhere"


def _untrue(case: Case) -> Iterator[str]:
    x = pictures(1, 32, 35, low=0.3, high=0.6, dtype=torch.float64)
    scene, start = case.begun(x, _IDS[:1])
    for seed in range(3):
        point = _away_from_kinks(case, start, seed=seed)
        generator = torch.Generator().manual_seed(seed)
        weights = _unit(x, generator)
        gradients, again = (gradients_of(case, x, point, scene, weights) for _ in range(2))
        for name, value in point.tensors().items():
            slope, repeated = (
                torch.zeros_like(value) if found is None else found
                for found in (gradients[name], again[name])
            )
            if not torch.equal(slope, repeated):
                apart = float((slope - repeated).abs().max())
                yield f"32×35, the same gradient of {name} twice: it differs by up to {apart:.3g}"
            direction = _unit(value, generator)
            ahead, behind = (
                (case.attack.paint(x, point.replace(point.tensors() | {name: moved}), scene))
                for moved in (value + _STEP * direction, value - _STEP * direction)
            )
            measured = float(((ahead - behind) * weights).detach().sum()) / (2 * _STEP)
            claimed = float((slope * direction).sum())
            usual = float(slope.norm()) / math.sqrt(slope.numel())
            allowed = _RELATIVE * max(abs(measured), abs(claimed), usual) + _ABSOLUTE
            if not abs(measured - claimed) <= allowed:
                yield (
                    f"32×35, along a random direction of {name}: the gradient says {claimed:.6g}, "
                    f"the picture changes by {measured:.6g}"
                )


def _away_from_kinks(case: Case, like: Latents, *, seed: int) -> Latents:
    """Latents of a size that keeps pictures off the corners of clamp, abs and |sin|."""
    generator = torch.Generator().manual_seed(seed)
    chosen = {}
    for name, value in like.tensors().items():
        ball = case.attack.balls[name]
        unit, coin = (
            torch.rand(value.shape, generator=generator, dtype=torch.float64) for _ in range(2)
        )
        signs = torch.where(coin < 0.5, -1.0, 1.0)
        if ball.low >= 0:
            signs = signs.abs()
        length = math.sqrt(value[0].numel()) if ball.norm == "l2" else 1.0
        chosen[name] = (signs * case.radius * (0.2 + 0.6 * unit) / length).to(value)
    return like.replace(chosen)


def _unit(like: Tensor, generator: torch.Generator) -> Tensor:
    """A random direction of length 1."""
    drawn = torch.randn(like.shape, generator=generator, dtype=torch.float64).to(like)
    direction: Tensor = drawn / drawn.norm()
    return direction


GRADIENT_CHECKS = {
    "finite-gradients": Check(
        "Gradients are finite, at every size and all over the ball",
        "A root, a norm or a power below 1 of something that can be 0; torch.where hides such a "
        "value in the picture and not in its gradient",
        _not_finite,
    ),
    "used-latents": Check(
        "Each latent changes the picture, and its gradient says so",
        "paint() doesn't use it, detaches it, rounds it or turns it into whole numbers; at this "
        "radius the picture is clamped everywhere",
        _unused,
    ),
    "true-gradients": Check(
        "Gradients agree with finite differences, in float64, and are the same bits each time",
        "A .detach(), .data or torch.no_grad() on a part that depends on the latents; a gradient of "
        "one's own; numbers rounded to float32 on their way; chance in paint()",
        _untrue,
    ),
}
