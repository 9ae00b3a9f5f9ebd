"""What must hold for the pictures that an attack makes."""

__all__ = ["PICTURE_CHECKS"]

from collections.abc import Callable, Generator, Iterator, Mapping
from typing import TypeVar

import torch
from torch import Tensor

from unforeseen.contract.case import (
    Case,
    Point,
    boundary,
    interior,
    keys_for,
    outside,
    pictures,
    points,
    scene_of,
)
from unforeseen.contract.check import Check
from unforeseen.contract.gradient_checks import infinite_gradients
from unforeseen.contract.known import rounding_of
from unforeseen.transforms.base import Latents, Scene
from unforeseen.transforms.faults import picture_faults, shape_faults, type_faults

_IDS = ("a", "b")
_T = TypeVar("_T")


def _not_a_picture(case: Case) -> Iterator[str]:
    for point in points(case):
        yield from _faults(point.where, case, point.x, point.latents, point.scene)


def _not_a_picture_of_extremes(case: Case) -> Iterator[str]:
    for name, value in (("black", 0.0), ("white", 1.0)):
        x = torch.full((1, 3, 32, 32), value)
        scene, start = case.begun(x, _IDS[:1])
        where = f"a {name} picture, on the ball's boundary"
        latents = boundary(case, start, x)
        yield from _faults(where, case, x, latents, scene)
        yield from infinite_gradients(case, Point(where, (32, 32), x, latents, scene))


def _imprecise(case: Case) -> Iterator[str]:
    single, double = pictures(2, 32, 40), pictures(2, 32, 40, dtype=torch.float64)
    scene, start = case.begun(double, _IDS)
    for drawn in (scene, start):
        yield from type_faults(drawn, double)
    precise = case.attack.render(double, interior(case, start, double), scene)
    if precise.dtype != torch.float64:
        yield f"for pictures of torch.float64, the picture is {precise.dtype}"

    scene, start = case.begun(single, _IDS)
    quick = case.attack.render(single, interior(case, start, single), scene)
    apart = float((quick.double() - precise.double()).detach().abs().max())
    if not apart <= rounding_of(case):
        yield (
            f"the same picture in float32 and in float64 differs by up to {apart:.3g}, more than "
            f"{rounding_of(case):g}"
        )


def _changed_inputs(case: Case) -> Iterator[str]:
    attack, x = case.attack, pictures(2, 32, 32)
    keys, radius = keys_for(attack, _IDS), case.radii(x)
    picture = {"the picture that came": x, "the radius": radius}
    scene = yield from _watched("draw_scene()", lambda: scene_of(attack, x, keys), picture)
    inputs = picture | scene.tensors()
    start = yield from _watched("start()", lambda: attack.start(x, scene, radius, keys), inputs)
    beyond = outside(case, start, x)
    moved = picture | beyond.tensors()
    yield from _watched("project()", lambda: attack.project(beyond, radius), moved)
    yield from _watched("redraw()", lambda: attack.redraw(scene, keys, [0, 3]), inputs)
    # Where pictures are clamped, finish() has most to do.
    latents = boundary(case, start, x)
    inputs |= latents.tensors()
    painted = yield from _watched("paint()", lambda: attack.paint(x, latents, scene), inputs)
    inputs |= {"what paint() returned": painted}
    yield from _watched("finish()", lambda: attack.finish(painted), inputs)


def _watched(
    call: str, run: Callable[[], _T], inputs: Mapping[str, Tensor]
) -> Generator[str, None, _T]:
    """Yields which inputs a call changes; returns what it returns."""
    kept = {name: value.clone() for name, value in inputs.items()}
    result = run()
    for name, value in inputs.items():
        if not torch.equal(value, kept[name]):
            apart = float((value.double() - kept[name].double()).detach().abs().max())
            yield f"{call} changes {name}, by up to {apart:.3g}"
        if value.requires_grad and not kept[name].requires_grad:
            yield f"{call} makes {name} require a gradient"
    return result


def _remembered(case: Case) -> Iterator[str]:
    def attacked(side: int) -> Tensor:
        x = pictures(1, side, side)
        scene, start = case.begun(x, _IDS[:1])
        picture: Tensor = case.attack.render(x, start, scene)
        return picture

    first = attacked(64)
    attacked(96)
    again = attacked(64)
    if not torch.equal(again, first):
        apart = float((again - first).detach().abs().max())
        yield f"64×64, then 96×96, then the first again: it differs by up to {apart:.3g}"


def _faults(where: str, case: Case, x: Tensor, latents: Latents, scene: Scene) -> Iterator[str]:
    """What is wrong with the picture that is made of ``x``, painted and finished."""
    painted = case.attack.paint(x, latents, scene)
    faults = [*shape_faults(painted, x)] or picture_faults(case.attack.finish(painted), x)
    yield from (f"{where}: {fault}" for fault in faults)


PICTURE_CHECKS = {
    "pictures": Check(
        "The picture has the shape, type and device of the one that came, lies in [0, 1] and is "
        "finite, at every size and all over the ball",
        "No .clamp(0, 1) at the end; a size that is written into the code instead of taken from "
        "x.shape; a division by 0 or a root of a negative number",
        _not_a_picture,
    ),
    "black-and-white": Check(
        "Black and white pictures and their gradients are no exception",
        "A division by the picture's contrast or brightness, or its logarithm",
        _not_a_picture_of_extremes,
    ),
    "precision": Check(
        "Scene, latents and picture have the precision of the picture that came",
        "Tensors made without dtype=x.dtype and device=x.device, or not by stack(); a function so "
        "steep that it magnifies rounding",
        _imprecise,
    ),
    "inputs": Check(
        "Drawing, starting, projecting, painting and finishing change none of their inputs",
        "An operation in place (x += …, x[…] = …, .clamp_()) on the picture, the latents or the "
        "scene, or on what paint() returned: work on a new tensor",
        _changed_inputs,
    ),
    "sizes-between": Check(
        "Another picture size in between changes nothing",
        "Something remembered between calls, in the module or the class",
        _remembered,
    ),
}
