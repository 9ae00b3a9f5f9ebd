"""Runs that differ in their numbers of steps only, on one trajectory.

Steps of one length don't depend on how many are to come, so that a search of 10 of them is the
beginning of one of 50. Each run is an ordinary one in a folder of its own, with the rows that it would
have by itself.
"""

__all__ = ["have_one_trajectory", "run_together"]

from collections.abc import Collection, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

from unforeseen.data.dataset import Dataset
from unforeseen.models.classifier import Predictor
from unforeseen.run_folder.summary import Summary
from unforeseen.running.attack_plan import AttackPlan
from unforeseen.running.plan import Plan
from unforeseen.running.reporter import Reporter, Silent
from unforeseen.running.run_settings import RunSettings
from unforeseen.running.session import Session


def have_one_trajectory(plans: Collection[Plan]) -> bool:
    """Whether plans differ in steps only and their searches are each the beginning of the longest.

    Auto-PGD's aren't, nor are those of several starts.
    """
    searching = [plan for plan in plans if isinstance(plan, AttackPlan)]
    alike = [_but_for_steps(plan) for plan in searching]
    return (
        len(searching) == len(plans)
        and all(each == alike[0] for each in alike)
        and all(cell.search.can_stop_at_checkpoints for plan in plans for cell in plan.attacked)
    )


def run_together(
    plans: Mapping[Path, Plan],
    classifier: Predictor,
    dataset: Dataset,
    *,
    settings: RunSettings | None = None,
    reporter: Reporter | None = None,
) -> dict[Path, Summary]:
    """Runs what isn't there yet, for all numbers of steps at once.

    It takes the gradients of the longest run, and clean pictures are looked at once. A picture that
    has its rows in some folders already is searched for as many steps as the others need.

    Args:
        plans: What to run, by the folder that it goes into; :func:`have_one_trajectory` of them. A
            run that is there is continued.
        classifier: On what.
        dataset: With which pictures.
        settings: How.
        reporter: Who watches: one run, that of the most steps.

    Returns:
        The summary of each folder, as :func:`~unforeseen.running.runner.run` gives one.

    Raises:
        RunError: A folder holds another run, or can't be written.
        DataError: The pictures don't fit the benchmark or the model.
        ModelError: The model can't do what the plans ask, or is checked and found near chance.
    """
    assert have_one_trajectory(plans.values()), "expected plans that differ in steps only"
    session = Session(
        plans,
        classifier,
        dataset,
        settings=settings or RunSettings(),
        reporter=reporter or Silent(),
    )
    return session.run()


def _but_for_steps(plan: AttackPlan) -> tuple[AttackPlan, list[dict[str, Any]]]:
    """All else that results depend on: of the run, and of each cell."""
    cells = []
    for cell in plan.cells:
        search = cell.identity.get("search", {})
        cells.append(cell.identity | {"search": search | {"steps": None}})
    return replace(plan, steps=None, cells=()), cells
