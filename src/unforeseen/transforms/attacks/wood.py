"""Wood grain: concentric rings whose course is optimised (paper, section 4.2 and figure 3)."""

__all__ = ["Wood", "WoodLatents"]

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import ClassVar

import torch
import torch.nn.functional as F
from torch import Tensor
from typing_extensions import override

from unforeseen.constraints import Ball, StepRule
from unforeseen.ops.sampling import base_grid
from unforeseen.rng import ExampleKey
from unforeseen.transforms.base import Latents, NoScene, SceneFreeAttack
from unforeseen.transforms.parameters import parameter

#: |sin|^(1/8) is vertical at 0; below this its slope is taken as 0 (edition strict).
FLAT_BELOW = 1e-12


@dataclass(frozen=True, kw_only=True)
class WoodLatents(Latents):
    """``turbulence``: added to the distance from the centre, (B, 1, R, R), centre to edge = 1."""

    turbulence: Tensor


@dataclass(frozen=True, kw_only=True)
class Wood(SceneFreeAttack[WoodLatents]):
    """x_adv = x · |sin(π · rings · d)|^(1/8), d = √(u² + v²) + turbulence.

    Attributes:
        rings: Dark rings from the centre to the middle of an edge.
        resolution: R, the side of the turbulence map before bilinear upsampling.
    """

    name: ClassVar[str] = "wood"
    summary: ClassVar[str] = "dark, wavering rings of wood grain around the centre"
    formula: ClassVar[str] = (
        "x_adv = x · |sin(π · rings · d)|^(1/8) with d = √(u² + v²) + upsampled δ, u = 2i/W − 1, "
        "v = 2j/H − 1."
    )
    source: ClassVar[str] = "Testing Robustness, section 4.2 and figure 3"

    rings: int = parameter(4, "dark rings from the centre to the middle of an edge", minimum=1)
    resolution: int = parameter(32, "side of the turbulence map", minimum=1)

    @property
    @override
    def balls(self) -> Mapping[str, Ball]:
        return {"turbulence": Ball(norm="linf")}

    @property
    @override
    def step_rule(self) -> StepRule:
        return "sign"

    @override
    def start(
        self,
        x: Tensor,
        scene: NoScene,
        radius: Tensor,
        keys: Sequence[ExampleKey],
    ) -> WoodLatents:
        """Zero: perfect circles."""
        return WoodLatents(turbulence=x.new_zeros(len(keys), 1, self.resolution, self.resolution))

    @override
    def paint(self, x: Tensor, latents: WoodLatents, scene: NoScene) -> Tensor:
        size = (x.shape[-2], x.shape[-1])
        from_centre = torch.linalg.vector_norm(base_grid(*size, "left_edge", x), dim=-1)
        turbulence = F.interpolate(latents.turbulence, size, mode="bilinear", align_corners=False)
        wave = torch.sin(math.pi * self.rings * (from_centre + turbulence)).abs()
        return x * self._eighth_root(wave)

    def _eighth_root(self, wave: Tensor) -> Tensor:
        if self.geometry == "published":
            # The slope at exactly 0 is 0 · ∞: NaN, which the published search counts as 0. That
            # freezes the four latents around the centre, in the paper's figures too.
            return wave ** (1 / 8)
        flat = wave < FLAT_BELOW
        root = torch.where(flat, 1.0, wave) ** (1 / 8)
        return torch.where(flat, torch.where(wave == 0, 0.0, FLAT_BELOW ** (1 / 8)), root)
