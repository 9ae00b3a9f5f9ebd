"""Attacks that break what must hold for draws, one thing each."""

__all__ = ["DRAWS", "ENTANGLED_DRAWS"]

import random
from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

import numpy as np
import torch
from torch import Tensor
from typing_extensions import override

from contract.broken.sound import Base, Cloud, Shift
from unforeseen.attacks import ExampleKey, StepRule, stack, uniform_start
from unforeseen.transforms.base import AnyAttack


@dataclass(frozen=True, kw_only=True)
class _DrawsForTheBatch(Base):
    step_rule: ClassVar[StepRule] = "sign"

    @override
    def start(self, x: Tensor, scene: Cloud, radius: Tensor, keys: Sequence[ExampleKey]) -> Shift:
        first = uniform_start(keys[:1], (len(keys), 3), radius[:1], x, low=-1)[0]
        return Shift(colour=first)


@dataclass(frozen=True, kw_only=True)
class _DrawsFromThePicture(Base):
    step_rule: ClassVar[StepRule] = "sign"

    @override
    def draw_scene(self, x: Tensor, keys: Sequence[ExampleKey]) -> Cloud:
        drawn = super().draw_scene(x, keys)
        return Cloud(bright=drawn.bright * x[:, :1, :8, :8])


@dataclass(frozen=True, kw_only=True)
class _OneScene(Base):
    step_rule: ClassVar[StepRule] = "sign"

    @override
    def draw_scene(self, x: Tensor, keys: Sequence[ExampleKey]) -> Cloud:
        return Cloud(bright=x.new_full((len(x), 1, 8, 8), 0.05))


@dataclass(frozen=True, kw_only=True)
class _SceneOfTheRestart(Base):
    step_rule: ClassVar[StepRule] = "sign"

    @override
    def draw_scene(self, x: Tensor, keys: Sequence[ExampleKey]) -> Cloud:
        return Cloud(bright=stack(keys, lambda each: each.uniform(0, 0.1, (1, 8, 8)), x))


@dataclass(frozen=True, kw_only=True)
class _SeedsTorch(Base):
    step_rule: ClassVar[StepRule] = "sign"

    @override
    def paint(self, x: Tensor, latents: Shift, scene: Cloud) -> Tensor:
        torch.rand(1)
        np.random.rand()  # noqa: NPY002 – what is to be noticed
        random.random()
        return super().paint(x, latents, scene)


@dataclass(frozen=True, kw_only=True)
class _StartsFromOneSeed(Base):
    step_rule: ClassVar[StepRule] = "sign"

    @override
    def start(self, x: Tensor, scene: Cloud, radius: Tensor, keys: Sequence[ExampleKey]) -> Shift:
        torch.manual_seed(0)
        return super().start(x, scene, radius, keys)


@dataclass(frozen=True, kw_only=True)
class _ChangesTheDefaultType(Base):
    step_rule: ClassVar[StepRule] = "sign"

    @override
    def start(self, x: Tensor, scene: Cloud, radius: Tensor, keys: Sequence[ExampleKey]) -> Shift:
        torch.set_default_dtype(torch.float16)
        return super().start(x, scene, radius, keys)


@dataclass(frozen=True, kw_only=True)
class _RedrawsForTheBatch(Base):
    step_rule: ClassVar[StepRule] = "sign"

    @override
    def redraw(self, scene: Cloud, keys: Sequence[ExampleKey], updates: Sequence[int]) -> Cloud:
        return Cloud(bright=scene.bright + 0.1 * scene.bright.mean())


#: By the check that finds each, and no other does.
DRAWS: dict[str, tuple[type[AnyAttack], ...]] = {
    "same-draws": (_DrawsForTheBatch, _RedrawsForTheBatch),
    "pictures-and-draws": (_DrawsFromThePicture,),
    "seeds": (_OneScene,),
    "restarts": (_SceneOfTheRestart,),
    "global-generators": (_SeedsTorch, _StartsFromOneSeed),
}

#: By a check that finds each, which changes what others see.
ENTANGLED_DRAWS: dict[str, tuple[type[AnyAttack], ...]] = {
    "global-generators": (_ChangesTheDefaultType,),
}
