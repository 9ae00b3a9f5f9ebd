"""What must hold for the rows of a batch: each is an example's own, and can leave without the others."""

__all__ = ["BATCH_CHECKS"]

from collections.abc import Iterator

import torch
from torch import Tensor

from unforeseen.contract.case import Case, interior, pictures
from unforeseen.contract.check import Check
from unforeseen.transforms.faults import row_faults

#: What another batch size may do to the rounding of a row.
_ROUNDING = 1e-6
_IDS = ("a", "b", "c", "d")


def _rowless(case: Case) -> Iterator[str]:
    x = pictures(3, 33, 47)
    scene, start = case.begun(x, _IDS[:3])
    yield from row_faults(case.attack, scene, start, len(x))


def _of_the_others(case: Case) -> Iterator[str]:
    # Of different brightness, so that no two have the same mean or maximum.
    x = pictures(3, 33, 47) * torch.tensor([0.4, 1.0, 0.7])[:, None, None, None]
    scene, start = case.begun(x, _IDS[:3])
    latents = interior(case, start, x)
    together = case.attack.render(x, latents, scene)
    for row, name in enumerate(_IDS[:3]):
        index = torch.tensor([row])
        alone = case.attack.render(x[index], latents.select(index), scene.select(index))
        yield from _apart(
            f"33×47, example {name} alone and in a batch of 3", alone, together[index]
        )


def _of_the_place(case: Case) -> Iterator[str]:
    x = pictures(4, 32, 32)
    scene, start = case.begun(x, _IDS)
    latents = interior(case, start, x)
    together = case.attack.render(x, latents, scene)

    reordered = torch.tensor([3, 1, 1])
    selected = case.attack.render(x[reordered], latents.select(reordered), scene.select(reordered))
    yield from _apart("32×32, after one has left", selected, together[reordered])

    first, last = torch.tensor([0, 1]), torch.tensor([2, 3])
    places, now = torch.tensor([1, 0]), torch.tensor([3, 2])
    swapped_in = case.attack.render(
        x[now],
        latents.select(first).put(places, latents.select(last)),
        scene.select(first).put(places, scene.select(last)),
    )
    yield from _apart("32×32, after others took the places", swapped_in, together[now])


def _apart(what: str, one: Tensor, other: Tensor) -> Iterator[str]:
    if one.shape != other.shape:
        yield f"{what}: shapes {tuple(one.shape)} and {tuple(other.shape)}"
        return
    apart = float((one - other).detach().abs().max())
    if not apart <= _ROUNDING:
        yield f"{what}: the picture differs by up to {apart:.3g}"


BATCH_CHECKS = {
    "rows": Check(
        "Scene and latents are dataclasses of tensors with a row for each picture",
        "A tensor for the whole batch (repeat it with .expand), a number or a list in it; a scene "
        "with a donor and needs_donor not said, or the reverse",
        _rowless,
    ),
    "independent-rows": Check(
        "Rows of a batch are rendered independently",
        "A mean, maximum, norm or sort over all axes instead of .flatten(1) and dim=1",
        _of_the_others,
    ),
    "leaving": Check(
        "Examples can leave a batch and others take their places",
        "What keeps rows from being independent; something remembered of the batch outside scene "
        "and latents; a select() of one's own; indices into the whole batch in the scene",
        _of_the_place,
    ),
}
