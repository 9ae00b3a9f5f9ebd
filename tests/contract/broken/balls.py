"""Attacks that break what must hold for balls, one thing each."""

__all__ = ["BALLS", "ENTANGLED_BALLS"]

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import ClassVar

from torch import Tensor
from typing_extensions import override

from contract.broken.sound import Base, Cloud, Shift
from unforeseen.attacks import Ball, ExampleKey, StepRule
from unforeseen.transforms.base import AnyAttack


@dataclass(frozen=True, kw_only=True)
class _LooseStart(Base):
    step_rule: ClassVar[StepRule] = "sign"

    @override
    def project(self, latents: Shift, radius: Tensor) -> Shift:
        return Shift(colour=latents.colour * 1.5)


@dataclass(frozen=True, kw_only=True)
class _Unmoved(Base):
    step_rule: ClassVar[StepRule] = "sign"

    @override
    def project(self, latents: Shift, radius: Tensor) -> Shift:
        return latents


@dataclass(frozen=True, kw_only=True)
class _NeverZero(Base):
    step_rule: ClassVar[StepRule] = "sign"

    @override
    def project(self, latents: Shift, radius: Tensor) -> Shift:
        held = super().project(latents, radius)
        return held if bool((radius > 0).all()) else Shift(colour=latents.colour + 0.1)


@dataclass(frozen=True, kw_only=True)
class _AnotherDrawAtAnotherLevel(Base):
    step_rule: ClassVar[StepRule] = "sign"

    @override
    def start(self, x: Tensor, scene: Cloud, radius: Tensor, keys: Sequence[ExampleKey]) -> Shift:
        start = super().start(x, scene, radius, keys).colour
        return Shift(colour=start.abs() if bool((radius < 5e-4).all()) else start)


@dataclass(frozen=True, kw_only=True)
class _OutOfItsBox(Base):
    step_rule: ClassVar[StepRule] = "sign"

    @property
    @override
    def balls(self) -> Mapping[str, Ball]:
        return {"colour": Ball(norm="linf", low=-0.03, high=0.03)}

    @override
    def project(self, latents: Shift, radius: Tensor) -> Shift:
        return Shift(colour=Ball(norm="linf").project(latents.colour, radius))


@dataclass(frozen=True, kw_only=True)
class _Curved(Base):
    step_rule: ClassVar[StepRule] = "sign"

    @override
    def start(self, x: Tensor, scene: Cloud, radius: Tensor, keys: Sequence[ExampleKey]) -> Shift:
        colour = super().start(x, scene, radius, keys).colour
        return Shift(colour=colour + colour**2)


@dataclass(frozen=True, kw_only=True)
class _Misnamed(Base):
    step_rule: ClassVar[StepRule] = "sign"

    @property
    @override
    def balls(self) -> Mapping[str, Ball]:
        return {"shade": Ball(norm="linf")}

    @override
    def project(self, latents: Shift, radius: Tensor) -> Shift:
        return Shift(colour=Ball(norm="linf").project(latents.colour, radius))


#: By the check that finds each, and no other does.
BALLS: dict[str, tuple[type[AnyAttack], ...]] = {
    "start-in-ball": (_LooseStart, _Unmoved, _OutOfItsBox),
    "radius-zero": (_NeverZero,),
    "levels": (_AnotherDrawAtAnotherLevel, _Curved),
}

#: By a check that finds each, which breaks others too.
ENTANGLED_BALLS: dict[str, tuple[type[AnyAttack], ...]] = {
    "start-in-ball": (_Misnamed,),
}
