"""A sliding puzzle: the picture's blocks show what lies beside them (paper, appendix B)."""

__all__ = ["Klotski", "KlotskiLatents"]

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import ClassVar

from torch import Tensor
from typing_extensions import override

from unforeseen.constraints import Ball, StepRule
from unforeseen.ops.blocks import block_count, spread
from unforeseen.ops.sampling import displace
from unforeseen.rng import ExampleKey
from unforeseen.transforms.base import Latents, NoScene, SceneFreeAttack, uniform_start
from unforeseen.transforms.parameters import parameter


@dataclass(frozen=True, kw_only=True)
class KlotskiLatents(Latents):
    """``shift``: where each block samples from, (B, rows, columns, 2), picture's side = 2.

    Horizontal first.
    """

    shift: Tensor


@dataclass(frozen=True, kw_only=True)
class Klotski(SceneFreeAttack[KlotskiLatents]):
    """x_adv(p) = x(p + δ of the block of p).

    Attributes:
        blocks: n, blocks along each side. Where it doesn't divide a side, blocks are ⌈side/n⌉
            pixels long and the last is narrower (or some fall away).
    """

    name: ClassVar[str] = "klotski"
    summary: ClassVar[str] = "a sliding puzzle whose square blocks have slipped a little"
    formula: ClassVar[str] = (
        "x_adv(p) = x(p + δ[block of p]), n × n blocks, bilinear, black outside; ‖δ‖_∞ ≤ ε."
    )
    source: ClassVar[str] = "Testing Robustness, appendix B"

    blocks: int = parameter(8, "blocks along each side", minimum=1)

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
    ) -> KlotskiLatents:
        """U(0, ε): all from the lower right."""
        rows, columns = (
            block_count(length, block)
            for length, block in zip(x.shape[-2:], self._block(x), strict=True)
        )
        start = uniform_start(keys, (rows, columns, 2), radius, x)
        return KlotskiLatents(shift=start)

    @override
    def paint(self, x: Tensor, latents: KlotskiLatents, scene: NoScene) -> Tensor:
        shift = latents.shift.permute(0, 3, 1, 2)
        return displace(
            x,
            spread(shift, self._block(x), (x.shape[-2], x.shape[-1])).permute(0, 2, 3, 1),
            convention="left_edge" if self.geometry == "published" else "centred",
            padding="zeros",
        ).clamp(0, 1)

    def _block(self, x: Tensor) -> tuple[int, int]:
        """Height and width of a block in pixels."""
        return block_count(x.shape[-2], self.blocks), block_count(x.shape[-1], self.blocks)
