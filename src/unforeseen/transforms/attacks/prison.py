"""Grey bars over the picture, noise on the bars only (paper, appendix B)."""

__all__ = ["Prison", "PrisonLatents"]

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import ClassVar

import torch
from torch import Tensor
from typing_extensions import override

from unforeseen.constraints import Ball, StepRule
from unforeseen.rng import ExampleKey
from unforeseen.transforms.base import Latents, NoScene, SceneFreeAttack
from unforeseen.transforms.parameters import parameter

#: The bars before anything is optimised.
GREY = 0.5


@dataclass(frozen=True, kw_only=True)
class PrisonLatents(Latents):
    """``delta``: added to the grey of the bars, (B, 3, H, W); between the bars it does nothing."""

    delta: Tensor


@dataclass(frozen=True, kw_only=True)
class Prison(SceneFreeAttack[PrisonLatents]):
    """x_adv = clamp(0.5 + δ, 0, 1) on vertical bars, x between them; 0 ≤ δ ≤ ε.

    Every p = ⌊W / bars⌋ pixels there is a bar, the first one's middle at ⌊p/2⌋, none in the last
    ⌊p/2⌋ pixels: at a width that ``bars`` divides, one bar less than ``bars``.

    Attributes:
        bars: How many times the distance between two bars goes into the picture's width.
        bar_width: A bar is its middle ± ⌊bar_width / 2⌋ pixels.
    """

    name: ClassVar[str] = "prison"
    summary: ClassVar[str] = "grey prison bars before the picture, coloured by noise"
    formula: ClassVar[str] = (
        "x_adv = clamp(0.5 + δ, 0, 1) on vertical bars, x between them; 0 ≤ δ ≤ ε."
    )
    source: ClassVar[str] = "Testing Robustness, appendix B"

    bars: int = parameter(
        7, "picture's width, distance between two bars = 1", minimum=2, maximum=32
    )
    bar_width: int = parameter(6, "width of a bar in pixels, an even one plus 1", minimum=1)

    @property
    @override
    def balls(self) -> Mapping[str, Ball]:
        return {"delta": Ball(norm="linf", low=0.0)}

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
    ) -> PrisonLatents:
        """Zero: plain grey."""
        return PrisonLatents(delta=torch.zeros_like(x))

    @override
    def paint(self, x: Tensor, latents: PrisonLatents, scene: NoScene) -> Tensor:
        return torch.where(self._barred(x), (GREY + latents.delta).clamp(0, 1), x)

    def _barred(self, x: Tensor) -> Tensor:
        """Which columns lie under a bar, (W,)."""
        width = x.shape[-1]
        spacing = width // self.bars
        middles = torch.arange(spacing // 2, width - spacing // 2, spacing, device=x.device)
        columns = torch.arange(width, device=x.device)
        away = (columns[:, None] - middles).abs()
        return (away <= self.bar_width // 2).any(dim=1)
