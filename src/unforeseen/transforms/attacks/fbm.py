"""Cloudy noise in several octaves, its slopes optimised (paper, appendix B; Perlin 2002)."""

__all__ = ["Fbm", "FbmLatents"]

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import ClassVar

from torch import Tensor
from typing_extensions import override

from unforeseen.constraints import Ball, StepRule
from unforeseen.ops.perlin import perlin_noise
from unforeseen.ops.power_of_two import next_power_of_two
from unforeseen.rng import ExampleKey
from unforeseen.transforms.base import Latents, NoScene, SceneFreeAttack, uniform_start
from unforeseen.transforms.parameters import parameter

#: Cells along each side of the coarsest octave's lattice; the finest octave's are 2 pixels wide.
COARSEST = 8


@dataclass(frozen=True, kw_only=True)
class FbmLatents(Latents):
    """``vectors``: slopes at the lattices' points, horizontal first, (B, points, 2).

    Octave by octave, the coarsest first, and row by row: octave o has (8 · 2^o + 1)² points.
    """

    vectors: Tensor


@dataclass(frozen=True, kw_only=True)
class Fbm(SceneFreeAttack[FbmLatents]):
    """x_adv = clamp(x + √2 · Σ_o persistence^o · Perlin noise of octave o, 0, 1).

    Fractional Brownian motion, the same for all three channels. The noise covers the next power
    of two, N, of the picture's longer side, and the picture its middle. There are log₂(N) − 3
    octaves. In edition published the picture that is judged was made before the last update.

    Attributes:
        persistence: How strong an octave is, the one before it being 1.
    """

    name: ClassVar[str] = "fbm"
    summary: ClassVar[str] = "a weave of soft grey patches, coarse and fine at once"
    formula: ClassVar[str] = (
        "x_adv = clamp(x + √2 · Σ_o persistence^o · perlin(δ_o), 0, 1); octave o has gradient "
        "vectors δ_o, not normalised, on (8 · 2^o + 1)² points."
    )
    source: ClassVar[str] = "Testing Robustness, appendix B; Perlin 2002"

    persistence: float = parameter(
        0.5, "how strong an octave is, the one before it being 1", minimum=0, maximum=1
    )

    @property
    @override
    def balls(self) -> Mapping[str, Ball]:
        return {"vectors": Ball(norm="linf")}

    @property
    @override
    def step_rule(self) -> StepRule:
        return "sign"

    @property
    @override
    def unseen_updates(self) -> int:
        return 1 if self.geometry == "published" else 0

    @override
    def start(
        self,
        x: Tensor,
        scene: NoScene,
        radius: Tensor,
        keys: Sequence[ExampleKey],
    ) -> FbmLatents:
        """U(0, ε) per component."""
        points = sum((cells + 1) ** 2 for cells in _octaves(_side(x)))
        start = uniform_start(keys, (points, 2), radius, x)
        return FbmLatents(vectors=start)

    @override
    def paint(self, x: Tensor, latents: FbmLatents, scene: NoScene) -> Tensor:
        side = _side(x)
        noise = x.new_zeros(len(x), side, side)
        done, strength = 0, math.sqrt(2)
        for cells in _octaves(side):
            points = (cells + 1) ** 2
            vectors = latents.vectors[:, done : done + points]
            lattice = vectors.reshape(-1, cells + 1, cells + 1, 2)
            noise = noise + strength * perlin_noise(lattice, side)
            done, strength = done + points, strength * self.persistence
        height, width = x.shape[-2:]
        top, left = (side - height) // 2, (side - width) // 2
        return (x + noise[:, None, top : top + height, left : left + width]).clamp(0, 1)


def _side(x: Tensor) -> int:
    """N, of the noise."""
    return next_power_of_two(max(x.shape[-2:]))


def _octaves(side: int) -> list[int]:
    """Cells along each side of every octave's lattice, the coarsest first."""
    count = max(1, side.bit_length() - COARSEST.bit_length())
    return [COARSEST * 2**octave for octave in range(count)]
