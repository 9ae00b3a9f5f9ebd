"""Whirlpools that twist the picture around a few random places (paper, appendix B)."""

__all__ = ["Whirlpool", "WhirlpoolLatents", "WhirlpoolScene"]

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import ClassVar

import torch
import torch.nn.functional as F
from torch import Tensor
from typing_extensions import override

from unforeseen.constraints import Ball, StepRule
from unforeseen.ops.sampling import GridConvention, base_grid, displace
from unforeseen.rng import ExampleKey
from unforeseen.transforms.base import Attack, Latents, Scene, stack
from unforeseen.transforms.parameters import parameter

#: Keeps the direction of a start finite, should every draw be 0.
LENGTH_GUARD = 1e-12


@dataclass(frozen=True, kw_only=True)
class WhirlpoolScene(Scene):
    """``centre``: of each whirlpool, (B, N, 2), picture from −1 to 1, horizontal first."""

    centre: Tensor


@dataclass(frozen=True, kw_only=True)
class WhirlpoolLatents(Latents):
    """``strength``: radians that each whirlpool turns its middle by, (B, N); the sign is ignored."""

    strength: Tensor


@dataclass(frozen=True, kw_only=True)
class Whirlpool(Attack[WhirlpoolScene, WhirlpoolLatents]):
    """x_adv(p) = x(p + d(p)): each whirlpool turns its surroundings, less the further out.

    Around a centre c, whirlpool n takes the pixel p from c + R(a)·(p − c), a rotation by
    a = (|δ_n| + twist)·exp(−‖p − c‖₂/ρ) with ρ = radius·ln 2/5; its displacement is
    R(a)·(p − c) − (p − c). Of the N displacements of a pixel, the longest counts. Edition
    published takes the largest signed value per axis instead.

    Attributes:
        whirlpools: N.
        radius: ρ·5/ln 2; that far out, the rotation has fallen to 1/32.
        twist: Radians added to every strength.
    """

    name: ClassVar[str] = "whirlpool"
    summary: ClassVar[str] = "a few whirlpools that stir the picture around their centres"
    formula: ClassVar[str] = (
        "x_adv(p) = x(p + the longest of N displacements); one turns p around a random centre by "
        "(|δ| + 0.5)·exp(−r/ρ), ρ = 0.5·ln 2/5; ‖δ‖₂ ≤ ε. Edition published takes the largest "
        "signed displacement per axis."
    )
    source: ClassVar[str] = "Testing Robustness, appendix B"

    whirlpools: int = parameter(8, "number of whirlpools", minimum=1)
    radius: float = parameter(
        0.5,
        "how far out the rotation has fallen to 1/32, picture's side = 2",
        minimum=0.01,
    )
    twist: float = parameter(0.5, "radians added to every strength", minimum=0)

    @property
    @override
    def balls(self) -> Mapping[str, Ball]:
        return {"strength": Ball(norm="l2")}

    @property
    @override
    def step_rule(self) -> StepRule:
        return "l2"

    @override
    def draw_scene(self, x: Tensor, keys: Sequence[ExampleKey]) -> WhirlpoolScene:
        shape = (self.whirlpools, 2)
        return WhirlpoolScene(
            centre=stack(keys, lambda stream: stream.uniform(-1, 1, shape), x, purpose="scene")
        )

    @override
    def start(
        self, x: Tensor, scene: WhirlpoolScene, radius: Tensor, keys: Sequence[ExampleKey]
    ) -> WhirlpoolLatents:
        """ε·u·v/‖v‖₂, u ~ U(0, 1), v ~ U(0, 1) per entry."""
        drawn = stack(keys, lambda stream: stream.uniform(0, 1, (1 + self.whirlpools,)), x)
        direction = F.normalize(drawn[:, 1:], dim=1, eps=LENGTH_GUARD)
        return WhirlpoolLatents(strength=drawn[:, :1] * radius[:, None] * direction)

    @override
    def paint(self, x: Tensor, latents: WhirlpoolLatents, scene: WhirlpoolScene) -> Tensor:
        published = self.geometry == "published"
        convention: GridConvention = "left_edge" if published else "centred"
        grid = base_grid(x.shape[-2], x.shape[-1], convention, x)
        displacements = self._displacements(grid, latents.strength, scene.centre)
        if published:
            displacement = displacements.amax(dim=1)
        else:
            longest = displacements.detach().square().sum(dim=-1).argmax(dim=1)
            index = longest[:, None, ..., None].expand(-1, -1, -1, -1, 2)
            displacement = displacements.gather(1, index)[:, 0]
        return displace(x, displacement, convention=convention, padding="zeros").clamp(0, 1)

    def _displacements(self, grid: Tensor, strength: Tensor, centre: Tensor) -> Tensor:
        """What each whirlpool does to each pixel, (B, N, H, W, 2)."""
        across, down = (grid - centre[:, :, None, None]).unbind(dim=-1)
        scale = self.radius * math.log(2) / 5
        falloff = torch.exp(-torch.hypot(across, down) / scale)
        angle = (strength.abs() + self.twist)[..., None, None] * falloff
        less, sine = torch.cos(angle) - 1, torch.sin(angle)
        return torch.stack([less * across - sine * down, sine * across + less * down], dim=-1)
