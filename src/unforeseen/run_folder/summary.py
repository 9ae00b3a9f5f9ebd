"""From a run's record and rows to its figures: ``summary.json``, made again at any time.

A summary never flatters: it says in words why a run isn't the whole benchmark, and UA2 is null
where a core attack has no rows.
"""

__all__ = [
    "SUMMARY_FILE",
    "AttackAccuracy",
    "ReadRun",
    "Summary",
    "read_run",
    "summarise",
    "summarise_folder",
    "write_summary",
]

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple

import polars as pl

from unforeseen.attack_sets import AttackSet, SetAccuracy, accuracies_over
from unforeseen.benchmarks import LEVELS, AttackBenchmark, Level
from unforeseen.check.result import CheckResult
from unforeseen.counted import counted
from unforeseen.errors import RunError
from unforeseen.metrics import Estimate, accuracy, clean_accuracy, count, ua2, worst_case
from unforeseen.rows import CLEAN, SCHEMA_VERSION
from unforeseen.run_folder.completeness import CellRows, reasons_for_partial
from unforeseen.run_folder.planned import PlannedCell, PlannedRun
from unforeseen.run_folder.record import read_record, write_json
from unforeseen.run_folder.runlog import RunLog

SUMMARY_FILE = "summary.json"


class AttackAccuracy(NamedTuple):
    """Accuracy under one attack at one level; None where it has no rows."""

    attack: str
    level: Level
    accuracy: Estimate | None


@dataclass(frozen=True, kw_only=True)
class Summary:
    """The figures of one run.

    Attributes:
        benchmark: What was run.
        edition: Under which edition.
        seed: With which seed.
        model: The model's URI.
        source_model: URI of the model that the pictures were made against, where that is another.
        data: The data's URI.
        images: How many pictures were chosen.
        complete: Every cell of the run has a row for each of them.
        partial: Why this is not the whole benchmark, in words; empty where it is.
        nonfinite: Rows whose judged logits were not finite, counted as wrong.
        unreadable: Pictures that couldn't be read, outside every denominator.
        gradient_evaluations: Gradients spent; None where not measured.
        check: What was found before the run; None where nobody looked.
        clean_accuracy: On the unattacked pictures.
        ua2: Mean over the core attacks by level; None where one of them has no rows.
        worst: Share that survives every core attack, by level; None likewise.
        attacks: In the benchmark's order, levels rising.
        head: Name of the model's head, which ``run.json`` holds; no part of ``summary.json``.
        settings: What tells runs of one model apart, in words, as many from every run: search,
            steps, forward passes and seed; no part of ``summary.json``.
        sets: Mean and worst case over the sets that were asked for; no part of ``summary.json``.
    """

    benchmark: AttackBenchmark
    edition: str
    seed: int
    model: str
    source_model: str | None
    data: str
    images: int
    complete: bool
    partial: tuple[str, ...]
    nonfinite: int
    unreadable: int
    gradient_evaluations: int | None
    check: CheckResult | None
    clean_accuracy: Estimate | None
    ua2: Mapping[Level, Estimate | None]
    worst: Mapping[Level, Estimate | None]
    attacks: tuple[AttackAccuracy, ...]
    head: str | None = None
    settings: tuple[str, ...] = ()
    sets: tuple[SetAccuracy, ...] = ()

    def accuracy(self, attack: str, level: Level) -> Estimate | None:
        """Accuracy under an attack, or None where it was not run."""
        for each in self.attacks:
            if (each.attack, each.level) == (attack, level):
                return each.accuracy
        return None

    @property
    def levels(self) -> tuple[Level, ...]:
        """The levels that any attack was run at, rising."""
        return tuple(level for level in LEVELS if any(a.level == level for a in self.attacks))

    def to_record(self) -> dict[str, Any]:
        """The content of ``summary.json``."""
        return {
            "schema": SCHEMA_VERSION,
            "benchmark": self.benchmark.name,
            "edition": self.edition,
            "seed": self.seed,
            "model": self.model,
            "source_model": self.source_model,
            "data": self.data,
            "images": self.images,
            "complete": self.complete,
            "partial": list(self.partial),
            "nonfinite": self.nonfinite,
            "unreadable": self.unreadable,
            "gradient_evaluations": self.gradient_evaluations,
            "check": None if self.check is None else self.check.to_record(),
            "clean_accuracy": _recorded(self.clean_accuracy),
            "ua2": {level: _recorded(self.ua2[level]) for level in LEVELS},
            "worst": {level: _recorded(self.worst[level]) for level in LEVELS},
            "attacks": [
                {"attack": a.attack, "level": a.level, "accuracy": _recorded(a.accuracy)}
                for a in self.attacks
            ],
        }


