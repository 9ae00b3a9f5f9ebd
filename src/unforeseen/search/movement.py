"""How a search goes from one point of the ball to the next."""

__all__ = ["NOTHING", "Movement", "NoState", "Point"]

import abc
from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar, Generic, NamedTuple, TypeVar

from torch import Tensor

from unforeseen.batched import Batched
from unforeseen.rng import ExampleKey
from unforeseen.transforms.base import AnyAttack, Latents


class Point(NamedTuple):
    """Where each example of a batch is, and what was found there.

    Attributes:
        latents: δ, evaluated.
        gradients: Of the objective, by the latents' names, finite, each (B, …); empty where a
            movement needs none.
        loss: What is climbed, (B,).
        radius: ε, (B,).
        updates: Updates since the present start, B of them.
        keys: What each example's draws depend on, B of them.
    """

    latents: Latents
    gradients: dict[str, Tensor]
    loss: Tensor
    radius: Tensor
    updates: Sequence[int]
    keys: Sequence[ExampleKey]


@dataclass(frozen=True, kw_only=True)
class NoState(Batched):
    """For movements that remember nothing."""


NOTHING = NoState()

StateT = TypeVar("StateT", bound=Batched)


class Movement(abc.ABC, Generic[StateT]):
    """One way of moving. Implementations are frozen dataclasses of settings.

    Attributes:
        name: What the command line and records call a search that moves so.
        version: Raised whenever the same settings lead elsewhere.
        needs_gradient: Whether classifiers must be differentiable.
        looks_ahead: Whether an update depends on how many are to come, so that a shorter search
            isn't the beginning of a longer one.
    """

    name: ClassVar[str]
    version: ClassVar[int] = 1
    needs_gradient: ClassVar[bool] = True
    looks_ahead: ClassVar[bool] = False

    @abc.abstractmethod
    def begin(self, latents: Latents, radius: Tensor) -> StateT:
        """What is remembered of each example at its start.

        Args:
            latents: The first ones.
            radius: ε, (B,).
        """

    @abc.abstractmethod
    def move(
        self, attack: AnyAttack, point: Point, state: StateT, *, steps: int
    ) -> tuple[Latents, StateT]:
        """The next latents, projected, and what is remembered then.

        Args:
            attack: Whose balls and step rule hold.
            point: Where each example is.
            state: What is remembered.
            steps: Updates that a start gets in all.
        """
