"""What goes into a search and what comes out of it, one example at a time."""

__all__ = ["Example", "Outcome"]

from dataclasses import dataclass
from typing import Self

from torch import Tensor


@dataclass(frozen=True, kw_only=True)
class Example:
    """One picture to attack.

    Attributes:
        id: What its random draws are keyed by.
        image: (3, H, W), floating point in [0, 1]; all examples of a search have one size.
        label: True class.
        radius: ε, in the unit of the attack's latents.
        donor: Another picture of the same size, for attacks that need one.
    """

    id: str
    image: Tensor
    label: int
    radius: float
    donor: Tensor | None = None


@dataclass(frozen=True, kw_only=True)
class Outcome:
    """What came of one example; the fields that aren't listed are those of a row.

    Attributes:
        id: The example's.
        search_steps: The ``steps`` of the search that it is an outcome of; 0 where it was left alone.
        picture: The judged picture, (3, H, W).
        logits: The classifier's answer to it, (classes,), on the CPU.
        finite: Whether those are finite.
    """

    id: str
    search_steps: int
    picture: Tensor
    logits: Tensor
    loss: float
    finite: bool
    correct: bool
    correct_any: bool
    correct_8bit: bool
    steps: int
    first_success_step: int | None
    gradient_evaluations: int
    norm: float
    zero_gradient_share: float | None
    nonfinite_gradients: int
    restart: int
    seconds: float

    @classmethod
    def unattacked(cls, name: str, picture: Tensor, logits: Tensor, *, loss: float) -> Self:
        """Of an example that is wrong as it is and therefore left alone.

        Args:
            name: The example's id.
            picture: As it is, (3, H, W).
            logits: The classifier's answer to it, (classes,), on the CPU.
            loss: Cross-entropy of that in nats.
        """
        return cls(
            id=name,
            search_steps=0,
            picture=picture,
            logits=logits,
            loss=loss,
            finite=bool(logits.isfinite().all()),
            correct=False,
            correct_any=False,
            correct_8bit=False,
            steps=0,
            first_success_step=None,
            gradient_evaluations=0,
            norm=0.0,
            zero_gradient_share=None,
            nonfinite_gradients=0,
            restart=0,
            seconds=0.0,
        )
