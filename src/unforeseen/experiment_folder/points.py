"""What an experiment's runs came to, read back. Needs neither torch nor a model."""

__all__ = ["PointResults", "base_benchmark", "read_points", "recorded_model"]

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import polars as pl

from unforeseen.benchmarks.benchmark import Benchmark
from unforeseen.benchmarks.scaled import unscaled
from unforeseen.errors import RunError, one_line
from unforeseen.experiment_folder.record import Experiment, ExperimentName, ExperimentRun, run_path
from unforeseen.run_folder.record import RECORD_FILE, read_record
from unforeseen.run_folder.recorded import taken, unexpected
from unforeseen.run_folder.summary import Summary, read_run

#: What figures are counted from.
_COLUMNS = ("cell", "example_id", "transform", "level", "status", "correct")


@dataclass(frozen=True, kw_only=True)
class PointResults:
    """One run of an experiment that was begun.

    Attributes:
        run: Which one.
        summary: Its figures.
        rows: Its verdicts, a picture a line.
        pictures: A hash of the pictures that were chosen; None where the record doesn't say.
    """

    run: ExperimentRun
    summary: Summary
    rows: pl.DataFrame
    pictures: str | None


def read_points(folder: Path | str, experiment: Experiment) -> tuple[PointResults, ...]:
    """Reads the runs of an experiment that were begun, in the experiment's order.

    Raises:
        RunError: One of them can't be read, they aren't of one benchmark and edition, or those of
            one model's folder are of several models.
        BenchmarkError: A record's benchmark can't be used.
    """
    points = []
    for run in experiment.runs:
        path = run_path(folder, run)
        if not (path / RECORD_FILE).exists():
            continue
        summary, rows = read_run(path)
        pictures = read_record(path)["data"].get("subset")
        points.append(
            PointResults(
                run=run,
                summary=summary,
                rows=rows.select(_COLUMNS),
                pictures=pictures if isinstance(pictures, str) else None,
            )
        )
    if not points:
        raise RunError(f"{folder} holds an experiment of which no run was begun; run it first.")
    _expect_one_benchmark(folder, experiment.name, points)
    _expect_one_model_each(folder, points)
    return tuple(points)


def base_benchmark(name: ExperimentName, point: PointResults) -> Benchmark:
    """The benchmark whose radii or step sizes a run has multiples of; in other experiments its own."""
    benchmark = point.summary.benchmark
    if name in ("radii", "step-sizes") and point.run.value is not None:
        return unscaled(benchmark, name, point.run.value)
    return benchmark


def _expect_one_benchmark(
    folder: Path | str, name: ExperimentName, points: Sequence[PointResults]
) -> None:
    first = points[0]
    for other in points[1:]:
        both = {each.attack for point in (first, other) for each in point.summary.attacks}
        one, another = (
            base_benchmark(name, point).without_optional(but=both) for point in (first, other)
        )
        if one != another or first.summary.edition != other.summary.edition:
            raise RunError(
                f"{folder}: expected runs of one benchmark and edition, which differ in {name} "
                f"only; {first.run.folder} and {other.run.folder} differ in more. See: unforeseen "
                "results, on each of them."
            )


def recorded_model(path: Path) -> tuple[str, str | None]:
    """Which network a run is of, whatever it is called: its fingerprint and that of its head.

    Raises:
        RunError: The run's record doesn't say.
    """
    model = taken(read_record(path), "model", dict)
    head = model.get("head")
    mapping = head.get("mapping") if isinstance(head, dict) else None
    if not isinstance(mapping, str | None):
        raise unexpected("model.head.mapping", "text", mapping)
    return taken(model, "fingerprint", str), mapping


def _expect_one_model_each(folder: Path | str, points: Sequence[PointResults]) -> None:
    models: dict[str, PointResults] = {}
    for point in points:
        first = models.setdefault(point.run.group, point)
        if recorded_model(run_path(folder, first.run)) != recorded_model(
            run_path(folder, point.run)
        ):
            raise RunError(
                f"{folder}: expected runs of one model side by side, got {first.run.folder} of "
                f"{one_line(first.summary.model, longest=80)} and {point.run.folder} of "
                f"{one_line(point.summary.model, longest=80)}, another network."
            )
