"""Lp noise on the pixels: the baseline beside UA2 (Madry et al. 2018; paper, table 2)."""

__all__ = ["Pgd", "PgdLatents"]

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import ClassVar, Literal

from torch import Tensor
from typing_extensions import override

from unforeseen.constraints import Ball, StepRule
from unforeseen.rng import ExampleKey
from unforeseen.transforms.base import Latents, NoScene, SceneFreeAttack, uniform_start
from unforeseen.transforms.parameters import parameter


@dataclass(frozen=True, kw_only=True)
class PgdLatents(Latents):
    """``delta``: added to the picture, (B, 3, H, W)."""

    delta: Tensor


@dataclass(frozen=True, kw_only=True)
class Pgd(SceneFreeAttack[PgdLatents]):
    """x_adv = clamp(x + δ, 0, 1), ‖δ‖_p ≤ ε.

    Attributes:
        norm: p: ``linf`` (steps by sign) or ``l2`` (steps along the normalised gradient).
    """

    name: ClassVar[str] = "pgd"
    summary: ClassVar[str] = "faint noise on every pixel; the Lp baseline that UA2 is compared with"
    formula: ClassVar[str] = (
        "x_adv = clamp(x + δ, 0, 1). Edition published takes gradients at x + δ before clamping."
    )
    source: ClassVar[str] = "Madry et al. 2018; Testing Robustness, tables 2, 8 and 9"

    norm: Literal["linf", "l2"] = parameter(
        "linf", "p of the ball: linf steps by sign, l2 along the gradient"
    )

    @property
    @override
    def balls(self) -> Mapping[str, Ball]:
        return {"delta": Ball(norm=self.norm)}

    @property
    @override
    def step_rule(self) -> StepRule:
        return "sign" if self.norm == "linf" else "l2"

    @override
    def start(
        self,
        x: Tensor,
        scene: NoScene,
        radius: Tensor,
        keys: Sequence[ExampleKey],
    ) -> PgdLatents:
        """U(−ε, ε) per entry."""
        start = uniform_start(keys, tuple(x.shape[1:]), radius, x, low=-1)
        return PgdLatents(delta=start)

    @override
    def paint(self, x: Tensor, latents: PgdLatents, scene: NoScene) -> Tensor:
        noisy = x + latents.delta
        return noisy if self.geometry == "published" else noisy.clamp(0, 1)

    @override
    def finish(self, picture: Tensor) -> Tensor:
        """Edition published clamps only the judged picture."""
        return picture.clamp(0, 1)
