"""Coloured dots whose sizes are optimised (paper, appendix B)."""

__all__ = ["Polkadot", "PolkadotLatents", "PolkadotScene"]

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import ClassVar

import torch
from torch import Tensor
from typing_extensions import override

from unforeseen.constraints import Ball, StepRule
from unforeseen.ops.sampling import axis
from unforeseen.rng import ExampleKey
from unforeseen.transforms.base import Attack, Latents, Scene, stack, stack_named
from unforeseen.transforms.parameters import parameter


@dataclass(frozen=True, kw_only=True)
class PolkadotScene(Scene):
    """``centre``: in [0, 1]², (B, N, 2), horizontal first. ``colour``: RGB, (B, N, 3)."""

    centre: Tensor
    colour: Tensor


@dataclass(frozen=True, kw_only=True)
class PolkadotLatents(Latents):
    """``size``: of each dot, (B, N), nonnegative; below ``threshold`` there is hardly a dot."""

    size: Tensor


@dataclass(frozen=True, kw_only=True)
class Polkadot(Attack[PolkadotScene, PolkadotLatents]):
    """Softmax over the picture and N dots, each the likelier the nearer its centre.

    Pixels lie at i/W, j/H. The picture's logit is sharpness · threshold, a dot's is
    sharpness · δ · (1 − distance)⁵, negative far out: so the dot covers where δ · (1 − distance)⁵ exceeds the
    threshold, with a soft rim. Projected latents become their absolute value. Edition published
    doesn't project the start.

    Attributes:
        dots: N.
        sharpness: Of the rims.
        threshold: The size at which the centre of a dot is half covered.
    """

    name: ClassVar[str] = "polkadot"
    version: ClassVar[int] = 2
    summary: ClassVar[str] = "soft round dots in random colours, and a thin veil of all of them"
    formula: ClassVar[str] = (
        "x_adv = weighted sum of x and N colours; weights = softmax(5·0.5 for x, "
        "5·δ·(1 − distance)⁵ for a dot); ‖δ‖₂ ≤ ε, δ ≥ 0."
    )
    source: ClassVar[str] = "Testing Robustness, appendix B"

    dots: int = parameter(20, "number of dots", minimum=1)
    sharpness: float = parameter(5.0, "sharpness of the dots' rims", minimum=0)
    threshold: float = parameter(
        0.5, "size at which the centre of a dot is half covered", minimum=0
    )

    @property
    @override
    def balls(self) -> Mapping[str, Ball]:
        return {"size": Ball(norm="l2", folded=True)}

    @property
    @override
    def step_rule(self) -> StepRule:
        return "l2"

    @property
    @override
    def start_is_projected(self) -> bool:
        """Edition published searches from where it was drawn."""
        return self.geometry != "published"

    @override
    def draw_scene(self, x: Tensor, keys: Sequence[ExampleKey]) -> PolkadotScene:
        return PolkadotScene(
            **stack_named(
                keys,
                lambda stream: {
                    "centre": stream.uniform(0, 1, (self.dots, 2)),
                    "colour": stream.uniform(0, 1, (self.dots, 3)),
                },
                x,
                purpose="scene",
            )
        )

    @override
    def start(
        self, x: Tensor, scene: PolkadotScene, radius: Tensor, keys: Sequence[ExampleKey]
    ) -> PolkadotLatents:
        """U(0, 1) per dot, whatever the radius."""
        return PolkadotLatents(
            size=stack(keys, lambda stream: stream.uniform(0, 1, (self.dots,)), x)
        )

    @override
    def paint(self, x: Tensor, latents: PolkadotLatents, scene: PolkadotScene) -> Tensor:
        # From −1 … 1 to 0 … 1: pixel i of n lies at i/n in both geometries.
        rows, columns = ((axis(length, "left_edge", x) + 1) / 2 for length in x.shape[-2:])
        across, down = (each[..., None, None] for each in scene.centre.unbind(dim=-1))
        nearness = ((columns - across).square() + (rows[:, None] - down).square()).sqrt_()
        nearness.neg_().add_(1)
        # In place where nobody needs the operands: N planes per picture are a lot of fresh memory.
        fifth_power = nearness.square().square_().mul_(nearness)
        logits = (self.sharpness * latents.size)[..., None, None] * fifth_power
        of_picture = self.sharpness * self.threshold
        # A softmax whose sums come from one product of matrices: over dots, and over dots' colours.
        peak = logits.detach().amax(dim=1, keepdim=True).clamp(min=of_picture)
        dots = logits.sub_(peak).exp_()
        counted = torch.cat([scene.colour, torch.ones_like(scene.colour[..., :1])], dim=-1)
        sums = torch.einsum("bnhw,bnc->bchw", dots, counted)
        picture = torch.exp(of_picture - peak)
        return ((picture * x + sums[:, :3]) / (picture + sums[:, 3:])).clamp(0, 1)
