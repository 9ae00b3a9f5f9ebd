"""What runs of obfuscations with several seeds came to, read back. Needs neither torch nor a model."""

__all__ = ["ObfuscationPoint", "is_of_obfuscations", "read_obfuscation_points"]

from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

from unforeseen.experiment_folder.belonging import (
    BegunRun,
    expect_one_experiment,
    expect_one_model_each,
    expect_own_seeds,
)
from unforeseen.experiment_folder.record import Experiment, ExperimentRun, begun_runs
from unforeseen.metrics.verdicts import TopK
from unforeseen.run_folder.obfuscation_summary import ObfuscationSummary
from unforeseen.run_folder.planned_kinds import read_planned_run
from unforeseen.run_folder.planned_obfuscations import PlannedObfuscationRun
from unforeseen.run_folder.read_run import read_obfuscation_run


class ObfuscationPoint(NamedTuple):
    """One run of an experiment that was begun.

    Attributes:
        run: Which one.
        planned: What was to be run.
        summary: Its figures.
    """

    run: ExperimentRun
    planned: PlannedObfuscationRun
    summary: ObfuscationSummary


def is_of_obfuscations(folder: Path | str, experiment: Experiment) -> bool:
    """Whether an experiment's first run is of obfuscations; raises RunError where none was begun."""
    _, path = begun_runs(folder, experiment)[0]
    return isinstance(read_planned_run(path).planned, PlannedObfuscationRun)


def read_obfuscation_points(
    folder: Path | str, experiment: Experiment, *, over: Sequence[str] = (), top: TopK = 1
) -> tuple[ObfuscationPoint, ...]:
    """Reads the runs of an experiment that were begun, in the experiment's order.

    Args:
        folder: The experiment's.
        experiment: Over seeds.
        over: Further sets, as in :func:`unforeseen.run_folder.read_run.read_run`.
        top: As there.

    Raises:
        RunError: One of them can't be read, they differ in more than the seed or not in it, or are
            of several models.
        BenchmarkError: A record's benchmark can't be used.
        UserError: A set can't be used.
    """
    points = []
    for run, path in begun_runs(folder, experiment):
        summary, _, planned = read_obfuscation_run(path, over=over, top=top)
        points.append(ObfuscationPoint(run, planned, summary))
    first = points[0]
    for other in points[1:]:
        both = {*first.planned.obfuscations} & {*other.planned.obfuscations}
        settings = _settings(first.planned, both), _settings(other.planned, both)
        expect_one_experiment(folder, experiment.name, (first.run, other.run), settings)
    begun = [BegunRun(point.run, point.planned) for point in points]
    expect_one_model_each(folder, begun)
    expect_own_seeds(folder, begun)
    return tuple(points)


def _settings(planned: PlannedObfuscationRun, obfuscations: set[str]) -> dict[str, object]:
    """What is the same in all runs, by what it is called."""
    return {
        "benchmark": planned.benchmark.without_optional(but=obfuscations),
        "eot": planned.eot,
        "worst of": planned.worst_of,
        "assets": (
            None
            if planned.assets is None
            else {name: planned.how[name].get("assets") for name in obfuscations}
        ),
        "origin of the pictures": (planned.made_by, planned.ready_made),
    }
