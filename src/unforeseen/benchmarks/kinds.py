"""The kinds of benchmarks, told apart by their metric."""

__all__ = ["benchmark_of", "expect_attacks", "expect_obfuscations"]

from pathlib import Path

from unforeseen.benchmarks.attack_benchmark import AttackBenchmark
from unforeseen.benchmarks.benchmark import SCHEMA, Benchmark
from unforeseen.benchmarks.obfuscation_benchmark import ObfuscationBenchmark
from unforeseen.errors import BenchmarkError
from unforeseen.files.table import Table


def benchmark_of(
    record: object, *, origin: str = "the record", folder: Path | None = None
) -> Benchmark:
    """Reads a benchmark of either kind.

    Args:
        record: What a TOML or JSON reader returned.
        origin: Where it came from, for messages.
        folder: As in :meth:`AttackBenchmark.from_record`.

    Raises:
        BenchmarkError: A key is unknown or missing, or a value has the wrong type or range.
    """
    table = Table.of(record, origin=origin, error=BenchmarkError)
    table.expect_schema(SCHEMA)
    if table.content.get("metric") == "worst_case" or (
        "metric" not in table and "obfuscations" in table
    ):
        return ObfuscationBenchmark.from_record(record, origin=origin)
    if "metric" in table:
        table.choice("metric", ("ua2", "worst_case"))
    return AttackBenchmark.from_record(record, origin=origin, folder=folder)


def expect_attacks(benchmark: Benchmark) -> AttackBenchmark:
    """Refuses a benchmark of obfuscations where only attacks will do; raises BenchmarkError."""
    if isinstance(benchmark, AttackBenchmark):
        return benchmark
    raise BenchmarkError(
        f"{benchmark.name}: expected a benchmark of attacks, such as imagenet-ua, got one of "
        "obfuscations, which have neither radii nor steps. unforeseen run measures on it."
    )


def expect_obfuscations(benchmark: Benchmark) -> ObfuscationBenchmark:
    """Refuses a benchmark of attacks where only obfuscations will do; raises BenchmarkError."""
    if isinstance(benchmark, ObfuscationBenchmark):
        return benchmark
    raise BenchmarkError(
        f"{benchmark.name}: expected a benchmark of obfuscations, such as image-obfuscation, got one "
        "of attacks."
    )
