"""A run folder, read back: its figures, made again from record and rows at any time."""

__all__ = [
    "SUMMARY_FILE",
    "ReadAttackRun",
    "ReadObfuscationRun",
    "ReadRun",
    "read_attack_run",
    "read_obfuscation_run",
    "read_run",
    "write_summary",
]

from collections.abc import Sequence
from pathlib import Path
from typing import Generic, NamedTuple, TypeAlias, TypeVar

import polars as pl

from unforeseen.errors import RunError
from unforeseen.files.json_file import write_json
from unforeseen.metrics.verdicts import TopK
from unforeseen.run_folder.attack_summary import AttackSummary, summarise_attacks
from unforeseen.run_folder.obfuscation_summary import (
    ObfuscationSummary,
    summarise_obfuscations,
)
from unforeseen.run_folder.planned import PlannedRun
from unforeseen.run_folder.planned_attacks import PlannedAttackRun
from unforeseen.run_folder.planned_kinds import read_planned_run
from unforeseen.run_folder.planned_obfuscations import PlannedObfuscationRun
from unforeseen.run_folder.runlog import RunLog
from unforeseen.run_folder.summary import Summary

SUMMARY_FILE = "summary.json"

_Summary = TypeVar("_Summary", bound=Summary)
_Planned = TypeVar("_Planned", bound=PlannedRun)


class ReadRun(NamedTuple, Generic[_Summary, _Planned]):
    """What a run folder holds: its figures, the rows behind them, and what was to be run."""

    summary: _Summary
    rows: pl.DataFrame
    planned: _Planned


#: The same of a run of attacks.
ReadAttackRun: TypeAlias = ReadRun[AttackSummary, PlannedAttackRun]
#: The same of a run of obfuscations.
ReadObfuscationRun: TypeAlias = ReadRun[ObfuscationSummary, PlannedObfuscationRun]


def read_run(
    folder: Path | str, *, over: Sequence[str] = (), top: TopK = 1
) -> ReadRun[Summary, PlannedRun]:
    """Reads a run folder, of either kind. Changes nothing there.

    Args:
        folder: The run's.
        over: Sets to take the mean and the worst case over, each as in
            :meth:`unforeseen.attack_sets.AttackSet.of`, or, of a run of obfuscations, in
            :meth:`unforeseen.obfuscation_sets.ObfuscationSet.of`.
        top: Of a run of obfuscations: among how many of the most probable classes the true one must be.

    Raises:
        RunError: It is no run folder, its rows aren't a run's, or they contradict their cell.
        BenchmarkError: The record's benchmark can't be used.
        UserError: A set in ``over`` can't be used (UnknownNameError for an unknown member).
    """
    planned = read_planned_run(folder).planned
    log = RunLog.open_for_reading(folder)
    rows = log.rows(cell.id for cell in planned.cells)
    summary: Summary
    if isinstance(planned, PlannedAttackRun):
        summary = summarise_attacks(planned, rows, problems=log.problems, over=over)
    else:
        assert isinstance(planned, PlannedObfuscationRun)
        summary = summarise_obfuscations(planned, rows, problems=log.problems, over=over, top=top)
    return ReadRun(summary, rows, planned)


def read_attack_run(folder: Path | str, *, over: Sequence[str] = ()) -> ReadAttackRun:
    """Reads a run folder of attacks; takes and raises what :func:`read_run` does.

    Raises:
        RunError: Likewise, or it is a run of obfuscations.
    """
    summary, rows, planned = read_run(folder, over=over)
    if isinstance(summary, AttackSummary) and isinstance(planned, PlannedAttackRun):
        return ReadRun(summary, rows, planned)
    raise RunError(
        f"{folder}: expected a run of attacks, got one of {planned.benchmark.name}, which is a benchmark "
        "of obfuscations."
    )


def read_obfuscation_run(
    folder: Path | str, *, over: Sequence[str] = (), top: TopK = 1
) -> ReadObfuscationRun:
    """Reads a run folder of obfuscations; takes and raises what :func:`read_run` does.

    Raises:
        RunError: Likewise, or it is a run of attacks.
    """
    summary, rows, planned = read_run(folder, over=over, top=top)
    if isinstance(summary, ObfuscationSummary) and isinstance(planned, PlannedObfuscationRun):
        return ReadRun(summary, rows, planned)
    raise RunError(
        f"{folder}: expected a run of obfuscations, got one of {planned.benchmark.name}, which is a "
        "benchmark of attacks."
    )


def write_summary(folder: Path | str) -> Summary:
    """Counts a run's rows and writes ``summary.json`` beside them.

    Raises:
        RunError: As in :func:`read_run`, or the file can't be written.
        BenchmarkError: The record's benchmark can't be used.
    """
    summary = read_run(folder).summary
    write_json(Path(folder) / SUMMARY_FILE, summary.to_record())
    return summary
