"""What must hold for the pictures that an attack makes."""

__all__ = ["PICTURE_CHECKS"]

from collections.abc import Iterator

import torch
from torch import Tensor

from unforeseen.contract.case import Case, boundary, interior, pictures, size_in_words
from unforeseen.contract.check import Check, differences
from unforeseen.contract.known import rounding_of

_IDS = ("a", "b")


def _not_a_picture(case: Case) -> Iterator[str]:
    for size in case.sizes:
        x = pictures(2, *size)
        scene, start = case.begun(x, _IDS)
        points = {
            "at the start": start,
            "inside the ball": interior(case, start, x),
            "on the ball's boundary": boundary(case, start, x),
        }
        for where, latents in points.items():
            for fault in _faults(case.attack.render(x, latents, scene), x):
                yield f"{size_in_words(x)}, {where}: {fault}"


def _not_a_picture_of_extremes(case: Case) -> Iterator[str]:
    for name, value in (("black", 0.0), ("white", 1.0)):
        x = torch.full((1, 3, 32, 32), value)
        scene, start = case.begun(x, _IDS[:1])
        for fault in _faults(case.attack.render(x, boundary(case, start, x), scene), x):
            yield f"a {name} picture, on the ball's boundary: {fault}"


def _imprecise(case: Case) -> Iterator[str]:
    single, double = pictures(2, 32, 40), pictures(2, 32, 40, dtype=torch.float64)
    scene, start = case.begun(double, _IDS)
    for drawn in (scene, start):
        for name, value in drawn.tensors().items():
            if value.is_floating_point() and value.dtype != torch.float64:
                yield f"for pictures of torch.float64, {name} is {value.dtype}"
    precise = case.attack.render(double, interior(case, start, double), scene)
    if precise.dtype != torch.float64:
        yield f"for pictures of torch.float64, the picture is {precise.dtype}"

    scene, start = case.begun(single, _IDS)
    quick = case.attack.render(single, interior(case, start, single), scene)
    apart = float((quick.double() - precise.double()).abs().max())
    if not apart <= rounding_of(case):
        yield (
            f"the same picture in float32 and in float64 differs by up to {apart:.3g}, more than "
            f"{rounding_of(case):g}"
        )


def _changed_inputs(case: Case) -> Iterator[str]:
    x = pictures(2, 32, 32)
    scene, start = case.begun(x, _IDS)
    kept, scene_kept, start_kept = x.clone(), scene.map(torch.clone), start.map(torch.clone)
    case.attack.render(x, start, scene)
    if not torch.equal(x, kept):
        yield f"the picture that came differs by up to {float((x - kept).abs().max()):.3g} after it"
    for before, after in ((scene_kept, scene), (start_kept, start)):
        yield from (f"after it, {each}" for each in differences(before, after))


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
        apart = float((again - first).abs().max())
        yield f"64×64, then 96×96, then the first again: it differs by up to {apart:.3g}"


def _faults(picture: Tensor, x: Tensor) -> Iterator[str]:
    """What is wrong with a picture that was made of ``x``."""
    if picture.shape != x.shape:
        yield f"shape {tuple(picture.shape)} instead of {tuple(x.shape)}"
    if picture.dtype != x.dtype:
        yield f"{picture.dtype} instead of {x.dtype}"
    if picture.device != x.device:
        yield f"on {picture.device} instead of {x.device}"
    broken = int((~picture.isfinite()).sum())
    if broken:
        yield f"{broken} of {picture.numel()} values aren't finite"
    lowest, highest = float(picture.min()), float(picture.max())
    if lowest < 0 or highest > 1:
        yield f"values from {lowest:.4g} to {highest:.4g}"


PICTURE_CHECKS = {
    "pictures": Check(
        "The picture has the shape, type and device of the one that came, lies in [0, 1] and is "
        "finite, at every size and all over the ball",
        "No .clamp(0, 1) at the end; a size that is written into the code instead of taken from "
        "x.shape; a division by 0 or a root of a negative number",
        _not_a_picture,
    ),
    "black-and-white": Check(
        "Black and white pictures are no exception",
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
        "Rendering changes none of its inputs",
        "An operation in place (x += …, x[…] = …, .clamp_()) on the picture, the latents or the "
        "scene: work on a new tensor",
        _changed_inputs,
    ),
    "sizes-between": Check(
        "Another picture size in between changes nothing",
        "Something remembered between calls, in the module or the class",
        _remembered,
    ),
}
