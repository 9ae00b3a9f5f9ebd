"""Snowfall whose flakes are optimised one by one (paper, section 4.2)."""

__all__ = ["Snow", "SnowLatents", "SnowScene"]

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import ClassVar

import kornia
import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor
from typing_extensions import override

from unforeseen.constraints import Ball, StepRule
from unforeseen.ops.convolution import convolve_and_sum
from unforeseen.rng import ExampleKey, Stream
from unforeseen.transforms.base import Attack, Latents, Scene, stack, stack_named
from unforeseen.transforms.parameters import parameter

#: Thickness of a streak and its probability.
THICKNESS = ((1.0, 0.6), (3.0, 0.3), (5.0, 0.1))
#: The overcast: how much of the picture stays, and how its bright version is made.
KEPT = 0.85
BRIGHTNESS = (1.5, 0.5)
LUMA = (0.2126, 0.7152, 0.0722)
#: Widths in pixels of the Gaussian that softens a streak.
BLUR_SIGMA = (10.0, 15.0)


@dataclass(frozen=True, kw_only=True)
class SnowScene(Scene):
    """Where flakes are and what streak each layer's flakes leave.

    ``place``: index into (layers · H · W), (B, K); ``present``: 1, or 0 where a picture has fewer
    than K flakes, (B, K). ``streak``: one kernel per layer, (B, layers, k, k).
    """

    place: Tensor
    present: Tensor
    streak: Tensor


@dataclass(frozen=True, kw_only=True)
class SnowLatents(Latents):
    """``intensity``: fourth root of each flake's brightness, (B, K)."""

    intensity: Tensor


@dataclass(frozen=True, kw_only=True)
class Snow(Attack[SnowScene, SnowLatents]):
    """Overcast x, plus Σ over layers of flakes⁴ ∗ streak.

    Only the flakes are stored and optimised, about layers · H · W / grid² of them.

    Attributes:
        layers: Number of layers, each with its own streak.
        kernel_size: k, the side of a streak's kernel in pixels; odd.
        grid: Flakes are kept with probability 1/grid².
        blur_size: Side of the Gaussian that softens the streaks, in pixels; odd, 1 for none.
    """

    name: ClassVar[str] = "snow"
    version: ClassVar[int] = 2
    summary: ClassVar[str] = "slanting streaks of snow under a whitened sky"
    formula: ClassVar[str] = (
        "y = 0.85 x + 0.15 max(x, 1.5 luma(x) + 0.5); x_adv = clamp(y + Σ_layers δ⁴ ∗ streak, 0, 1) "
        "with δ nonzero on a sparse random mask; ‖δ‖₂ ≤ ε."
    )
    source: ClassVar[str] = "Testing Robustness, section 4.2"

    layers: int = parameter(5, "number of layers, each with its own streak", minimum=1)
    kernel_size: int = parameter(15, "side of a streak's kernel in pixels", minimum=3, odd=True)
    grid: int = parameter(15, "one cell in grid² holds a flake", minimum=1)
    blur_size: int = parameter(
        3, "side of the Gaussian that softens a streak, in pixels", minimum=1, odd=True
    )

    @property
    @override
    def balls(self) -> Mapping[str, Ball]:
        return {"intensity": Ball(norm="l2")}

    @property
    @override
    def step_rule(self) -> StepRule:
        return "sign"

    @override
    def draw_scene(self, x: Tensor, keys: Sequence[ExampleKey]) -> SnowScene:
        cells = self._cells(x)
        drawn = stack_named(keys, lambda stream: self._draw(stream, cells), x, purpose="scene")
        sigma = drawn.pop("sigma").reshape(-1, 1).expand(-1, 2)
        sharp = drawn.pop("streak")
        streak = kornia.filters.gaussian_blur2d(
            sharp.reshape(-1, 1, *sharp.shape[-2:]),
            (self.blur_size, self.blur_size),
            sigma,
            border_type="reflect",
        )
        return SnowScene(streak=streak.reshape(sharp.shape), **drawn)

    @override
    def start(
        self, x: Tensor, scene: SnowScene, radius: Tensor, keys: Sequence[ExampleKey]
    ) -> SnowLatents:
        """exp(−u/5), u ~ U(0, 1), for every cell; projected with all of them, then masked."""
        cells = self._cells(x)
        everywhere = stack(
            keys, lambda stream: np.exp(-stream.uniform(0, 1, (cells,)) / 5, dtype=np.float32), x
        )
        projected = self.balls["intensity"].project(everywhere, radius)
        return SnowLatents(intensity=projected.gather(1, scene.place) * scene.present)

    @override
    def paint(self, x: Tensor, latents: SnowLatents, scene: SnowScene) -> Tensor:
        flakes = x.new_zeros(len(x), self._cells(x)).scatter_add(
            1, scene.place, latents.intensity**4 * scene.present
        )
        layers = flakes.reshape(len(x), self.layers, *x.shape[-2:])
        snow = convolve_and_sum(layers, scene.streak)
        luma = torch.einsum("c,bchw->bhw", x.new_tensor(LUMA), x)[:, None]
        bright = torch.maximum(x, BRIGHTNESS[0] * luma + BRIGHTNESS[1])
        return (KEPT * x + (1 - KEPT) * bright + snow).clamp(0, 1)

    def _cells(self, x: Tensor) -> int:
        return self.layers * x.shape[-2] * x.shape[-1]

    def _draw(self, stream: Stream, cells: int) -> dict[str, NDArray[np.generic]]:
        # Room for nine standard deviations above the mean: the same for every picture of a size,
        # so that sums over it don't depend on which other pictures are in the batch.
        mean = cells / self.grid**2
        room = min(cells, math.ceil(mean + 9 * math.sqrt(mean)) + 8)
        flakes = np.flatnonzero(stream.uniform(0, 1, (cells,)) < 1 / self.grid**2)[:room]
        place = np.zeros(room, dtype=np.int64)
        place[: len(flakes)] = flakes
        present = (np.arange(room) < len(flakes)).astype(np.float32)
        streaks = np.stack([self._draw_streak(stream) for _ in range(self.layers)])
        mirrored = stream.uniform(0, 1) < 0.5
        return {
            "place": place,
            "present": present,
            "streak": streaks[..., ::-1].copy() if mirrored else streaks,
            "sigma": stream.uniform(*BLUR_SIGMA, (self.layers,)),
        }

    def _draw_streak(self, stream: Stream) -> NDArray[np.float32]:
        """A line from the centre to a random place down on the right, and its reflection."""
        middle = self.kernel_size // 2
        down, across = stream.integers(1, self.kernel_size - 1 - middle, (2,)).tolist()
        quantiles = np.cumsum([probability for _, probability in THICKNESS])
        chosen = int(np.searchsorted(quantiles[:-1], float(stream.uniform(0, 1)), side="right"))
        long, short = max(down, across), min(down, across)
        slope = short / long
        width = THICKNESS[chosen][0] * math.sqrt(1 + slope) / 2

        along, aside = np.mgrid[: self.kernel_size - middle, : self.kernel_size - middle]
        quadrant = np.clip(1 + width / 2 - np.abs(aside - slope * along), 0, 1) * (along <= long)
        if down < across:
            quadrant = quadrant.T
        kernel = np.zeros((self.kernel_size, self.kernel_size), dtype=np.float32)
        kernel[middle:, middle:] = quadrant
        kernel[: middle + 1, : middle + 1] = kernel[middle:, middle:][::-1, ::-1]
        return kernel
