"""Pixelation, as strong in each block as the attacker likes (paper, section 4.2)."""

__all__ = ["Pixel", "PixelLatents"]

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import ClassVar, Literal

import torch.nn.functional as F
from torch import Tensor
from typing_extensions import override

from unforeseen.constraints import Ball, StepRule
from unforeseen.ops.blocks import block_count, spread
from unforeseen.rng import ExampleKey
from unforeseen.transforms.base import Latents, NoScene, SceneFreeAttack, stack
from unforeseen.transforms.parameters import parameter

#: Keeps the direction of a start finite, should every draw be 0.
LENGTH_GUARD = 1e-12


@dataclass(frozen=True, kw_only=True)
class PixelLatents(Latents):
    """``mix``: how far each block is levelled, 0 … 1, (B, 3, ⌈H/m⌉, ⌈W/m⌉)."""

    mix: Tensor


@dataclass(frozen=True, kw_only=True)
class Pixel(SceneFreeAttack[PixelLatents]):
    """x_adv = x + δ[block] · (block's value − x).

    Attributes:
        block: m, the side of a block in pixels; the last ones may be narrower.
        reduce: The block's value: its ``mean``, as in the paper's text, or its top-left
            ``corner``, as the paper's figures were made; ``edition`` follows the geometry.
    """

    name: ClassVar[str] = "pixel"
    summary: ClassVar[str] = "coarse square pixels, faint here and full there"
    formula: ClassVar[str] = (
        "x_adv = x + δ[channel, block] · (value of the block − x), 0 ≤ δ ≤ 1, ‖δ‖₂ ≤ ε."
    )
    source: ClassVar[str] = "Testing Robustness, section 4.2"

    block: int = parameter(16, "side of a block in pixels", minimum=1)
    reduce: Literal["mean", "corner", "edition"] = parameter(
        "edition", "a block's value: its mean, its top-left pixel, or as the edition has it"
    )

    @property
    @override
    def balls(self) -> Mapping[str, Ball]:
        return {"mix": Ball(norm="l2", low=0.0, high=1.0)}

    @property
    @override
    def step_rule(self) -> StepRule:
        return "l2"

    @override
    def start(
        self,
        x: Tensor,
        scene: NoScene,
        radius: Tensor,
        keys: Sequence[ExampleKey],
    ) -> PixelLatents:
        """|ε·u·v/‖v‖₂|, u ~ U(0, 1), v ~ U(0, 1) per entry."""
        rows, columns = (block_count(length, self.block) for length in x.shape[-2:])
        drawn = stack(keys, lambda stream: stream.uniform(0, 1, (1 + 3 * rows * columns,)), x)
        length, direction = drawn[:, :1] * radius[:, None], drawn[:, 1:]
        mix = length * F.normalize(direction, dim=1, eps=LENGTH_GUARD)
        return PixelLatents(mix=mix.reshape(-1, 3, rows, columns))

    @override
    def paint(self, x: Tensor, latents: PixelLatents, scene: NoScene) -> Tensor:
        size, block = (x.shape[-2], x.shape[-1]), (self.block, self.block)
        follows = "corner" if self.geometry == "published" else "mean"
        reduce = follows if self.reduce == "edition" else self.reduce
        if reduce == "mean":
            value = F.avg_pool2d(x, self.block, ceil_mode=True, count_include_pad=False)
        else:
            value = x[..., :: self.block, :: self.block]
        mix = spread(latents.mix, block, size)
        return (x + mix * (spread(value, block, size) - x)).clamp(0, 1)
