"""Gabor noise: stripes from a few optimised impulses (paper, section 4.2; Lagae et al. 2009)."""

__all__ = ["Gabor", "GaborLatents", "GaborScene"]

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import ClassVar

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor
from typing_extensions import override

from unforeseen.constraints import Ball, StepRule
from unforeseen.ops.convolution import convolve_same
from unforeseen.rng import ExampleKey, Stream
from unforeseen.transforms.base import Attack, Latents, Scene, stack, stack_named
from unforeseen.transforms.parameters import parameter

#: The envelope's width, added to so that a width of 0 would do no harm.
WIDTH_GUARD = 1e-3


@dataclass(frozen=True, kw_only=True)
class GaborScene(Scene):
    """Where impulses may be, and the stripes they make.

    ``mask``: (B, 3, H, W), 0 or 1. ``angle`` (radians) and ``frequency`` (cycles per kernel), (B,).
    """

    mask: Tensor
    angle: Tensor
    frequency: Tensor


@dataclass(frozen=True, kw_only=True)
class GaborLatents(Latents):
    """``impulses``: heights of the impulses, (B, 3, H, W); only those under the mask count."""

    impulses: Tensor


@dataclass(frozen=True, kw_only=True)
class Gabor(Attack[GaborScene, GaborLatents]):
    """x_adv = clamp(x + (mask · δ) ∗ kernel, 0, 1), per channel.

    The kernel sums Gabor kernels at ``sides`` orientations, the first with weight 1, the others
    with 1/sides. Edition published draws its angle and frequency afresh at every evaluation;
    strict keeps one draw per example, so that the perturbation set is a set.

    Attributes:
        sides: Number of orientations.
        kernel_size: Side of the kernel in pixels.
        sigma: Width of its envelope, kernel's side = 1.
        density: Share of entries that may hold an impulse.
    """

    name: ClassVar[str] = "gabor"
    summary: ClassVar[str] = "a weave of coloured stripes over the picture"
    formula: ClassVar[str] = (
        "x_adv = clamp(x + (mask · δ) ∗ K, 0, 1); K = Σ_s w_s · exp(−r²/2σ²) · cos(2πΛ x_θs), "
        "θs = θ + πs/sides, w_0 = 1, the others 1/sides; θ ~ U(0, π), Λ ~ U(3, k/4)."
    )
    source: ClassVar[str] = "Testing Robustness, section 4.2; Lagae et al. 2009"

    sides: int = parameter(5, "number of orientations of the stripes", minimum=1)
    kernel_size: int = parameter(23, "side of the kernel in pixels", minimum=13, odd=True)
    sigma: float = parameter(3.0, "width of the envelope, kernel's side = 1", minimum=0)
    density: float = parameter(
        0.1, "share of entries (pixels × channels) that may hold an impulse", minimum=0, maximum=1
    )

    @property
    @override
    def balls(self) -> Mapping[str, Ball]:
        return {"impulses": Ball(norm="linf")}

    @property
    @override
    def step_rule(self) -> StepRule:
        return "sign"

    @override
    def draw_scene(self, x: Tensor, keys: Sequence[ExampleKey]) -> GaborScene:
        shape = tuple(x.shape[1:])
        return GaborScene(
            **stack_named(keys, lambda stream: self._draw(stream, shape), x, purpose="scene")
        )

    @override
    def redraw(
        self, scene: GaborScene, keys: Sequence[ExampleKey], updates: Sequence[int]
    ) -> GaborScene:
        """Edition published: another angle and frequency at each evaluation."""
        if self.geometry != "published":
            return scene
        stripes = [
            self._draw_stripes(key.stream("evaluation", step=count))
            for key, count in zip(keys, updates, strict=True)
        ]
        drawn = {
            name: torch.from_numpy(np.stack([one[name] for one in stripes])).to(scene.angle)
            for name in ("angle", "frequency")
        }
        return replace(scene, **drawn)

    @override
    def start(
        self, x: Tensor, scene: GaborScene, radius: Tensor, keys: Sequence[ExampleKey]
    ) -> GaborLatents:
        """Every impulse the same: ε·u, one u ~ U(0, 1) per example."""
        height = stack(keys, lambda stream: stream.uniform(0, 1), x) * radius
        return GaborLatents(impulses=scene.mask * height.reshape(-1, 1, 1, 1))

    @override
    def paint(self, x: Tensor, latents: GaborLatents, scene: GaborScene) -> Tensor:
        kernel = self._kernel(scene.angle, scene.frequency)[:, None]
        return (x + convolve_same(latents.impulses * scene.mask, kernel)).clamp(0, 1)

    def _draw(self, stream: Stream, shape: tuple[int, ...]) -> dict[str, NDArray[np.generic]]:
        stripes = self._draw_stripes(stream)
        mask = stream.uniform(0, 1, shape) < self.density
        return {**stripes, "mask": mask.astype(np.float32)}

    def _draw_stripes(self, stream: Stream) -> dict[str, NDArray[np.generic]]:
        return {
            "angle": stream.uniform(0, math.pi),
            "frequency": stream.uniform(3, self.kernel_size / 4),
        }

    def _kernel(self, angle: Tensor, frequency: Tensor) -> Tensor:
        """(B,), (B,) → (B, k, k)."""
        sides = torch.arange(self.sides, device=angle.device, dtype=angle.dtype)
        weight = torch.where(sides == 0, torch.ones_like(sides), 1 / self.sides)
        angles = (angle[:, None] + math.pi * sides / self.sides)[..., None, None]
        axis = torch.linspace(-0.5, 0.5, self.kernel_size, device=angle.device, dtype=angle.dtype)
        down, across = torch.meshgrid(axis, axis, indexing="ij")
        envelope = torch.exp(-(down**2 + across**2) / (2 * (self.sigma + WIDTH_GUARD) ** 2))
        along = across * torch.cos(angles) + down * torch.sin(angles)
        waves = torch.cos(2 * math.pi * frequency[:, None, None, None] * along)
        return envelope * torch.einsum("s,bsij->bij", weight, waves)