class ReadRun(NamedTuple):
    """What a run folder holds: its figures, the rows behind them, and what was to be run."""

    summary: Summary
    rows: pl.DataFrame
    planned: PlannedRun


def summarise(
    run: PlannedRun,
    rows: pl.DataFrame,
    *,
    problems: Sequence[str] = (),
    over: Sequence[str] = (),
) -> Summary:
    """Counts a run's rows.

    Args:
        run: What was to be run.
        rows: As in :data:`unforeseen.rows.ROW_SCHEMA`. Only those of the run's cells count;
            a cell of an earlier plan may lie in the same folder.
        problems: What was wrong with the rows' files; becomes part of ``partial``.
        over: Sets of attacks to take the mean and the worst case over, each as in
            :meth:`unforeseen.attack_sets.AttackSet.of`.

    Raises:
        RunError: Rows contradict their cell.
        UserError: A set in ``over`` can't be used (UnknownNameError for an unknown attack).
    """
    sets = list(dict.fromkeys(AttackSet.of(names, run.benchmark) for names in over))
    cells = [CellRows(cell, _of_cell(rows, cell, run.seed)) for cell in run.cells]
    rows = pl.concat([rows.clear(), *(each.rows for each in cells)])
    counts = count(rows)
    attacked = [cell for cell in run.cells if cell.transform != CLEAN]
    run_at = {
        level: {cell.transform for cell in attacked if cell.level == level} for level in LEVELS
    }
    core = run.benchmark.core
    return Summary(
        benchmark=run.benchmark,
        edition=run.edition,
        seed=run.seed,
        model=run.model,
        source_model=run.source_model,
        data=run.data,
        images=run.images,
        complete=bool(cells) and all(each.images >= run.images for each in cells),
        partial=(*problems, *reasons_for_partial(run, cells)),
        nonfinite=counts.nonfinite,
        unreadable=counts.unreadable,
        gradient_evaluations=counts.gradient_evaluations,
        check=run.check,
        clean_accuracy=clean_accuracy(rows),
        ua2={level: ua2(rows, core, level, seed=run.seed) for level in LEVELS},
        worst={level: worst_case(rows, core, level) for level in LEVELS},
        attacks=tuple(
            AttackAccuracy(name, level, accuracy(rows, name, level))
            for name in run.benchmark.attacks
            for level in LEVELS
            if name in run_at[level]
        ),
        head=run.head,
        settings=(
            run.search.in_words() or "search pgd",
            "the benchmark's steps" if run.steps is None else counted(run.steps, "step"),
            f"eot {run.eot}",
            f"seed {run.seed}",
        ),
        sets=accuracies_over(sets, rows, run_at, seed=run.seed),
    )


def read_run(folder: Path | str, *, over: Sequence[str] = ()) -> ReadRun:
    """Reads a run folder. Changes nothing there.

    Args:
        folder: The run's.
        over: As in :func:`summarise`.

    Raises:
        RunError: It is no run folder, or its rows aren't a run's.
        BenchmarkError: The record's benchmark can't be used.
        UserError: As in :func:`summarise`.
    """
    planned = PlannedRun.from_record(read_record(folder))
    log = RunLog.open_for_reading(folder)
    rows = log.rows(cell.id for cell in planned.cells)
    return ReadRun(summarise(planned, rows, problems=log.problems, over=over), rows, planned)


def summarise_folder(folder: Path | str, *, over: Sequence[str] = ()) -> Summary:
    """The figures of a run folder; takes and raises what :func:`read_run` does."""
    return read_run(folder, over=over).summary


def write_summary(folder: Path | str) -> Summary:
    """Counts a run's rows and writes ``summary.json`` beside them.

    Raises:
        RunError: As in :func:`summarise_folder`, or the file can't be written.
        BenchmarkError: The record's benchmark can't be used.
    """
    summary = summarise_folder(folder)
    write_json(Path(folder) / SUMMARY_FILE, summary.to_record())
    return summary


def _of_cell(rows: pl.DataFrame, cell: PlannedCell, seed: int) -> pl.DataFrame:
    """The cell's rows, each picture once; raises RunError where one contradicts the cell."""
    rows = rows.filter(pl.col("cell") == cell.id)
    expected = {"transform": cell.transform, "level": cell.level or "", "seed": seed}
    for column, value in expected.items():
        others = rows.filter(pl.col(column).ne_missing(pl.lit(value)))
        if not others.is_empty():
            raise RunError(
                f"rows of {cell.name}: expected {column} {value!r}, got {others[column][0]!r:.80} "
                f"in {others.height} of {rows.height}. They were changed after the run; see "
                "unforeseen recount."
            )
    return rows.unique("example_id", keep="first", maintain_order=True)


def _recorded(estimate: Estimate | None) -> dict[str, Any] | None:
    return None if estimate is None else estimate.to_record()
