"""Steps of an optimiser that are passed over where they would ruin what is optimised."""

__all__ = ["GuardedSteps", "load_adam"]

import math
from collections.abc import Iterable, Mapping
from typing import Any

import torch
from torch import Tensor

from unforeseen.errors import ModelError

#: So many steps passed over in a row are no accident.
_MOST_IN_A_ROW = 10
_WHY = "outputs of a model overflow. Leave it out, or give it pictures that it was made for."


class GuardedSteps:
    """Adam, but for steps whose loss or gradient isn't finite: one NaN would stay in the values for ever.

    Args:
        values: That are optimised.
        learning_rate: Adam's.
        longest_gradient: A gradient that is longer is shortened to this.
    """

    def __init__(
        self,
        values: Iterable[Tensor],
        *,
        learning_rate: float,
        longest_gradient: float = math.inf,
    ) -> None:
        self.skipped = 0
        self._in_a_row = 0
        self._values = list(values)
        self._longest_gradient = longest_gradient
        self._optimizer = torch.optim.Adam(self._values, lr=learning_rate)

    def step(self, loss: Tensor) -> bool:
        """Does one; returns whether it was done, not passed over.

        Raises:
            ModelError: So many were passed over, one after the other, that nothing more is to be expected.
        """
        self._optimizer.zero_grad()
        loss.backward()  # type: ignore[no-untyped-call]  # torch's
        norm = torch.nn.utils.clip_grad_norm_(self._values, self._longest_gradient)
        if loss.isfinite() and norm.isfinite():
            self._optimizer.step()
            self._in_a_row = 0
            return True
        self.skipped += 1
        self._in_a_row += 1
        if self._in_a_row >= _MOST_IN_A_ROW:
            raise ModelError(
                f"expected losses and gradients that are finite, got none in {_MOST_IN_A_ROW} steps in a row: {_WHY}"
            )
        return False

    def refuse_nothing(self, steps: int) -> None:
        """Refuses values that no step changed; raises ModelError."""
        if self.skipped >= steps > 0:
            raise ModelError(
                f"expected losses and gradients that are finite, got none in all {steps:,} steps: {_WHY}"
            )

    def note(self, steps: int) -> str:
        """For users: how many of so many steps were passed over; empty if none was."""
        if not self.skipped:
            return ""
        return f"{self.skipped:,} of {steps:,} steps were passed over: their loss or gradient wasn't finite."

    def state(self) -> dict[str, Any]:
        """What it goes on from: tensors and numbers."""
        return {
            "adam": self._optimizer.state_dict(),
            "skipped": self.skipped,
            "in_a_row": self._in_a_row,
        }

    def go_on_from(self, state: dict[str, Any]) -> None:
        """Takes a state back that was one of these steps'; raises many types for others."""
        load_adam(self._optimizer, state["adam"])
        self.skipped, self._in_a_row = state["skipped"], state["in_a_row"]
        if not all(type(each) is int and each >= 0 for each in (self.skipped, self._in_a_row)):
            raise ValueError("counts that no steps have")


def load_adam(optimizer: torch.optim.Adam, state: Mapping[str, Any]) -> None:
    """Takes moments back. Learning rates and the like stay as the recipe says.

    Args:
        optimizer: As it is at the beginning.
        state: What ``state_dict`` of one like it gave.

    Raises:
        ValueError: The moments are of other parameters.
    """
    own = optimizer.state_dict()
    parameters = dict(
        enumerate(each for group in optimizer.param_groups for each in group["params"])
    )
    for number, moments in state["state"].items():
        shape = parameters[number].shape
        shapes = {name: value.shape for name, value in moments.items()}
        if shapes != {"step": (), "exp_avg": shape, "exp_avg_sq": shape}:
            raise ValueError("moments of other parameters")
        if moments["step"] < 1 or (moments["exp_avg_sq"] < 0).any():
            raise ValueError("moments that no optimiser has")
    optimizer.load_state_dict({**own, "state": state["state"]})
