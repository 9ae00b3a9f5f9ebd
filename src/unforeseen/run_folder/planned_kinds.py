"""The kinds of planned runs, told apart by their benchmark."""

__all__ = ["planned_run"]

from collections.abc import Mapping
from typing import Any

from unforeseen.benchmarks import AttackBenchmark
from unforeseen.benchmarks.kinds import benchmark_of, expect_obfuscations
from unforeseen.run_folder.planned import PlannedRun
from unforeseen.run_folder.planned_attacks import PlannedAttackRun
from unforeseen.run_folder.planned_obfuscations import PlannedObfuscationRun
from unforeseen.run_folder.recorded import taken


def planned_run(record: Mapping[str, Any]) -> PlannedRun:
    """Checks a record's content, of either kind.

    Raises:
        RunError: Something is missing, of another type, or contradicts the benchmark.
        BenchmarkError: The benchmark can't be used.
    """
    benchmark = benchmark_of(taken(record, "benchmark", dict), origin="the run's record")
    if isinstance(benchmark, AttackBenchmark):
        return PlannedAttackRun.from_record(record, benchmark)
    return PlannedObfuscationRun.from_record(record, expect_obfuscations(benchmark))
