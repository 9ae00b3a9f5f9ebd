"""What keeps a class from being an attack, and what it makes from being of use, in words.

Each function yields a fault after the other. Loader and search refuse a user-made attack at the first,
the contract tells them all: so what the contract lets pass, a run takes.
"""

__all__ = [
    "ball_faults",
    "lineage_faults",
    "made_faults",
    "picture_faults",
    "row_faults",
    "shape_faults",
    "text_faults",
    "type_faults",
]

import inspect
import re
from collections.abc import Container, Iterator, Mapping
from typing import get_args

import torch
from torch import Tensor

from unforeseen.batched import Batched
from unforeseen.benchmarks.attack_setting import ATTACK_NAME
from unforeseen.constraints import Ball, Norm, StepRule
from unforeseen.errors import shown
from unforeseen.transforms.base import AnyAttack, Attack, DonorScene, Latents, Scene

#: What an attack says of itself.
_TEXTS = ("name", "summary", "formula", "source")
#: What previews and searches would otherwise take for different things.
_NOT_ITS_OWN = {"render": "paint", "begin": "start"}


def lineage_faults(kind: type[AnyAttack]) -> Iterator[str]:
    """Where a class isn't a complete and final frozen dataclass."""
    missing = sorted(getattr(kind, "__abstractmethods__", ()))
    if missing:
        yield f"{kind.__name__} lacks {', '.join(missing)}; define it"
    if "__dataclass_params__" not in vars(kind):
        yield (
            "expected a frozen dataclass; write @dataclass(frozen=True, kw_only=True) above class "
            f"{kind.__name__}"
        )
    for name, instead in _NOT_ITS_OWN.items():
        if getattr(kind, name) is not getattr(Attack, name):
            yield f"{kind.__name__} has a {name}() of its own; define {instead}() instead"
    lines = [(kind, base) for base in kind.__mro__[1:]]
    lines += [(each, kind) for each in kind.__subclasses__()]
    for derived, base in lines:
        if issubclass(base, Attack) and not inspect.isabstract(base):
            yield (
                f"an attack is final, and {derived.__name__} derives from {base.__name__}. Derive "
                "both from Attack, and put what they share into functions or a base class that "
                "lacks paint"
            )


def text_faults(kind: type[AnyAttack], built_in: Container[str] = ()) -> Iterator[str]:
    """Where it doesn't say what it is.

    Args:
        kind: The class.
        built_in: Names that are taken.
    """
    for each in _TEXTS:
        said = getattr(kind, each, None)
        if not (isinstance(said, str) and said.strip() == said != "" and "\n" not in said):
            yield (
                f"{kind.__name__}.{each}: expected text of one line, got {said!r:.80}. Write: "
                f'{each}: ClassVar[str] = "…"'
            )
        elif each == "name" and not re.fullmatch(ATTACK_NAME, said):
            yield (
                f"{kind.__name__}.name: expected lower-case letters, digits and underscores, not "
                f"clean, core or all; got {said!r:.80}"
            )
        elif each == "name" and said in built_in:
            yield f"{kind.__name__}.name: {said!r} is a built-in attack's; choose another"
    version: object = kind.version
    if type(version) is not int or version < 1:
        yield f"{kind.__name__}.version: expected a whole number from 1, got {version!r:.80}"


def made_faults(attack: object, kind: type[AnyAttack]) -> Iterator[str]:
    """Where what a class makes can't be searched; its parameters and geometry may decide that.

    Args:
        attack: What ``from_parameters()`` returned.
        kind: The class.
    """
    if not isinstance(attack, kind):
        yield f"from_parameters(): expected a {kind.__name__}, got a {type(attack).__name__}"
        return
    yield from _constraint_faults(attack.balls)
    if attack.step_rule not in get_args(StepRule):
        yield f"step_rule: expected {_one_of(StepRule)}, got {shown(attack.step_rule)}"
    unseen: object = attack.unseen_updates
    if type(unseen) is not int or not 0 <= unseen < 2**63:
        yield f"unseen_updates: expected a whole number from 0, got {shown(unseen)}"


