"""Another picture shining through, more here and less there (paper, appendix B)."""

__all__ = ["Mix", "MixLatents"]

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import ClassVar

import torch.nn.functional as F
from torch import Tensor
from typing_extensions import override

from unforeseen.constraints import Ball, StepRule
from unforeseen.ops.smoothing import LARGEST_BLUR, gaussian_blur
from unforeseen.rng import ExampleKey
from unforeseen.transforms.base import DonorAttack, DonorScene, Latents, stack
from unforeseen.transforms.parameters import parameter

#: Keeps the direction of a start finite, should every draw be 0.
LENGTH_GUARD = 1e-12


@dataclass(frozen=True, kw_only=True)
class MixLatents(Latents):
    """``weight``: of the donor at each pixel before blurring, (B, 1, H, W); the sign is ignored."""

    weight: Tensor


@dataclass(frozen=True, kw_only=True)
class Mix(DonorAttack[MixLatents]):
    """x_adv = clamp(x + w·(donor − x), 0, 1), w = |δ| blurred, ‖δ‖₂ ≤ ε.

    The donor is a picture of another class. Nothing keeps w below 1.

    Attributes:
        blur_size: Side of the window of the Gaussian that smooths |δ|, in pixels.
        blur_sigma: Its width, in pixels.
    """

    name: ClassVar[str] = "mix"
    summary: ClassVar[str] = "a picture of another class shines through in soft patches"
    formula: ClassVar[str] = (
        "x_adv = clamp(x + w·(donor − x), 0, 1), w = |δ| ∗ Gaussian (11 × 11, σ = 5 pixels, mirrored "
        "at the edges), the donor of another class; ‖δ‖₂ ≤ ε."
    )
    source: ClassVar[str] = "Testing Robustness, appendix B"

    blur_size: int = parameter(
        11, "side of the weights' blur in pixels", minimum=1, maximum=LARGEST_BLUR, odd=True
    )
    blur_sigma: float = parameter(5.0, "width of its Gaussian in pixels", minimum=0.1)

    @property
    @override
    def balls(self) -> Mapping[str, Ball]:
        return {"weight": Ball(norm="l2")}

    @property
    @override
    def step_rule(self) -> StepRule:
        return "l2"

    @override
    def start(
        self, x: Tensor, scene: DonorScene, radius: Tensor, keys: Sequence[ExampleKey]
    ) -> MixLatents:
        """ε·v/‖v‖₂, v ~ U(0, 1) per pixel."""
        drawn = stack(keys, lambda stream: stream.uniform(0, 1, (1, *x.shape[-2:])), x)
        direction = F.normalize(drawn.flatten(1), dim=1, eps=LENGTH_GUARD).reshape(drawn.shape)
        return MixLatents(weight=direction * radius.reshape(-1, 1, 1, 1))

    @override
    def paint(self, x: Tensor, latents: MixLatents, scene: DonorScene) -> Tensor:
        weight = gaussian_blur(latents.weight.abs(), self.blur_size, self.blur_sigma)
        return (x + weight * (scene.donor - x)).clamp(0, 1)
