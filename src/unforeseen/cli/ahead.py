"""What a command can refuse before torch is there, which takes seconds to import."""

__all__ = ["Opened", "load_data_aloud", "open_ahead"]

from typing import NamedTuple

from unforeseen.benchmarks import AttackBenchmark, Benchmark, ObfuscationBenchmark, load_benchmark
from unforeseen.benchmarks.levels import level_named
from unforeseen.benchmarks.of_data import benchmark_for
from unforeseen.cli.making_progress import waiting
from unforeseen.data import Dataset, load_data
from unforeseen.obfuscation_sets import ObfuscationSet
from unforeseen.running.options import RunOptions
from unforeseen.whole import whole_number


class Opened(NamedTuple):
    """A benchmark, and pictures for it."""

    benchmark: Benchmark
    dataset: Dataset


def open_ahead(data: str, benchmark: str | None, options: RunOptions) -> Opened:
    """Opens data and benchmark, and looks up what is named of it.

    Args:
        data: A URI or path.
        benchmark: Name or file; None takes the built-in one that is of the data's labels.
        options: What is asked of the run.

    Raises:
        UserError: Something of this isn't there, or out of range.
    """
    if options.limit is not None:
        whole_number("limit", options.limit, minimum=1)
    for name in options.attack.chosen_levels:
        level_named(name)
    dataset = load_data_aloud(data) if benchmark is None else None
    source = load_benchmark(benchmark_for(dataset) if dataset else str(benchmark))
    options.expect_kind_of(source)
    if isinstance(source, AttackBenchmark):
        source.edition(options.attack.edition)
        for name in options.attack.attacks or ():
            source.attack(name)
    if isinstance(source, ObfuscationBenchmark):
        ObfuscationSet.of(options.obfuscation.obfuscations or "all", source)
    return Opened(source, dataset or load_data_aloud(data))


def load_data_aloud(data: str) -> Dataset:
    """Loads data, whose list of pictures may be long; takes and raises what ``load_data`` does."""
    with waiting("loading the data"):
        return load_data(data)
