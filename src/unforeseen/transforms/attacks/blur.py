"""A blur, as strong at each place as the attacker likes (paper, appendix B)."""

__all__ = ["Blur", "BlurLatents"]

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import ClassVar

from torch import Tensor
from typing_extensions import override

from unforeseen.constraints import Ball, StepRule
from unforeseen.ops.smoothing import LARGEST_BLUR, gaussian_blur
from unforeseen.rng import ExampleKey
from unforeseen.transforms.base import Latents, NoScene, SceneFreeAttack, uniform_start
from unforeseen.transforms.parameters import parameter


@dataclass(frozen=True, kw_only=True)
class BlurLatents(Latents):
    """``weight``: how far each pixel is blurred, before it is smoothed, (B, 1, H, W), ≥ 0."""

    weight: Tensor


@dataclass(frozen=True, kw_only=True)
class Blur(SceneFreeAttack[BlurLatents]):
    """x_adv = x + w · (blurred x − x), w = δ smoothed, so that neighbours are blurred alike.

    Both are Gaussian blurs cut off at a square window, mirrored at the borders.

    Attributes:
        blur_size: Side of the window that blurs the picture, in pixels.
        blur_sigma: Width of its Gaussian, in pixels.
        weight_size: Side of the window that smooths δ, in pixels.
        weight_sigma: Width of its Gaussian, in pixels.
    """

    name: ClassVar[str] = "blur"
    summary: ClassVar[str] = "out of focus, more here and less there"
    formula: ClassVar[str] = (
        "x_adv = x + w · (blur(x) − x), w = blur(δ), 0 ≤ δ ≤ ε; both blurs Gaussian, cut off at a "
        "square window and mirrored at the borders."
    )
    source: ClassVar[str] = "Testing Robustness, appendix B"

    blur_size: int = parameter(
        17, "side of the picture's blur in pixels", minimum=1, maximum=LARGEST_BLUR, odd=True
    )
    blur_sigma: float = parameter(25.0, "width of its Gaussian in pixels", minimum=0.1)
    weight_size: int = parameter(
        9, "side of the latents' blur in pixels", minimum=1, maximum=LARGEST_BLUR, odd=True
    )
    weight_sigma: float = parameter(18.0, "width of its Gaussian in pixels", minimum=0.1)

    @property
    @override
    def balls(self) -> Mapping[str, Ball]:
        return {"weight": Ball(norm="linf", low=0.0)}

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
    ) -> BlurLatents:
        """U(0, ε) per pixel."""
        shape = (1, *x.shape[-2:])
        start = uniform_start(keys, shape, radius, x)
        return BlurLatents(weight=start)

    @override
    def paint(self, x: Tensor, latents: BlurLatents, scene: NoScene) -> Tensor:
        blurred = gaussian_blur(x, self.blur_size, self.blur_sigma)
        weight = gaussian_blur(latents.weight, self.weight_size, self.weight_sigma)
        return (x + weight * (blurred - x)).clamp(0, 1)
