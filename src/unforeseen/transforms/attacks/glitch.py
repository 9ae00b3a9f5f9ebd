"""A broken signal: colour channels slip sideways, bar by bar (paper, section 4.2)."""

__all__ = ["Glitch", "GlitchLatents"]

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import ClassVar

import torch
from torch import Tensor
from typing_extensions import override

from unforeseen.constraints import Ball, StepRule
from unforeseen.ops.blocks import block_count
from unforeseen.ops.sampling import displace
from unforeseen.rng import ExampleKey
from unforeseen.transforms.base import Latents, NoScene, SceneFreeAttack, uniform_start
from unforeseen.transforms.parameters import parameter

#: The grey that a positive ``grey_strength`` mixes towards.
GREY = 0.87


@dataclass(frozen=True, kw_only=True)
class GlitchLatents(Latents):
    """``shift``: how far each channel of each bar slips, (B, 3, bars), picture's width = 2."""

    shift: Tensor


@dataclass(frozen=True, kw_only=True)
class Glitch(SceneFreeAttack[GlitchLatents]):
    """Each colour channel of each horizontal bar is sampled δ to the side.

    Attributes:
        bars: Number of bars; where it doesn't divide the height, bars are ⌈H/bars⌉ pixels high
            and the last is narrower (or some fall away).
        grey_strength: How far the picture is first mixed towards light grey, in [0, 1]. The
            paper's text greys the picture; its published figures were made with 0.
    """

    name: ClassVar[str] = "glitch"
    summary: ClassVar[str] = "horizontal bars in which red, green and blue slip apart"
    formula: ClassVar[str] = (
        "x_adv(channel, row, column) = x(channel, row, column + δ[channel, bar of the row]), "
        "bilinear, mirrored at the edges."
    )
    source: ClassVar[str] = "Testing Robustness, section 4.2"

    bars: int = parameter(56, "number of horizontal bars", minimum=1)
    grey_strength: float = parameter(
        0.0, "how far the picture is first mixed towards light grey", minimum=0, maximum=1
    )

    @property
    @override
    def balls(self) -> Mapping[str, Ball]:
        return {"shift": Ball(norm="linf")}

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
    ) -> GlitchLatents:
        """U(0, ε): all to one side."""
        bars = block_count(x.shape[-2], self._bar_height(x))
        start = uniform_start(keys, (3, bars), radius, x)
        return GlitchLatents(shift=start)

    @override
    def paint(self, x: Tensor, latents: GlitchLatents, scene: NoScene) -> Tensor:
        batch, channels, height, width = x.shape
        greyed = x + self.grey_strength * (GREY - x)
        rows = latents.shift.repeat_interleave(self._bar_height(x), dim=-1)[..., :height]
        sideways = rows.reshape(batch * channels, height, 1).expand(-1, -1, width)
        shifted = displace(
            greyed.reshape(batch * channels, 1, height, width),
            torch.stack([sideways, torch.zeros_like(sideways)], dim=-1),
            convention="left_edge" if self.geometry == "published" else "centred",
            padding="reflection",
        )
        return shifted.reshape(x.shape).clamp(0, 1)

    def _bar_height(self, x: Tensor) -> int:
        return block_count(x.shape[-2], self.bars)
