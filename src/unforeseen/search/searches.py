"""From what was asked for to the search that does it."""

__all__ = ["make_search"]

from unforeseen.judging import Judging
from unforeseen.search.auto_step import AutoStep
from unforeseen.search.fixed_step import FixedStep
from unforeseen.search.fresh_draws import FreshDraws
from unforeseen.search.search import Search
from unforeseen.search.settings import SearchSettings


def make_search(
    settings: SearchSettings,
    *,
    steps: int,
    step_size: float,
    judging: Judging,
    gradient_batch: int | None,
    seed: int,
    eot: int,
) -> Search:
    """Builds a search.

    Args:
        settings: Which one.
        steps: Updates per start, of those that take steps.
        step_size: Their length, of those that don't choose it.
        judging: Of the edition; a search that keeps the worst of what it visits goes by its own.
        gradient_batch: Of the edition.
        seed: Seed of every draw.
        eot: Forward passes per evaluation.
    """
    movement: AutoStep | FreshDraws | FixedStep
    if settings.name in ("apgd", "autoattack-lite"):
        movement = AutoStep()
    elif settings.name == "random":
        movement = FreshDraws()
    else:
        movement = FixedStep(step_size=step_size, gradient_batch=gradient_batch)
    return Search(
        steps=settings.updates(steps),
        movement=movement,
        judging="any" if settings.visits else judging,
        restarts=settings.restarts,
        seed=seed,
        loss=settings.loss,
        eot=eot,
    )
