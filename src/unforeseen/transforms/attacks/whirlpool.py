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
from unforeseen.ops.sampling import GridConvention, axis, displace
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
        convention: GridConvention = "left_edge" if self.geometry == "published" else "centred"
        rows, columns = (axis(length, convention, x) for length in x.shape[-2:])
        across = columns - scene.centre[..., 0, None, None]
        down = rows[:, None] - scene.centre[..., 1, None, None]
        return displace(
            x,
            self._displacement(across, down, latents.strength),
            convention=convention,
            padding="zeros",
        ).clamp(0, 1)

    def _displacement(self, across: Tensor, down: Tensor, strength: Tensor) -> Tensor:
        """By how much each pixel is displaced in the end, (B, H, W, 2).

        Args:
            across: From each centre to each column, (B, N, 1, W).
            down: From each centre to each row, (B, N, H, 1).
            strength: (B, N).
        """
        distance = (across.square() + down.square()).sqrt()
        falloff = torch.exp(-distance * (5 / (self.radius * math.log(2))))
        angle = (strength.abs() + self.twist)[..., None, None] * falloff
        # cos(angle) − 1, of which nothing would be left far out if it were written like that.
        less, sine = -2 * torch.sin(angle / 2).square(), torch.sin(angle)
        horizontal, vertical = less * across - sine * down, sine * across + less * down
        if self.geometry == "published":
            return torch.stack([horizontal.amax(dim=1), vertical.amax(dim=1)], dim=-1)
        # A displacement's squared length is −2 (cos(angle) − 1) · distance².
        longest = (less.detach() * distance.square()).min(dim=1, keepdim=True).indices
        return torch.stack(
            [each.gather(1, longest)[:, 0] for each in (horizontal, vertical)], dim=-1
        )