def _constraint_faults(balls: object) -> Iterator[str]:
    if not (isinstance(balls, Mapping) and balls):
        yield f"balls: expected a Ball for each latent, by its name, got {shown(balls)}"
        return
    for name, ball in balls.items():
        where = f"balls: {shown(name, longest=40)}"
        if not isinstance(ball, Ball):
            yield f"{where}: expected a Ball, got {shown(ball)}"
            continue
        if ball.norm not in get_args(Norm):
            yield f"{where}: norm: expected {_one_of(Norm)}, got {shown(ball.norm)}"
        if not ball.low <= 0 <= ball.high:
            box = f"{shown(ball.low)} to {shown(ball.high)}"
            yield f"{where}: expected a box from low to high that 0 lies in, got {box}"


def _one_of(choices: object) -> str:
    return " or ".join(map(repr, get_args(choices)))


def row_faults(attack: AnyAttack, scene: object, latents: object, batch: int) -> Iterator[str]:
    """Where scene and latents aren't tensors with a row for each of so many pictures."""
    if attack.needs_donor != isinstance(scene, DonorScene):
        yield f"needs_donor is {attack.needs_donor}, the scene a {type(scene).__name__}"
    for kind, drawn in ((Scene, scene), (Latents, latents)):
        if not isinstance(drawn, kind):
            yield f"expected a subclass of {kind.__name__}, got a {type(drawn).__name__}"
            continue
        for name, value in drawn.tensors().items():
            where = f"{type(drawn).__name__}.{name}"
            if not isinstance(value, Tensor):
                yield f"{where} is a {type(value).__name__} instead of a tensor"
            elif value.ndim == 0 or len(value) != batch:
                yield (
                    f"{where} of {batch} pictures has shape {tuple(value.shape)} instead of a row "
                    "for each"
                )
            elif kind is Latents and not value.is_floating_point():
                yield f"{where} is {value.dtype} instead of a floating-point type"


def ball_faults(attack: AnyAttack, latents: Latents) -> Iterator[str]:
    """Where latents and balls have other names."""
    names, balls = [*latents.tensors()], [*attack.balls]
    if sorted(names) != sorted(balls):
        yield f"latents {', '.join(names)}, but balls for {', '.join(balls)}"


def type_faults(drawn: Batched, x: Tensor) -> Iterator[str]:
    """Where scene or latents have another precision or device than the pictures."""
    for name, value in drawn.tensors().items():
        dtype = x.dtype if value.is_floating_point() else value.dtype
        if value.dtype != dtype or value.device != x.device:
            yield (
                f"{type(drawn).__name__}.{name} is {value.dtype} on {value.device} instead of "
                f"{dtype} on {x.device}, as the pictures are"
            )


def shape_faults(picture: object, x: Tensor) -> Iterator[str]:
    """Where something isn't of the kind of the pictures (B, 3, H, W) that it was made of."""
    if not isinstance(picture, Tensor):
        yield f"a {type(picture).__name__} instead of a tensor"
        return
    if picture.shape != x.shape:
        yield f"shape {tuple(picture.shape)} instead of {tuple(x.shape)}"
    if picture.dtype != x.dtype:
        yield f"{picture.dtype} instead of {x.dtype}"
    if picture.device != x.device:
        yield f"on {picture.device} instead of {x.device}"


def picture_faults(picture: Tensor, x: Tensor) -> Iterator[str]:
    """Where what is to be judged isn't a batch of pictures as those that it was made of."""
    misshapen = [*shape_faults(picture, x)]
    if misshapen:
        yield from misshapen
        return
    # One number for both, as each wait for an accelerator takes time.
    lowest, highest = torch.stack(picture.detach().aminmax()).tolist()
    if lowest >= 0 and highest <= 1:
        return
    broken = int((~picture.isfinite()).sum())
    if broken:
        yield f"{broken} of {picture.numel()} values aren't finite"
    else:
        yield f"values from {lowest:.4g} to {highest:.4g} instead of 0 to 1"
