"""Attacks that break what must hold for batches, one thing each."""

__all__ = ["BATCHES", "ENTANGLED_BATCHES", "OneRow"]

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

import torch
from torch import Tensor
from typing_extensions import override

from contract.broken.sound import Base, Cloud, Shift
from unforeseen.attacks import ExampleKey, StepRule
from unforeseen.transforms.base import AnyAttack


@dataclass(frozen=True, kw_only=True)
class OneRow(Base):
    """Has one scene for the whole batch, and so breaks whatever a batch must do."""

    step_rule: ClassVar[StepRule] = "sign"

    @override
    def draw_scene(self, x: Tensor, keys: Sequence[ExampleKey]) -> Cloud:
        return Cloud(bright=super().draw_scene(x, keys[:1]).bright)


@dataclass(frozen=True, kw_only=True)
class _NoDonor(Base):
    step_rule: ClassVar[StepRule] = "sign"
    needs_donor: ClassVar[bool] = True


@dataclass(frozen=True, kw_only=True)
class _MeanOfTheBatch(Base):
    step_rule: ClassVar[StepRule] = "sign"

    @override
    def paint(self, x: Tensor, latents: Shift, scene: Cloud) -> Tensor:
        mean = x.mean() if x.shape[-1] == 47 else 0.0  # at one size only: leaving is another thing
        return (self.unclamped(x, latents, scene) - mean).clamp(0, 1)


@dataclass(frozen=True, kw_only=True)
class _MaximumOfTheBatch(Base):
    step_rule: ClassVar[StepRule] = "sign"

    @override
    def paint(self, x: Tensor, latents: Shift, scene: Cloud) -> Tensor:
        painted = super().paint(x, latents, scene)
        return painted / (painted.max() if x.shape[-1] == 47 else 1.0)


@dataclass(frozen=True, kw_only=True)
class _PlaceInTheBatch(Base):
    step_rule: ClassVar[StepRule] = "sign"

    @override
    def paint(self, x: Tensor, latents: Shift, scene: Cloud) -> Tensor:
        place = torch.arange(len(x), dtype=x.dtype)[:, None, None, None] if len(x) > 3 else 0.0
        return (self.unclamped(x, latents, scene) * (1 + place)).clamp(0, 1)


@dataclass(frozen=True, kw_only=True)
class _NoTensor(Base):
    step_rule: ClassVar[StepRule] = "sign"

    @override
    def draw_scene(self, x: Tensor, keys: Sequence[ExampleKey]) -> Cloud:
        numbers: Any = [0.05] * len(x)
        return Cloud(bright=numbers)


@dataclass(frozen=True, kw_only=True)
class _WholeNumbers(Base):
    step_rule: ClassVar[StepRule] = "sign"

    @override
    def start(self, x: Tensor, scene: Cloud, radius: Tensor, keys: Sequence[ExampleKey]) -> Shift:
        return Shift(colour=super().start(x, scene, radius, keys).colour.long())

    @override
    def project(self, latents: Shift, radius: Tensor) -> Shift:
        return latents


@dataclass(frozen=True, kw_only=True)
class _NoScene(Base):
    step_rule: ClassVar[StepRule] = "sign"

    @override
    def draw_scene(self, x: Tensor, keys: Sequence[ExampleKey]) -> Any:
        return super().start(x, super().draw_scene(x, keys), x.new_ones(len(x)), keys)

    @override
    def unclamped(self, x: Tensor, latents: Shift, scene: Any) -> Tensor:
        return x + latents.colour[:, :, None, None]


#: By the check that finds each, and no other does.
BATCHES: dict[str, tuple[type[AnyAttack], ...]] = {
    "rows": (_NoDonor,),
    "independent-rows": (_MeanOfTheBatch, _MaximumOfTheBatch),
    "leaving": (_PlaceInTheBatch,),
}

#: By a check that finds each, which breaks others too.
ENTANGLED_BATCHES: dict[str, tuple[type[AnyAttack], ...]] = {
    "rows": (OneRow, _NoTensor, _WholeNumbers, _NoScene),
}
