"""What a command can refuse before torch is there, which takes seconds to import."""

__all__ = ["Opened", "open_ahead"]

from collections.abc import Sequence
from typing import NamedTuple

from unforeseen.benchmarks import Benchmark, load_benchmark
from unforeseen.benchmarks.benchmark import level_named
from unforeseen.benchmarks.of_data import benchmark_for
from unforeseen.data import Dataset, load_data
from unforeseen.whole import whole_number


class Opened(NamedTuple):
    """A benchmark, and pictures for it."""

    benchmark: Benchmark
    dataset: Dataset


def open_ahead(
    data: str,
    benchmark: str | None,
    *,
    edition: str | None,
    attacks: Sequence[str] | None,
    levels: Sequence[str],
    limit: int | None,
) -> Opened:
    """Opens data and benchmark, and looks up what is named of it.

    Args:
        data: A URI or path.
        benchmark: Name or file; None takes the built-in one that is of the data's labels.
        edition: One of the benchmark's; None takes its default.
        attacks: Of the benchmark; None takes all.
        levels: Of low, medium, high.
        limit: How many pictures; None takes all.

    Raises:
        UserError: Something of this isn't there, or out of range.
    """
    if limit is not None:
        whole_number("limit", limit, minimum=1)
    for name in levels:
        level_named(name)
    dataset = load_data(data) if benchmark is None else None
    source = load_benchmark(benchmark_for(dataset) if dataset else str(benchmark))
    source.edition(edition)
    for name in attacks or ():
        source.attack(name)
    return Opened(source, dataset or load_data(data))
