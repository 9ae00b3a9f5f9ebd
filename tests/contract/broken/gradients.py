"""Attacks that break what must hold for gradients, one thing each."""

__all__ = ["GRADIENTS"]

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

import torch
from torch import Tensor
from typing_extensions import override

from contract.broken.sound import Base, Cloud, Shift
from unforeseen.attacks import Ball, ExampleKey, StepRule, uniform_start
from unforeseen.transforms.base import AnyAttack


@dataclass(frozen=True, kw_only=True)
class TwoShifts(Shift):
    """``other``: isn't used."""

    other: Tensor


class _Drift(torch.autograd.Function):
    """x; its gradient grows by a little each time."""

    factor: ClassVar[float] = 1.0

    @staticmethod
    def forward(ctx: Any, x: Tensor) -> Tensor:  # noqa: ARG004 – as torch calls it
        return x.clone()

    @staticmethod
    def backward(ctx: Any, gradient: Tensor) -> Tensor:  # noqa: ARG004 – as torch calls it
        _Drift.factor *= 1 + 1e-9
        return gradient * _Drift.factor


@dataclass(frozen=True, kw_only=True)
class _RootOfNothing(Base):
    step_rule: ClassVar[StepRule] = "sign"

    @override
    def paint(self, x: Tensor, latents: Shift, scene: Cloud) -> Tensor:
        nothing = (latents.colour[:, :1, None, None] * 0).sqrt() if x.shape[-1] == 47 else 0.0
        return super().paint(x, latents, scene) + nothing


@dataclass(frozen=True, kw_only=True)
class _Unused(Base):
    step_rule: ClassVar[StepRule] = "sign"

    @property
    @override
    def balls(self) -> Mapping[str, Ball]:
        return {"colour": Ball(norm="linf"), "other": Ball(norm="l2")}

    @override
    def start(
        self, x: Tensor, scene: Cloud, radius: Tensor, keys: Sequence[ExampleKey]
    ) -> TwoShifts:
        used = super().start(x, scene, radius, keys).colour
        return TwoShifts(colour=used, other=used / 3)


@dataclass(frozen=True, kw_only=True)
class _Detached(Base):
    step_rule: ClassVar[StepRule] = "sign"

    @override
    def unclamped(self, x: Tensor, latents: Shift, scene: Cloud) -> Tensor:
        straight = Shift(colour=latents.colour + 0.1 * latents.colour.detach())
        return super().unclamped(x, straight, scene)


@dataclass(frozen=True, kw_only=True)
class _DetachedWhereNegative(Base):
    step_rule: ClassVar[StepRule] = "l2"

    @property
    @override
    def balls(self) -> Mapping[str, Ball]:
        return {"colour": Ball(norm="l2")}

    @override
    def start(self, x: Tensor, scene: Cloud, radius: Tensor, keys: Sequence[ExampleKey]) -> Shift:
        return Shift(colour=uniform_start(keys, (3,), radius, x, low=-1) / 3)

    @override
    def unclamped(self, x: Tensor, latents: Shift, scene: Cloud) -> Tensor:
        positive = latents.colour.clamp(min=0)
        negative = (latents.colour - positive).detach()
        return super().unclamped(x, Shift(colour=positive + negative), scene)


@dataclass(frozen=True, kw_only=True)
class _AnotherGradientEachTime(Base):
    step_rule: ClassVar[StepRule] = "sign"

    @override
    def unclamped(self, x: Tensor, latents: Shift, scene: Cloud) -> Tensor:
        same: Tensor = _Drift.apply(latents.colour)
        return super().unclamped(x, Shift(colour=same), scene)


#: By the check that finds each, and no other does.
GRADIENTS: dict[str, tuple[type[AnyAttack], ...]] = {
    "finite-gradients": (_RootOfNothing,),
    "used-latents": (_Unused,),
    "true-gradients": (_Detached, _DetachedWhereNegative, _AnotherGradientEachTime),
}
