"""Steps of one length, projected: projected gradient descent (paper, section 4.1, equation 4)."""

__all__ = ["FixedStep"]

from dataclasses import dataclass
from typing import ClassVar

from torch import Tensor
from typing_extensions import override

from unforeseen.constraints import step
from unforeseen.search.movement import NOTHING, Movement, NoState, Point
from unforeseen.transforms.base import AnyAttack, Latents


@dataclass(frozen=True, kw_only=True)
class FixedStep(Movement[NoState]):
    """δ ← P(δ + α·direction of the gradient), the direction as the attack's step rule says.

    Attributes:
        step_size: α, in the unit of the attack's latents.
        gradient_batch: N of the published gradient normalisation, None for the exact one; see
            :func:`unforeseen.constraints.step`.
    """

    name: ClassVar[str] = "pgd"

    step_size: float
    gradient_batch: int | None = None

    @override
    def begin(self, latents: Latents, radius: Tensor) -> NoState:
        return NOTHING

    @override
    def move(
        self, attack: AnyAttack, point: Point, state: NoState, *, steps: int
    ) -> tuple[Latents, NoState]:
        tensors = point.latents.tensors()
        stepped = {
            name: step(
                value,
                point.gradients[name],
                size=self.step_size,
                rule=attack.step_rule,
                gradient_batch=self.gradient_batch,
            )
            for name, value in tensors.items()
        }
        return attack.project(point.latents.replace(stepped), point.radius), NOTHING
