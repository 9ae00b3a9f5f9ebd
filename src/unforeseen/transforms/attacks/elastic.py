"""A smooth, optimised warp (paper, section 4.2; after Xiao et al. 2018)."""

__all__ = ["Elastic", "ElasticLatents"]

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import ClassVar

import torch.nn.functional as F
from torch import Tensor
from typing_extensions import override

from unforeseen.constraints import Ball, StepRule
from unforeseen.ops.blocks import block_count
from unforeseen.ops.sampling import displace
from unforeseen.rng import ExampleKey
from unforeseen.transforms.base import Latents, NoScene, SceneFreeAttack, stack
from unforeseen.transforms.parameters import parameter


@dataclass(frozen=True, kw_only=True)
class ElasticLatents(Latents):
    """``flow``: where to sample from, (B, 2, ⌈H/s⌉, ⌈W/s⌉), picture's side = 2, horizontal first."""

    flow: Tensor


@dataclass(frozen=True, kw_only=True)
class Elastic(SceneFreeAttack[ElasticLatents]):
    """x_adv(p) = x(p + flow(p)), the flow upsampled bicubically.

    The ball is L2 although steps go by sign, as in the paper's figures.

    Attributes:
        spacing: s, pixels per vector of the flow.
    """

    name: ClassVar[str] = "elastic"
    summary: ClassVar[str] = "the picture as if printed on stretched rubber"
    formula: ClassVar[str] = (
        "x_adv(p) = x(p + bicubically upsampled δ(p)), bilinear, black outside; ‖δ‖₂ ≤ ε."
    )
    source: ClassVar[str] = "Testing Robustness, section 4.2; Xiao et al. 2018"

    spacing: int = parameter(32, "pixels per vector of the flow", minimum=1)

    @property
    @override
    def balls(self) -> Mapping[str, Ball]:
        return {"flow": Ball(norm="l2")}

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
    ) -> ElasticLatents:
        """U(−1, 1) per entry, to be projected."""
        rows, columns = (block_count(length, self.spacing) for length in x.shape[-2:])
        return ElasticLatents(
            flow=stack(keys, lambda stream: stream.uniform(-1, 1, (2, rows, columns)), x)
        )

    @override
    def paint(self, x: Tensor, latents: ElasticLatents, scene: NoScene) -> Tensor:
        flow = F.interpolate(
            latents.flow, (x.shape[-2], x.shape[-1]), mode="bicubic", align_corners=False
        )
        return displace(
            x,
            flow.permute(0, 2, 3, 1),
            convention="corner_to_corner" if self.geometry == "published" else "centred",
            padding="zeros",
        ).clamp(0, 1)
