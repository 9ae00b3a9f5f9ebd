"""Whether the runs of an experiment belong together: they may be anybody's, put into one folder."""

__all__ = ["BegunRun", "expect_one_experiment", "expect_one_model_each", "expect_own_seeds"]

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

from unforeseen.errors import RunError, one_line
from unforeseen.experiment_folder.record import ExperimentName, ExperimentRun
from unforeseen.run_folder.planned import PlannedRun


class BegunRun(NamedTuple):
    """A run of an experiment, and what was to be run.

    Attributes:
        run: Where it lies, and its value.
        planned: By its own record.
    """

    run: ExperimentRun
    planned: PlannedRun


def expect_one_experiment(
    folder: Path | str,
    name: ExperimentName,
    runs: tuple[ExperimentRun, ExperimentRun],
    settings: tuple[Mapping[str, object], Mapping[str, object]],
) -> None:
    """Raises RunError where two runs differ in more than the experiment varies.

    Args:
        folder: The experiment's.
        name: Which experiment.
        runs: Two of its runs.
        settings: What must be the same in them, by what it is called.
    """
    (first, other), (one, another) = runs, settings
    differing = [key for key in one if one[key] != another[key]]
    if differing:
        edition = " and edition" if "edition" in one else ""
        raise RunError(
            f"{folder}: expected runs of one benchmark{edition}, which differ in {name} only; "
            f"{first.folder} and {other.folder} differ in {' and '.join(differing)} too. See: "
            "unforeseen results, on each of them."
        )


def expect_one_model_each(folder: Path | str, runs: Sequence[BegunRun]) -> None:
    """Raises RunError where runs that differ in their value only are of several networks."""
    firsts: dict[str, BegunRun] = {}
    for each in runs:
        first = firsts.setdefault(each.run.group, each)
        if first.planned.network != each.planned.network:
            raise RunError(
                f"{folder}: expected runs of one model side by side, got {first.run.folder} of "
                f"{one_line(first.planned.model, longest=80)} and {each.run.folder} of "
                f"{one_line(each.planned.model, longest=80)}, another network."
            )


def expect_own_seeds(folder: Path | str, runs: Sequence[BegunRun]) -> None:
    """Raises RunError where a run has another seed than its value says, so that one may count twice."""
    for each in runs:
        if each.planned.seed != each.run.value:
            raise RunError(
                f"{folder}: expected a run with seed {each.run.value} in {each.run.folder}, got one "
                f"with seed {each.planned.seed}."
            )
