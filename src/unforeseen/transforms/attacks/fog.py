"""Drifts of fog, shaped by the attacker (paper, appendix B; Fournier et al. 1982)."""

__all__ = ["Fog", "FogLatents"]

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import ClassVar

from torch import Tensor
from typing_extensions import override

from unforeseen.constraints import Ball, StepRule
from unforeseen.ops.diamond_square import diamond_square, displacement_count
from unforeseen.ops.power_of_two import next_power_of_two
from unforeseen.rng import ExampleKey
from unforeseen.transforms.base import Latents, NoScene, SceneFreeAttack, uniform_start
from unforeseen.transforms.parameters import parameter

#: The fog's red, green and blue.
COLOUR = (0.485, 0.45, 0.406)


@dataclass(frozen=True, kw_only=True)
class FogLatents(Latents):
    """``displacement``: of each midpoint of the fog's surface, all levels in a row, (B, N² − 1).

    N is the next power of two of the picture's longer side; the order is that of
    :func:`~unforeseen.ops.diamond_square.diamond_square`.
    """

    displacement: Tensor


@dataclass(frozen=True, kw_only=True)
class Fog(SceneFreeAttack[FogLatents]):
    """x_adv = x · (1 − f) + f · colour, f = min(1, |diamond-square surface of δ|).

    The surface is N × N and wraps around; the picture takes its upper left part.

    Attributes:
        decay: What the weight of δ is divided by from one level to the next finer one.
    """

    name: ClassVar[str] = "fog"
    summary: ClassVar[str] = "drifts of pale fog, dense here and thin there"
    formula: ClassVar[str] = (
        "x_adv = x · (1 − f) + f · (0.485, 0.45, 0.406), f = min(1, |surface|); by diamond-square, "
        "each new point of the surface is the mean of its four neighbours + decay^−level · δ."
    )
    source: ClassVar[str] = "Testing Robustness, appendix B; Fournier et al. 1982"

    decay: float = parameter(
        3.0, "what the weight of the latents is divided by from level to level", minimum=1
    )

    @property
    @override
    def balls(self) -> Mapping[str, Ball]:
        return {"displacement": Ball(norm="linf")}

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
    ) -> FogLatents:
        """U(0, ε) per midpoint."""
        count = displacement_count(_side(x))
        start = uniform_start(keys, (count,), radius, x)
        return FogLatents(displacement=start)

    @override
    def paint(self, x: Tensor, latents: FogLatents, scene: NoScene) -> Tensor:
        surface = diamond_square(latents.displacement, _side(x), decay=self.decay)
        fog = surface[:, None, : x.shape[-2], : x.shape[-1]].abs().clamp(max=1)
        colour = x.new_tensor(COLOUR).reshape(3, 1, 1)
        return (x * (1 - fog) + fog * colour).clamp(0, 1)


def _side(x: Tensor) -> int:
    """N, of the surface."""
    return next_power_of_two(max(x.shape[-2:]))
