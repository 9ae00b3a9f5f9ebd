"""What must be read before the figures of an experiment: what its runs lack, each thing said once."""

__all__ = ["experiment_notes", "not_begun", "other_pictures"]

from collections.abc import Iterable, Sequence

import polars as pl

from unforeseen.benchmarks import Level
from unforeseen.counted import counted
from unforeseen.experiment_folder.points import PointResults
from unforeseen.experiment_folder.record import Experiment, ExperimentRun
from unforeseen.report.tables import columns_of
from unforeseen.run_folder.planned import PlannedRun

#: Folders that are named.
_NAMED = 3
#: ‖δ‖/ε from which on a picture counts as moved by the whole radius.
_FAR = 0.99


def experiment_notes(
    experiment: Experiment, points: Sequence[PointResults], level: Level
) -> tuple[str, ...]:
    """Notes above an experiment's table.

    Args:
        experiment: What was to be run.
        points: What was begun of it.
        level: Of the table's attacks.
    """
    return (
        *not_begun(experiment, [point.run for point in points]),
        *other_pictures([point.planned for point in points]),
        *_checks(points),
        *_partial(experiment, points),
        *_failures(points),
        *_short_ways(experiment, points, level),
    )


def not_begun(experiment: Experiment, begun: Sequence[ExperimentRun]) -> list[str]:
    """Says which runs are missing; nothing where none is.

    Args:
        experiment: What was to be run.
        begun: What was begun of it.
    """
    missing = [run.folder for run in experiment.runs if run not in begun]
    if not missing:
        return []
    return [f"partial: {_of(missing, len(experiment.runs))} not begun: {_listed(missing)}"]


def other_pictures(runs: Sequence[PlannedRun]) -> list[str]:
    """Says where runs are not all of the same pictures; nothing where they are.

    Runs that were grown one after the other, or whose growing was cut, may be of several sizes.
    Those of one size can be of other data, or of another choice where they were run by themselves.
    """
    if len({run.pictures for run in runs}) == 1:
        return []
    sizes = sorted({run.images for run in runs})
    told = f"partial: the runs are not of the same pictures ({', '.join(map(str, sizes))} of them)"
    if len(sizes) > 1:
        return [f"{told}; run the experiment again with one --limit"]
    return [f"{told}; run it with one --data, in another --out"]


def _checks(points: Sequence[PointResults]) -> list[str]:
    said: dict[str, list[str]] = {}
    for point in points:
        check = point.summary.check
        for line in check.lines if check else ("not checked (unforeseen check)",):
            said.setdefault(line, []).append(point.run.folder)
    return [_with_runs(line, folders, points) for line, folders in said.items()]


def _partial(experiment: Experiment, points: Sequence[PointResults]) -> list[str]:
    said: dict[str, list[str]] = {}
    for point in points:
        for reason in point.summary.partial:
            if experiment.name == "steps" and reason == _swept_steps(point):
                continue
            said.setdefault(reason, []).append(point.run.folder)
    reasons = [_with_runs(reason, folders, points) for reason, folders in said.items()]
    return [f"partial: {'; '.join(reasons)}"] if reasons else []


def _swept_steps(point: PointResults) -> str:
    """As a run says that its steps are overridden, which is what a sweep over steps is about."""
    steps = int(point.run.value or 0)
    return f"{counted(steps, 'step')} instead of the benchmark's"


def _failures(points: Sequence[PointResults]) -> list[str]:
    nonfinite = sum(point.summary.nonfinite for point in points)
    unreadable = max(point.summary.unreadable for point in points)
    return [
        *([f"{nonfinite:,} non-finite in all runs (counted as wrong)"] if nonfinite else []),
        *([f"{unreadable:,} unreadable (outside every figure)"] if unreadable else []),
    ]


def _short_ways(experiment: Experiment, points: Sequence[PointResults], level: Level) -> list[str]:
    """Attacks that stay inside a part of their balls, so that a larger radius changes little.

    By the rows, of pictures that withstood all steps: how far an attack can go depends on its start,
    its step rule and the size of pictures. Others may be done before they are far out.
    """
    if experiment.name != "radii":
        return []
    reached: dict[str, dict[float, float]] = {}
    for point in points:
        if not point.planned.search.has_step_size:
            continue
        rows = point.rows.filter(pl.col("correct") & (pl.col("level") == level))
        farthest = rows.group_by("transform", maintain_order=True).agg(pl.col("norm").max())
        for attack, share in farthest.drop_nulls().iter_rows():
            of_attack = reached.setdefault(attack, {})
            value = point.run.value or 0.0
            of_attack[value] = max(share, of_attack.get(value, 0.0))
    told = []
    for attack, heading in columns_of(points[0].planned.benchmark).items():
        shares = reached.get(attack, {})
        short = sorted(value for value, share in shares.items() if share < _FAR)
        if short:
            since = "" if len(short) == 1 else f"from × {short[0]:g} on, "
            part = f"{100 * shares[short[-1]]:.0f} % of it at × {short[-1]:g}"
            told.append(f"{heading} {since}{part}")
    if not told:
        return []
    said = "steps and their size stay the benchmark's, and pictures that withstand them are never"
    return [f"{said} moved by the whole radius: {'; '.join(told)}"]


def _with_runs(text: str, folders: Sequence[str], points: Sequence[PointResults]) -> str:
    """A sentence, and of which runs it holds where it isn't all of them."""
    return text if len(folders) == len(points) else f"{text} (in {_listed(folders)})"


def _of(some: Sequence[object], all_of_them: int) -> str:
    return f"{len(some)} of {counted(all_of_them, 'run')}"


def _listed(folders: Iterable[str]) -> str:
    first = list(folders)
    more = f" and {len(first) - _NAMED} more" if len(first) > _NAMED else ""
    return ", ".join(first[:_NAMED]) + more
