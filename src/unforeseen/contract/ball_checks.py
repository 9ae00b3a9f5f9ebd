"""What must hold for an attack's latents and the balls that they are kept in."""

__all__ = ["BALL_CHECKS"]

from collections.abc import Iterator

import torch

from unforeseen.contract.case import Case, keys_for, outside, pictures
from unforeseen.contract.check import Check
from unforeseen.transforms.faults import ball_faults

_IDS = ("a", "b", "c")
#: float32's rounding of a norm, relative.
_ROUNDING = 1e-6


def _outside(case: Case) -> Iterator[str]:
    x = pictures(3, 33, 47)
    _, start = case.begun(x, _IDS)
    misnamed = [*ball_faults(case.attack, start)]
    if misnamed:
        yield from misnamed
        return
    for where, latents in (("the start", start), ("a point far outside", outside(case, start, x))):
        tensors = case.projected(latents, x).tensors()
        for name, ball in case.attack.balls.items():
            length = float((ball.norm_of(tensors[name]) / case.radii(x)).max())
            lowest, highest = float(tensors[name].min()), float(tensors[name].max())
            told = f"33×47, {where} after project(): {name}"
            if not length <= 1 + _ROUNDING:
                yield f"{told} has a norm of {length:.4g} ε"
            if not (lowest >= ball.low and highest <= ball.high):
                box = f"{ball.low:g} to {ball.high:g}"
                yield f"{told} goes from {lowest:.4g} to {highest:.4g}, its box from {box}"


def _nonzero(case: Case) -> Iterator[str]:
    x = pictures(2, 32, 32)
    keys = keys_for(case.attack, _IDS[:2])
    nothing = torch.zeros(2)
    start = case.attack.start(x, case.attack.draw_scene(x, keys), nothing, keys)
    for name, value in case.attack.project(start, nothing).tensors().items():
        if not bool((value == 0).all()):
            yield f"ε = 0: {name} goes from {float(value.min()):.4g} to {float(value.max()):.4g}"


def _other_at_another_level(case: Case) -> Iterator[str]:
    x = pictures(1, 32, 32)
    keys = keys_for(case.attack, _IDS[:1])
    scene = case.attack.draw_scene(x, keys)
    small, large = (
        case.projected(case.attack.start(x, scene, x.new_tensor([radius]), keys), x).tensors()
        for radius in (case.radius / 1000, case.radius / 100)
    )
    for name, value in large.items():
        # Proportional, be it by the radius itself or by the projection.
        one, other = small[name].double(), value.double()
        apart = float((other * one.norm() - one * other.norm()).abs().max())
        largest = float(other.abs().max() * one.norm())
        if not apart <= _ROUNDING * largest:
            yield (
                f"{name} at a radius of ε/100 isn't a multiple of that of ε/1000: entries are off by "
                f"up to {apart / largest:.3g} of the largest"
            )


BALL_CHECKS = {
    "start-in-ball": Check(
        "Whatever is projected lies in its ball and its box, and each latent has a ball",
        "balls names another latent than the Latents class has; a projection of one's own",
        _outside,
    ),
    "radius-zero": Check(
        "A radius of 0 leaves nothing but zeros",
        "A projection of one's own, or a box that leaves 0 out",
        _nonzero,
    ),
    "levels": Check(
        "Levels differ in nothing but the radius: the starts of two are proportional",
        "A draw whose shape or number depends on the radius, or a start like U(0, ε) + constant",
        _other_at_another_level,
    ),
}
