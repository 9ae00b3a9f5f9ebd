"""What an experiment's runs of attacks came to, read back. Needs neither torch nor a model."""

__all__ = ["PointResults", "base_benchmark", "read_points"]

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import polars as pl

from unforeseen.benchmarks.attack_benchmark import AttackBenchmark
from unforeseen.benchmarks.scaled import unscaled
from unforeseen.experiment_folder.belonging import (
    BegunRun,
    expect_one_experiment,
    expect_one_model_each,
    expect_own_seeds,
)
from unforeseen.experiment_folder.record import (
    Experiment,
    ExperimentName,
    ExperimentRun,
    begun_runs,
)
from unforeseen.run_folder.attack_summary import AttackSummary
from unforeseen.run_folder.planned_attacks import PlannedAttackRun
from unforeseen.run_folder.read_run import read_attack_run

#: What figures are counted from.
_COLUMNS = ("cell", "example_id", "label", "transform", "level", "status", "correct", "norm")


@dataclass(frozen=True, kw_only=True)
class PointResults:
    """One run of an experiment that was begun.

    Attributes:
        run: Which one.
        planned: What was to be run.
        summary: Its figures.
        rows: Its verdicts and how far pictures were moved, a picture a line.
    """

    run: ExperimentRun
    planned: PlannedAttackRun
    summary: AttackSummary
    rows: pl.DataFrame


def read_points(folder: Path | str, experiment: Experiment) -> tuple[PointResults, ...]:
    """Reads the runs of an experiment that were begun, in the experiment's order.

    Raises:
        RunError: One of them can't be read, they differ in more than the experiment varies, or those
            of one model's folder are of several models.
        BenchmarkError: A record's benchmark can't be used.
    """
    points = []
    for run, path in begun_runs(folder, experiment):
        read = read_attack_run(path)
        rows = read.rows.select(_COLUMNS)
        points.append(PointResults(run=run, planned=read.planned, summary=read.summary, rows=rows))
    _expect_one_experiment(folder, experiment.name, points)
    begun = [BegunRun(point.run, point.planned) for point in points]
    expect_one_model_each(folder, begun)
    if experiment.name == "seeds":
        expect_own_seeds(folder, begun)
    return tuple(points)


def base_benchmark(name: ExperimentName, point: PointResults) -> AttackBenchmark:
    """The benchmark whose radii or step sizes a run has multiples of; in other experiments its own."""
    benchmark = point.summary.benchmark
    if name in ("radii", "step-sizes") and point.run.value is not None:
        return unscaled(benchmark, name, point.run.value)
    return benchmark


def _expect_one_experiment(
    folder: Path | str, name: ExperimentName, points: Sequence[PointResults]
) -> None:
    first = points[0]
    for other in points[1:]:
        both = {each.attack for point in (first, other) for each in point.summary.attacks}
        settings = _settings(name, first, both), _settings(name, other, both)
        expect_one_experiment(folder, name, (first.run, other.run), settings)


def _settings(name: ExperimentName, point: PointResults, attacks: set[str]) -> dict[str, object]:
    """What is the same in all runs of an experiment, by what it is called."""
    planned = point.planned
    settings: dict[str, object] = {
        "benchmark": base_benchmark(name, point).without_optional(but=attacks),
        "edition": planned.edition,
        "seed": planned.seed,
        "steps": planned.steps,
        "eot": planned.eot,
        "search": planned.search,
    }
    varied = {"seeds": "seed", "steps": "steps"}.get(name)
    return {key: value for key, value in settings.items() if key != varied}
