"""The kinds of planned runs, told apart by their benchmark."""

__all__ = ["RecordedRun", "planned_run", "read_planned_run"]

from collections.abc import Mapping
from pathlib import Path
from typing import Any, NamedTuple

from unforeseen.benchmarks import AttackBenchmark
from unforeseen.benchmarks.kinds import benchmark_of, expect_obfuscations
from unforeseen.errors import BenchmarkError
from unforeseen.files.json_file import CHANGED
from unforeseen.run_folder.planned import PlannedRun
from unforeseen.run_folder.planned_attacks import PlannedAttackRun
from unforeseen.run_folder.planned_obfuscations import PlannedObfuscationRun
from unforeseen.run_folder.record import RECORD_FILE, read_record
from unforeseen.run_folder.recorded import recorded_in, taken


class RecordedRun(NamedTuple):
    """A run's record, and what was to be run by it."""

    record: dict[str, Any]
    planned: PlannedRun


def read_planned_run(folder: Path | str) -> RecordedRun:
    """Reads and checks the record of a run folder, which every complaint names.

    Raises:
        RunError: As of :func:`~unforeseen.run_folder.record.read_record` and :func:`planned_run`.
        BenchmarkError: The benchmark can't be used.
    """
    record, file = read_record(folder), str(Path(folder) / RECORD_FILE)
    try:
        with recorded_in(file):
            return RecordedRun(record, planned_run(record, origin=file))
    except BenchmarkError as error:
        raise BenchmarkError(f"{error} {CHANGED}") from error


def planned_run(record: Mapping[str, Any], *, origin: str = "the run's record") -> PlannedRun:
    """Checks a record's content, of either kind.

    Args:
        record: As ``run.json`` holds it.
        origin: What complaints about the benchmark begin with.

    Raises:
        RunError: Something is missing, of another type, or contradicts the benchmark.
        BenchmarkError: The benchmark can't be used.
    """
    benchmark = benchmark_of(taken(record, "benchmark", dict), origin=origin)
    if isinstance(benchmark, AttackBenchmark):
        return PlannedAttackRun.from_record(record, benchmark)
    return PlannedObfuscationRun.from_record(record, expect_obfuscations(benchmark))
