"""Attacks that break what must hold for pictures, one thing each."""

__all__ = ["PICTURES"]

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import ClassVar

import torch
from torch import Tensor
from typing_extensions import override

from contract.broken.sound import Base, Cloud, Shift
from unforeseen.attacks import ExampleKey, StepRule
from unforeseen.transforms.base import AnyAttack


@dataclass(frozen=True, kw_only=True)
class _SquareOnly(Base):
    step_rule: ClassVar[StepRule] = "sign"

    @override
    def paint(self, x: Tensor, latents: Shift, scene: Cloud) -> Tensor:
        painted = super().paint(x, latents, scene)
        return painted + (x.shape[-1] == 224)


@dataclass(frozen=True, kw_only=True)
class _Contrast(Base):
    step_rule: ClassVar[StepRule] = "sign"

    @override
    def paint(self, x: Tensor, latents: Shift, scene: Cloud) -> Tensor:
        contrast = x.flatten(1).amax(dim=1) - x.flatten(1).amin(dim=1)
        return super().paint(x, latents, scene) * (contrast / contrast)[:, None, None, None]


@dataclass(frozen=True, kw_only=True)
class _Brightness(Base):
    step_rule: ClassVar[StepRule] = "sign"

    @override
    def paint(self, x: Tensor, latents: Shift, scene: Cloud) -> Tensor:
        brightest = x.flatten(1).amax(dim=1)[:, None, None, None]
        return (self.unclamped(x, latents, scene) / brightest).clamp(0, 1)


@dataclass(frozen=True, kw_only=True)
class _SingleScene(Base):
    step_rule: ClassVar[StepRule] = "sign"

    @override
    def draw_scene(self, x: Tensor, keys: Sequence[ExampleKey]) -> Cloud:
        return super().draw_scene(x.float(), keys)

    @override
    def unclamped(self, x: Tensor, latents: Shift, scene: Cloud) -> Tensor:
        return super().unclamped(x, latents, replace(scene, bright=scene.bright.to(x)))


@dataclass(frozen=True, kw_only=True)
class _PaintInPlace(Base):
    step_rule: ClassVar[StepRule] = "sign"

    @override
    def paint(self, x: Tensor, latents: Shift, scene: Cloud) -> Tensor:
        painted = super().paint(x, latents, scene)
        if x.dtype == torch.float32:
            scene.bright.mul_(1 + 1e-6)
        return painted


@dataclass(frozen=True, kw_only=True)
class _Remembers(Base):
    step_rule: ClassVar[StepRule] = "sign"
    sizes: ClassVar[list[int]] = []

    @override
    def paint(self, x: Tensor, latents: Shift, scene: Cloud) -> Tensor:
        self.sizes.append(x.shape[-1])
        before = 1.0 if 96 in self.sizes and x.shape[-1] == 64 else 0.5
        return super().paint(x, latents, scene) * before


@dataclass(frozen=True, kw_only=True)
class _Cropped(Base):
    step_rule: ClassVar[StepRule] = "sign"

    @override
    def finish(self, picture: Tensor) -> Tensor:
        return picture[..., :-1] if picture.shape[-1] == 224 else picture


@dataclass(frozen=True, kw_only=True)
class _Double(Base):
    step_rule: ClassVar[StepRule] = "sign"

    @override
    def finish(self, picture: Tensor) -> Tensor:
        return picture.double() if picture.shape[-1] == 224 else picture


@dataclass(frozen=True, kw_only=True)
class _SceneInPlace(Base):
    step_rule: ClassVar[StepRule] = "sign"

    @override
    def draw_scene(self, x: Tensor, keys: Sequence[ExampleKey]) -> Cloud:
        x.mul_(0.9)
        return super().draw_scene(x, keys)


@dataclass(frozen=True, kw_only=True)
class _StartInPlace(Base):
    step_rule: ClassVar[StepRule] = "sign"

    @override
    def start(self, x: Tensor, scene: Cloud, radius: Tensor, keys: Sequence[ExampleKey]) -> Shift:
        x.clamp_(0.1, 0.9)
        return super().start(x, scene, radius, keys)


@dataclass(frozen=True, kw_only=True)
class _RequiresGradient(Base):
    step_rule: ClassVar[StepRule] = "sign"

    @override
    def draw_scene(self, x: Tensor, keys: Sequence[ExampleKey]) -> Cloud:
        x.requires_grad_(x.shape[-1] == 32 and len(x) == 2)
        return super().draw_scene(x, keys)


@dataclass(frozen=True, kw_only=True)
class _ProjectInPlace(Base):
    step_rule: ClassVar[StepRule] = "sign"

    @override
    def project(self, latents: Shift, radius: Tensor) -> Shift:
        return Shift(colour=latents.colour.clamp_(-radius[:, None], radius[:, None]))


@dataclass(frozen=True, kw_only=True)
class _FinishInPlace(Base):
    step_rule: ClassVar[StepRule] = "sign"

    @override
    def paint(self, x: Tensor, latents: Shift, scene: Cloud) -> Tensor:
        return self.unclamped(x, latents, scene)

    @override
    def finish(self, picture: Tensor) -> Tensor:
        return picture.clamp_(0, 1)


#: By the check that finds each, and no other does.
PICTURES: dict[str, tuple[type[AnyAttack], ...]] = {
    "pictures": (_SquareOnly, _Cropped, _Double),
    "black-and-white": (_Contrast, _Brightness),
    "precision": (_SingleScene,),
    "inputs": (
        _PaintInPlace,
        _RequiresGradient,
        _SceneInPlace,
        _StartInPlace,
        _ProjectInPlace,
        _FinishInPlace,
    ),
    "sizes-between": (_Remembers,),
}
