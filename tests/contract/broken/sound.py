"""Attacks that break nothing but may raise, and what broken ones derive from."""

__all__ = ["Base", "ClampedAtTheEnd", "Cloud", "Raises", "Shift", "Sound"]

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import ClassVar

import torch
from torch import Tensor
from typing_extensions import override

from unforeseen.attacks import (
    Attack,
    Ball,
    ExampleKey,
    Latents,
    Scene,
    StepRule,
    parameter,
    stack,
    uniform_start,
)


@dataclass(frozen=True, kw_only=True)
class Cloud(Scene):
    """``bright``: what is added to each pixel, (B, 1, 8, 8)."""

    bright: Tensor


@dataclass(frozen=True, kw_only=True)
class Shift(Latents):
    """``colour``: added to each channel, (B, 3)."""

    colour: Tensor


class Base(Attack[Cloud, Shift]):
    """x_adv = clamp(x + gain · (cloud + δ), 0, 1); what derives from it says its step_rule."""

    name: ClassVar[str] = "sound"
    summary: ClassVar[str] = "a cloud and a colour cast"
    formula: ClassVar[str] = "x_adv = clamp(x + gain · (cloud + δ), 0, 1)"
    source: ClassVar[str] = "a test"

    @property
    @override
    def balls(self) -> Mapping[str, Ball]:
        return {"colour": Ball(norm="linf")}

    @override
    def draw_scene(self, x: Tensor, keys: Sequence[ExampleKey]) -> Cloud:
        return Cloud(
            bright=stack(keys, lambda each: each.uniform(0, 0.1, (1, 8, 8)), x, purpose="scene")
        )

    @override
    def start(self, x: Tensor, scene: Cloud, radius: Tensor, keys: Sequence[ExampleKey]) -> Shift:
        return Shift(colour=uniform_start(keys, (3,), radius, x, low=-1))

    def unclamped(self, x: Tensor, latents: Shift, scene: Cloud) -> Tensor:
        cloud = torch.nn.functional.interpolate(scene.bright, x.shape[-2:], mode="bilinear")
        gain: float = getattr(self, "gain", 1.0)
        added: Tensor = gain * (cloud + latents.colour[:, :, None, None])
        return x + added

    @override
    def paint(self, x: Tensor, latents: Shift, scene: Cloud) -> Tensor:
        return self.unclamped(x, latents, scene).clamp(0, 1)


@dataclass(frozen=True, kw_only=True)
class Sound(Base):
    """Keeps the contract.

    Attributes:
        gain: What is multiplied with cloud and shift.
        sort: Of cloud.
    """

    step_rule: ClassVar[StepRule] = "sign"

    gain: float = parameter(1.0, "what is multiplied with cloud and shift", minimum=0.5, maximum=2)
    sort: int = parameter(1, "of cloud", minimum=1)


@dataclass(frozen=True, kw_only=True)
class ClampedAtTheEnd(Base):
    """Keeps it too: what is painted may leave the range that the finished picture lies in."""

    step_rule: ClassVar[StepRule] = "sign"

    @override
    def paint(self, x: Tensor, latents: Shift, scene: Cloud) -> Tensor:
        return self.unclamped(x, latents, scene)

    @override
    def finish(self, picture: Tensor) -> Tensor:
        return picture.clamp(0, 1)


@dataclass(frozen=True, kw_only=True)
class Raises(Base):
    """Raises wherever pictures are 47 pixels wide."""

    step_rule: ClassVar[StepRule] = "sign"

    @override
    def paint(self, x: Tensor, latents: Shift, scene: Cloud) -> Tensor:
        if x.shape[-1] == 47:
            raise ValueError("no such width\nsecond line")
        return super().paint(x, latents, scene)
