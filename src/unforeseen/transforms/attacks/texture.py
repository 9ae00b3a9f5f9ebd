"""A black outline drawing, what lies between the lines whitened (paper, appendix B)."""

__all__ = ["Texture", "TextureLatents"]

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import ClassVar

import torch
from torch import Tensor
from typing_extensions import override

from unforeseen.constraints import Ball, StepRule
from unforeseen.rng import ExampleKey
from unforeseen.transforms.base import Latents, uniform_start
from unforeseen.transforms.edge_map import EdgeMap, EdgeMapAttack


@dataclass(frozen=True, kw_only=True)
class TextureLatents(Latents):
    """``whitening``: its size is how far a pixel goes to white, (B, 1, H, W); none on edges."""

    whitening: Tensor


@dataclass(frozen=True, kw_only=True)
class Texture(EdgeMapAttack[TextureLatents]):
    """x_adv = 0 on the picture's edges, x + |δ|·(1 − x) elsewhere, ‖δ‖_∞ ≤ ε.

    Edges are Canny's; edition published finds them in the way that the paper's figures were made
    with, see :func:`unforeseen.ops.canny.canny_edges`.
    """

    name: ClassVar[str] = "texture"
    summary: ClassVar[str] = "edges drawn in black, the texture between them bleached"
    formula: ClassVar[str] = (
        "x_adv = 0 on edges (Canny's), x + |δ|·(1 − x) elsewhere, one δ per pixel, ‖δ‖_∞ ≤ ε."
    )
    source: ClassVar[str] = "Testing Robustness, appendix B; Canny 1986"

    @property
    @override
    def balls(self) -> Mapping[str, Ball]:
        return {"whitening": Ball(norm="linf")}

    @property
    @override
    def step_rule(self) -> StepRule:
        return "sign"

    @override
    def start(
        self, x: Tensor, scene: EdgeMap, radius: Tensor, keys: Sequence[ExampleKey]
    ) -> TextureLatents:
        """U(0, ε) per pixel."""
        shape = (1, x.shape[-2], x.shape[-1])
        start = uniform_start(keys, shape, radius, x)
        return TextureLatents(whitening=start)

    @override
    def paint(self, x: Tensor, latents: TextureLatents, scene: EdgeMap) -> Tensor:
        whitened = x + latents.whitening.abs() * (1 - x)
        return torch.where(scene.edges, 0.0, whitened).clamp(0, 1)
