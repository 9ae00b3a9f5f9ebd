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

#: Horizontal and vertical place of each pixel, broadcastable to (H, W).
Grid = tuple[Tensor, Tensor]

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
    version: ClassVar[int] = 2
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
        grid = columns, rows[:, None]
        horizontally, vertically = self._counting(grid, latents.strength.detach(), scene.centre)
        horizontal, vertical = self._of(horizontally, grid, latents.strength, scene.centre)
        if vertically is not horizontally:
            _, vertical = self._of(vertically, grid, latents.strength, scene.centre)
        return displace(
            x,
            torch.stack([horizontal, vertical], dim=-1),
            convention=convention,
            padding="zeros",
        ).clamp(0, 1)

    def _counting(self, grid: Grid, strength: Tensor, centre: Tensor) -> tuple[Tensor, Tensor]:
        """Which whirlpool displaces each pixel, horizontally and vertically, (B, H, W).

        One whirlpool after the other: all at once would take many times the memory, and on CPUs
        the time, of a picture.
        """
        best: list[Tensor] = []
        which: list[Tensor] = []
        for number in range(self.whirlpools):
            across, down = (
                each - centre[:, number, component, None, None]
                for component, each in enumerate(grid)
            )
            less, sine = self._turn(across, down, strength[:, number, None, None])
            if self.geometry == "published":
                sizes = [less * across - sine * down, sine * across + less * down]
            else:
                # A displacement's squared length is −2 (cos(angle) − 1) · distance².
                sizes = [-less * (across.square() + down.square())]
            if not number:
                best, which = sizes, [torch.zeros_like(each, dtype=torch.int64) for each in sizes]
                continue
            larger = [size > other for size, other in zip(sizes, best, strict=True)]
            best = [torch.maximum(size, other) for size, other in zip(sizes, best, strict=True)]
            which = [
                each.masked_fill(here, number) for here, each in zip(larger, which, strict=True)
            ]
        return which[0], which[-1]

    def _of(
        self, whirlpool: Tensor, grid: Grid, strength: Tensor, centre: Tensor
    ) -> tuple[Tensor, Tensor]:
        """The displacement of each pixel by one whirlpool of its own: horizontal, vertical."""
        across, down = (each - _picked(centre[..., n], whirlpool) for n, each in enumerate(grid))
        less, sine = self._turn(across, down, _picked(strength, whirlpool))
        return less * across - sine * down, sine * across + less * down

    def _turn(self, across: Tensor, down: Tensor, strength: Tensor) -> tuple[Tensor, Tensor]:
        """cos(angle) − 1, of which nothing would be left far out if it were written so, and sin."""
        distance = (across.square() + down.square()).sqrt()
        falloff = torch.exp(-distance * (5 / (self.radius * math.log(2))))
        angle = (strength.abs() + self.twist) * falloff
        return -2 * torch.sin(angle / 2).square(), torch.sin(angle)


def _picked(values: Tensor, which: Tensor) -> Tensor:
    """(B, N), (B, H, W) → (B, H, W)."""
    return values.gather(1, which.flatten(1)).reshape(which.shape)
