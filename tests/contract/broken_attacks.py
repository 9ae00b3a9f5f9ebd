"""Small attacks, each of which breaks one thing that an attack must do, and one that breaks none."""

__all__ = ["BROKEN", "OneRow", "Raises", "Sound"]

import random
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, ClassVar

import numpy as np
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


@dataclass(frozen=True, kw_only=True)
class TwoShifts(Shift):
    """``other``: isn't used."""

    other: Tensor


class _Base(Attack[Cloud, Shift]):
    """x_adv = clamp(x + gain · (cloud + δ), 0, 1); what follows breaks one thing of it each."""

    name: ClassVar[str] = "sound"
    summary: ClassVar[str] = "a cloud and a colour cast"
    formula: ClassVar[str] = "x_adv = clamp(x + gain · (cloud + δ), 0, 1)"
    source: ClassVar[str] = "a test"

    @property
    @override
    def balls(self) -> Mapping[str, Ball]:
        return {"colour": Ball(norm="linf")}

    @property
    @override
    def step_rule(self) -> StepRule:
        return "sign"

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
class Sound(_Base):
    """Keeps the contract.

    Attributes:
        gain: What is multiplied with cloud and shift.
        sort: Of cloud.
    """

    gain: float = parameter(1.0, "what is multiplied with cloud and shift", minimum=0.5, maximum=2)
    sort: int = parameter(1, "of cloud", minimum=1)


@dataclass(frozen=True, kw_only=True)
class _Untold(_Base):
    summary: ClassVar[str] = " two\nlines"


@dataclass(frozen=True, kw_only=True)
class _Undocumented(_Base):
    """A parameter in silence."""

    gain: float = field(default=1.0)


@dataclass(frozen=True, kw_only=True)
class _Rendering(_Base):
    @override
    def render(self, x: Tensor, latents: Shift, scene: Cloud) -> Tensor:
        return self.paint(x, latents, scene)


@dataclass(frozen=True, kw_only=True)
class _TakesUnknown(_Base):
    @override
    @classmethod
    def from_parameters(cls, parameters: Mapping[str, Any], *, geometry: Any) -> Any:
        return cls(geometry=geometry)


@dataclass(frozen=True, kw_only=True)
class _TakesWords(_Base):
    """Attributes:
    gain: What is multiplied with cloud and shift.
    """

    gain: float = parameter(1.0, "what is multiplied with cloud and shift", minimum=0.5)

    @override
    @classmethod
    def from_parameters(cls, parameters: Mapping[str, Any], *, geometry: Any) -> Any:
        words = {name: float(value) for name, value in parameters.items() if name == "gain"}
        return super().from_parameters({**parameters, **words}, geometry=geometry)


@dataclass(frozen=True, kw_only=True)
class _Unbounded(_Base):
    """Attributes:
    gain: What is multiplied with cloud and shift.
    """

    gain: float = parameter(1.0, "what is multiplied with cloud and shift", minimum=0.5)

    @override
    @classmethod
    def from_parameters(cls, parameters: Mapping[str, Any], *, geometry: Any) -> Any:
        clipped = {
            name: max(value, 0.5) if type(value) is float else value
            for name, value in parameters.items()
        }
        return super().from_parameters(clipped, geometry=geometry)


@dataclass(frozen=True, kw_only=True)
class _DrawsForTheBatch(_Base):
    @override
    def start(self, x: Tensor, scene: Cloud, radius: Tensor, keys: Sequence[ExampleKey]) -> Shift:
        first = uniform_start(keys[:1], (len(keys), 3), radius[:1], x, low=-1)[0]
        return Shift(colour=first)


@dataclass(frozen=True, kw_only=True)
class _DrawsFromThePicture(_Base):
    @override
    def draw_scene(self, x: Tensor, keys: Sequence[ExampleKey]) -> Cloud:
        drawn = super().draw_scene(x, keys)
        return Cloud(bright=drawn.bright * x[:, :1, :8, :8])


@dataclass(frozen=True, kw_only=True)
class _OneScene(_Base):
    @override
    def draw_scene(self, x: Tensor, keys: Sequence[ExampleKey]) -> Cloud:
        return Cloud(bright=x.new_full((len(x), 1, 8, 8), 0.05))


@dataclass(frozen=True, kw_only=True)
class _SceneOfTheRestart(_Base):
    @override
    def draw_scene(self, x: Tensor, keys: Sequence[ExampleKey]) -> Cloud:
        return Cloud(bright=stack(keys, lambda each: each.uniform(0, 0.1, (1, 8, 8)), x))


@dataclass(frozen=True, kw_only=True)
class _SeedsTorch(_Base):
    @override
    def paint(self, x: Tensor, latents: Shift, scene: Cloud) -> Tensor:
        torch.rand(1)
        np.random.rand()  # noqa: NPY002 – what is to be noticed
        random.random()
        return super().paint(x, latents, scene)


@dataclass(frozen=True, kw_only=True)
class OneRow(_Base):
    """Has one scene for the whole batch, and so breaks whatever a batch must do."""

    @override
    def draw_scene(self, x: Tensor, keys: Sequence[ExampleKey]) -> Cloud:
        return Cloud(bright=super().draw_scene(x, keys[:1]).bright)


@dataclass(frozen=True, kw_only=True)
class Raises(_Base):
    """Raises wherever pictures are 47 pixels wide."""

    @override
    def paint(self, x: Tensor, latents: Shift, scene: Cloud) -> Tensor:
        if x.shape[-1] == 47:
            raise ValueError("no such width\nsecond line")
        return super().paint(x, latents, scene)


