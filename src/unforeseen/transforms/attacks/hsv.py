"""Smooth noise on hue, saturation and value (paper, appendix B)."""

__all__ = ["Hsv", "HsvLatents"]

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import ClassVar

import kornia
from torch import Tensor
from typing_extensions import override

from unforeseen.constraints import Ball, StepRule
from unforeseen.ops.hue import hsv_to_rgb
from unforeseen.ops.smoothing import LARGEST_BLUR, gaussian_blur
from unforeseen.rng import ExampleKey
from unforeseen.transforms.base import Latents, NoScene, SceneFreeAttack, uniform_start
from unforeseen.transforms.parameters import parameter


@dataclass(frozen=True, kw_only=True)
class HsvLatents(Latents):
    """``shift``: of hue (full circle = 1), saturation and value, before smoothing, (B, 3, H, W)."""

    shift: Tensor


@dataclass(frozen=True, kw_only=True)
class Hsv(SceneFreeAttack[HsvLatents]):
    """x_adv = RGB(clamp(HSV(x) + smoothed δ, 0, 1)), ‖δ‖_∞ ≤ ε.

    Hue is clamped like the other two: at red, where the circle begins and ends, it doesn't go on
    to the other side.

    Attributes:
        blur_size: Side of the window of the Gaussian that smooths δ, in pixels.
        blur_sigma: Its width, in pixels.
    """

    name: ClassVar[str] = "hsv"
    version: ClassVar[int] = 2
    summary: ClassVar[str] = "fine blotches of other hue, saturation and brightness"
    formula: ClassVar[str] = (
        "x_adv = RGB(clamp(HSV(x) + blur(δ), 0, 1)), hue, saturation and value each in [0, 1]; hue "
        "doesn't wrap; the blur is Gaussian, mirrored at the borders."
    )
    source: ClassVar[str] = "Testing Robustness, appendix B"

    blur_size: int = parameter(
        3, "side of the latents' blur in pixels", minimum=1, maximum=LARGEST_BLUR, odd=True
    )
    blur_sigma: float = parameter(3.0, "width of its Gaussian in pixels", minimum=0.1)

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
    ) -> HsvLatents:
        """U(0, ε) per entry."""
        start = uniform_start(keys, tuple(x.shape[1:]), radius, x)
        return HsvLatents(shift=start)

    @override
    def paint(self, x: Tensor, latents: HsvLatents, scene: NoScene) -> Tensor:
        smooth = gaussian_blur(latents.shift, self.blur_size, self.blur_sigma)
        # kornia's hue is an angle in radians.
        unit = x.new_tensor([2 * math.pi, 1.0, 1.0]).reshape(3, 1, 1)
        return hsv_to_rgb((kornia.color.rgb_to_hsv(x) / unit + smooth).clamp(0, 1))
