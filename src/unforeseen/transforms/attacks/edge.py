"""Noise on the edges of things only (paper, appendix B)."""

__all__ = ["Edge", "EdgeLatents"]

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import ClassVar

import torch
from torch import Tensor
from typing_extensions import override

from unforeseen.constraints import Ball, StepRule
from unforeseen.rng import ExampleKey
from unforeseen.transforms.base import Latents, stack, uniform_start
from unforeseen.transforms.edge_map import EdgeMap, EdgeMapAttack

#: What edges are before noise is added. The paper's text doesn't mention it, its figures have it.
GREY = 0.5


@dataclass(frozen=True, kw_only=True)
class EdgeLatents(Latents):
    """``delta``: added to the grey of edge pixels, (B, 3, H, W); elsewhere it does nothing."""

    delta: Tensor


@dataclass(frozen=True, kw_only=True)
class Edge(EdgeMapAttack[EdgeLatents]):
    """x_adv = clamp(0.5 + δ, 0, 1) on the picture's edges, x elsewhere, ‖δ‖_∞ ≤ ε.

    Edges are Canny's; edition published finds them in the way that the paper's figures were made
    with, see :func:`unforeseen.ops.canny.canny_edges`. It also starts outside the ball.
    """

    name: ClassVar[str] = "edge"
    summary: ClassVar[str] = "edges drawn in grey, coloured by noise"
    formula: ClassVar[str] = (
        "x_adv = clamp(0.5 + δ, 0, 1) on edges (Canny's), x elsewhere, ‖δ‖_∞ ≤ ε. Edition "
        "published starts at δ ~ U(0, 1), outside the ball."
    )
    source: ClassVar[str] = "Testing Robustness, appendix B; Canny 1986"

    @property
    @override
    def balls(self) -> Mapping[str, Ball]:
        return {"delta": Ball(norm="linf")}

    @property
    @override
    def step_rule(self) -> StepRule:
        return "sign"

    @property
    @override
    def start_is_projected(self) -> bool:
        return self.geometry != "published"

    @override
    def start(
        self, x: Tensor, scene: EdgeMap, radius: Tensor, keys: Sequence[ExampleKey]
    ) -> EdgeLatents:
        """U(−ε, ε) per entry; edition published U(0, 1), whatever ε."""
        shape = tuple(x.shape[1:])
        if self.geometry == "published":
            return EdgeLatents(delta=stack(keys, lambda stream: stream.uniform(0, 1, shape), x))
        start = uniform_start(keys, shape, radius, x, low=-1)
        return EdgeLatents(delta=start)

    @override
    def paint(self, x: Tensor, latents: EdgeLatents, scene: EdgeMap) -> Tensor:
        return torch.where(scene.edges, (GREY + latents.delta).clamp(0, 1), x)