@dataclass(frozen=True, kw_only=True)
class _NoDonor(_Base):
    needs_donor: ClassVar[bool] = True


@dataclass(frozen=True, kw_only=True)
class _MeanOfTheBatch(_Base):
    @override
    def paint(self, x: Tensor, latents: Shift, scene: Cloud) -> Tensor:
        mean = x.mean() if x.shape[-1] == 47 else 0.0  # at one size only: leaving is another thing
        return (self.unclamped(x, latents, scene) - mean).clamp(0, 1)


@dataclass(frozen=True, kw_only=True)
class _PlaceInTheBatch(_Base):
    @override
    def paint(self, x: Tensor, latents: Shift, scene: Cloud) -> Tensor:
        place = torch.arange(len(x), dtype=x.dtype)[:, None, None, None] if len(x) > 3 else 0.0
        return (self.unclamped(x, latents, scene) * (1 + place)).clamp(0, 1)


@dataclass(frozen=True, kw_only=True)
class _LooseStart(_Base):
    @override
    def project(self, latents: Shift, radius: Tensor) -> Shift:
        return Shift(colour=latents.colour * 1.5)


@dataclass(frozen=True, kw_only=True)
class _NeverZero(_Base):
    @override
    def project(self, latents: Shift, radius: Tensor) -> Shift:
        held = super().project(latents, radius)
        return held if bool((radius > 0).all()) else Shift(colour=latents.colour + 0.1)


@dataclass(frozen=True, kw_only=True)
class _AnotherDrawAtAnotherLevel(_Base):
    @override
    def start(self, x: Tensor, scene: Cloud, radius: Tensor, keys: Sequence[ExampleKey]) -> Shift:
        start = super().start(x, scene, radius, keys).colour
        return Shift(colour=start.abs() if bool((radius < 5e-4).all()) else start)


@dataclass(frozen=True, kw_only=True)
class _SquareOnly(_Base):
    @override
    def paint(self, x: Tensor, latents: Shift, scene: Cloud) -> Tensor:
        painted = super().paint(x, latents, scene)
        return painted + (x.shape[-1] == 224)


@dataclass(frozen=True, kw_only=True)
class _Contrast(_Base):
    @override
    def paint(self, x: Tensor, latents: Shift, scene: Cloud) -> Tensor:
        contrast = x.flatten(1).amax(dim=1) - x.flatten(1).amin(dim=1)
        return super().paint(x, latents, scene) * (contrast / contrast)[:, None, None, None]


@dataclass(frozen=True, kw_only=True)
class _SingleScene(_Base):
    @override
    def draw_scene(self, x: Tensor, keys: Sequence[ExampleKey]) -> Cloud:
        return super().draw_scene(x.float(), keys)

    @override
    def unclamped(self, x: Tensor, latents: Shift, scene: Cloud) -> Tensor:
        return super().unclamped(x, latents, replace(scene, bright=scene.bright.to(x)))


@dataclass(frozen=True, kw_only=True)
class _InPlace(_Base):
    @override
    def paint(self, x: Tensor, latents: Shift, scene: Cloud) -> Tensor:
        painted = super().paint(x, latents, scene)
        if x.dtype == torch.float32:
            scene.bright.mul_(1 + 1e-6)
        return painted


@dataclass(frozen=True, kw_only=True)
class _Remembers(_Base):
    sizes: ClassVar[list[int]] = []

    @override
    def paint(self, x: Tensor, latents: Shift, scene: Cloud) -> Tensor:
        self.sizes.append(x.shape[-1])
        before = 1.0 if 96 in self.sizes and x.shape[-1] == 64 else 0.5
        return super().paint(x, latents, scene) * before


@dataclass(frozen=True, kw_only=True)
class _RootOfNothing(_Base):
    @override
    def paint(self, x: Tensor, latents: Shift, scene: Cloud) -> Tensor:
        nothing = (latents.colour[:, :1, None, None] * 0).sqrt() if x.shape[-1] == 47 else 0.0
        return super().paint(x, latents, scene) + nothing


@dataclass(frozen=True, kw_only=True)
class _Unused(_Base):
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
class _Detached(_Base):
    @override
    def unclamped(self, x: Tensor, latents: Shift, scene: Cloud) -> Tensor:
        straight = Shift(colour=latents.colour + 0.1 * latents.colour.detach())
        return super().unclamped(x, straight, scene)


#: One attack for each check, by the check's name.
BROKEN: dict[str, type[Attack[Any, Any]]] = {
    "texts": _Untold,
    "parameters": _Undocumented,
    "final": _Rendering,
    "unknown-parameters": _TakesUnknown,
    "parameter-types": _TakesWords,
    "parameter-bounds": _Unbounded,
    "same-draws": _DrawsForTheBatch,
    "pictures-and-draws": _DrawsFromThePicture,
    "seeds": _OneScene,
    "restarts": _SceneOfTheRestart,
    "global-generators": _SeedsTorch,
    "rows": _NoDonor,
    "independent-rows": _MeanOfTheBatch,
    "leaving": _PlaceInTheBatch,
    "start-in-ball": _LooseStart,
    "radius-zero": _NeverZero,
    "levels": _AnotherDrawAtAnotherLevel,
    "pictures": _SquareOnly,
    "black-and-white": _Contrast,
    "precision": _SingleScene,
    "inputs": _InPlace,
    "sizes-between": _Remembers,
    "finite-gradients": _RootOfNothing,
    "used-latents": _Unused,
    "true-gradients": _Detached,
}
