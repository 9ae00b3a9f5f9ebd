"""Auto-PGD: momentum, and steps that halve themselves (Croce & Hein 2020, algorithm 1).

In the space of an attack's latents, whose balls take the place of the balls around a picture.
"""

__all__ = ["AutoStep", "AutoStepState", "halving_places"]

from dataclasses import dataclass, replace
from functools import lru_cache
from typing import ClassVar

import torch
from torch import Tensor
from typing_extensions import override

from unforeseen.batched import Batched
from unforeseen.constraints import StepRule, shaped_like, step
from unforeseen.search.movement import Movement, Point
from unforeseen.transforms.base import AnyAttack, Latents

#: η at the start, in radii: the ball's diameter.
FIRST_STEP = 2.0
#: α: how much of an update is step, the rest being momentum.
SHARE_OF_STEP = 0.75
#: ρ: what share of the updates between two halving places must raise the loss for η to stay.
RISING = 0.75


@dataclass(frozen=True, kw_only=True)
class AutoStepState(Batched):
    """What is remembered of each example; latents flat, one after the other, (B, D).

    ``previous``: the point before; ``best``, ``best_gradient``, ``best_loss``: the point of the
    largest loss, its gradient, its loss (B,). ``last_loss``: of the point before, (B,).
    ``size``: η, (B,). ``rises``: updates since the last halving place that raised the loss, (B,).
    ``best_before``: the largest loss at the last halving place, (B,). ``halved``: whether η was
    halved there, (B,).
    """

    previous: Tensor
    best: Tensor
    best_gradient: Tensor
    best_loss: Tensor
    last_loss: Tensor
    size: Tensor
    rises: Tensor
    best_before: Tensor
    halved: Tensor


@dataclass(frozen=True, kw_only=True)
class AutoStep(Movement[AutoStepState]):
    """Auto-PGD; there is nothing to set. Directions follow each latent's ball, not the step rule."""

    name: ClassVar[str] = "apgd"
    looks_ahead: ClassVar[bool] = True

    @override
    def begin(self, latents: Latents, radius: Tensor) -> AutoStepState:
        flat = _flat(latents.tensors())
        nothing = torch.full_like(radius, -torch.inf)
        return AutoStepState(
            previous=flat,
            best=flat,
            best_gradient=torch.zeros_like(flat),
            best_loss=nothing,
            last_loss=nothing,
            size=FIRST_STEP * radius,
            rises=torch.zeros_like(radius, dtype=torch.int64),
            best_before=nothing,
            halved=torch.zeros_like(radius, dtype=torch.bool),
        )

    @override
    def move(
        self, attack: AnyAttack, point: Point, state: AutoStepState, *, steps: int
    ) -> tuple[Latents, AutoStepState]:
        here, gradient = _flat(point.latents.tensors()), _flat(point.gradients)
        updates = torch.tensor(point.updates, device=here.device)
        state = _seen(state, here, gradient, point.loss, first=updates == 0)
        state, back = _checked(state, updates, steps)
        here = torch.where(back[:, None], state.best, here)
        gradient = torch.where(back[:, None], state.best_gradient, gradient)

        latents = _unflat(here, point.latents)
        ahead = attack.project(
            _stepped(attack, latents, _unflat(gradient, point.latents), state.size), point.radius
        )
        moved = SHARE_OF_STEP * (_flat(ahead.tensors()) - here)
        moved = here + moved + (1 - SHARE_OF_STEP) * (here - state.previous)
        # The first update has no momentum.
        moved = torch.where((updates == 0)[:, None], _flat(ahead.tensors()), moved)
        following = attack.project(_unflat(moved, point.latents), point.radius)
        return following, replace(state, previous=here)


@lru_cache(maxsize=64)
def halving_places(steps: int) -> tuple[int, ...]:
    """After how many updates η may be halved, in rising order: the paper's checkpoints.

    These are ⌈p_j·steps⌉ with p_0 = 0, p_1 = 0.22, p_{j+1} = p_j + max(p_j − p_{j−1} − 0.03, 0.06).
    """
    shares = [0.0, 0.22]
    while shares[-1] < 1:
        shares.append(shares[-1] + max(shares[-1] - shares[-2] - 0.03, 0.06))
    # Rounded first: 0.22 · 50 is 11.000000000000002 in floating point.
    places = {-int(-round(share * steps, 9) // 1) for share in shares if share <= 1}
    return tuple(sorted(places - {0}))


def _seen(
    state: AutoStepState, here: Tensor, gradient: Tensor, loss: Tensor, *, first: Tensor
) -> AutoStepState:
    """Takes the loss of the present point into account."""
    loss = loss.to(state.best_loss)
    better = loss > state.best_loss
    return replace(
        state,
        best=torch.where(better[:, None], here, state.best),
        best_gradient=torch.where(better[:, None], gradient, state.best_gradient),
        best_loss=torch.where(better, loss, state.best_loss),
        rises=state.rises + ((loss > state.last_loss) & ~first),
        last_loss=loss,
        best_before=torch.where(first, loss, state.best_before),
    )


def _checked(state: AutoStepState, updates: Tensor, steps: int) -> tuple[AutoStepState, Tensor]:
    """Halves η at places where too little progress was made; says who goes back to the best point."""
    places = halving_places(steps)
    at = torch.tensor(places, device=updates.device)
    since = torch.tensor(
        [place - before for before, place in zip((0, *places), places, strict=False)],
        device=updates.device,
    )
    hit = updates[:, None] == at
    due, length = hit.any(dim=1), (hit * since).sum(dim=1)
    few = state.rises < RISING * length
    stuck = ~state.halved & (state.best_loss <= state.best_before)
    back = due & (few | stuck)
    return (
        replace(
            state,
            size=torch.where(back, state.size / 2, state.size),
            halved=torch.where(due, back, state.halved),
            rises=torch.where(due, 0, state.rises),
            best_before=torch.where(due, state.best_loss, state.best_before),
        ),
        back,
    )


def _stepped(attack: AnyAttack, latents: Latents, gradients: Latents, size: Tensor) -> Latents:
    slopes = gradients.tensors()
    moved = {}
    for name, value in latents.tensors().items():
        rule: StepRule = "sign" if attack.balls[name].norm == "linf" else "l2"
        unit = step(torch.zeros_like(value), slopes[name], size=1.0, rule=rule, gradient_batch=None)
        moved[name] = value + shaped_like(size, value) * unit
    return latents.replace(moved)


def _flat(tensors: dict[str, Tensor]) -> Tensor:
    return torch.cat([value.flatten(1) for value in tensors.values()], dim=1)


def _unflat(flat: Tensor, like: Latents) -> Latents:
    tensors = like.tensors()
    sizes = [value[0].numel() for value in tensors.values()]
    parts = torch.split(flat, sizes, dim=1)
    return like.replace(
        {
            name: part.reshape(value.shape)
            for (name, value), part in zip(tensors.items(), parts, strict=True)
        }
    )
