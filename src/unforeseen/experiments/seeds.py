"""One benchmark with several seeds: how much of a figure is luck.

Of attacks that is appendix D.5 of their paper. Obfuscations are drawn anew with each seed, while the
network and its pictures stay the same.
"""

__all__ = ["run_obfuscation_seeds", "run_seeds"]

import os
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TypeVar

from unforeseen.benchmarks.attack_benchmark import AttackBenchmark
from unforeseen.benchmarks.benchmark import Benchmark
from unforeseen.benchmarks.kinds import expect_obfuscations
from unforeseen.benchmarks.loader import load_benchmark
from unforeseen.data.dataset import Dataset
from unforeseen.data.obfuscated_dataset import ObfuscatedDataset
from unforeseen.errors import UserError
from unforeseen.experiments.running import Layout, run_experiment
from unforeseen.experiments.values import seeds_of
from unforeseen.fitting import Data, Model, opened_data
from unforeseen.models.cards import ModelCard
from unforeseen.report.experiment_files import write_obfuscation_report, write_report
from unforeseen.report.experiment_tables import ExperimentTable
from unforeseen.report.obfuscation_seeds import ObfuscationSeeds
from unforeseen.running.options import RunOptions
from unforeseen.running.plan import Plan
from unforeseen.running.reporter import Reporter

#: Whose choice of pictures all seeds judge: always the same, so that seeds can be added later, and
#: that of a run alone with seed 0.
CHOICE_SEED = 0

_Report = TypeVar("_Report")


def run_seeds(
    model: Model,
    data: Data,
    benchmark: str | Benchmark = "imagenet-ua",
    *,
    seeds: Sequence[int],
    options: RunOptions | None = None,
    out: str | os.PathLike[str],
    reporter: Reporter | None = None,
) -> tuple[ExperimentTable, ...]:
    """Runs a benchmark of attacks once with each seed, all on the same pictures, or goes on with it.

    Args:
        model: As :func:`unforeseen.evaluate` takes one.
        data: As there.
        benchmark: As there.
        seeds: Of the draws, in any order; repeated ones count once.
        options: What is the same in all runs. None takes the usual.
        out: Folder of the experiment. In one that is there, further seeds, attacks, levels and
            pictures come to those that are there.
        reporter: Who watches.

    Returns:
        A table for each level that was run, as ``unforeseen results`` shows it.

    Raises:
        UserError: Something doesn't fit; the message says what to do.
    """
    source = _opened(benchmark)
    if not isinstance(source, AttackBenchmark):
        raise UserError(
            f"seeds: expected a benchmark of attacks, got {source.name}; run_obfuscation_seeds takes it."
        )
    return _run(model, data, source, seeds, options, out, write_report, reporter)


def run_obfuscation_seeds(
    model: Model,
    data: Data,
    benchmark: str | Benchmark = "image-obfuscation",
    *,
    seeds: Sequence[int],
    options: RunOptions | None = None,
    out: str | os.PathLike[str],
    reporter: Reporter | None = None,
) -> ObfuscationSeeds:
    """Runs a benchmark of obfuscations once with each seed, all on the same pictures, or goes on with it.

    Takes what :func:`run_seeds` does, but no pictures that were obfuscated before.

    Returns:
        The table, as ``unforeseen results`` shows it.

    Raises:
        UserError: Something doesn't fit; the message says what to do.
    """
    source = expect_obfuscations(_opened(benchmark))
    dataset = opened_data(data)
    if isinstance(dataset, ObfuscatedDataset):
        raise UserError(
            "seeds: expected pictures to obfuscate; these were obfuscated before, so that no seed "
            "changes them. Give the pictures that they were made of, or leave --seeds out."
        )
    return _run(model, dataset, source, seeds, options, out, write_obfuscation_report, reporter)


def _run(
    model: Model,
    data: Data,
    benchmark: Benchmark,
    seeds: Sequence[int],
    options: RunOptions | None,
    out: str | os.PathLike[str],
    report: Callable[[Path], _Report],
    reporter: Reporter | None,
) -> _Report:
    options = RunOptions() if options is None else options
    if options.seed or options.choice_seed:
        raise UserError(
            f"seeds: expected no other ones beside them, got seed {options.seed} and choice_seed "
            f"{options.choice_seed}. The pictures are always those of seed {CHOICE_SEED}."
        )
    return run_experiment(
        _LAYOUT,
        seeds_of(seeds),
        [model],
        data,
        benchmark,
        options=replace(options, choice_seed=CHOICE_SEED),
        folder=Path(out),
        report=report,
        reporter=reporter,
    )


def _opened(benchmark: str | Benchmark) -> Benchmark:
    return load_benchmark(benchmark) if isinstance(benchmark, str) else benchmark


def _with_seed(
    benchmark: Benchmark, card: ModelCard, dataset: Dataset, options: RunOptions, value: float
) -> Plan:
    return replace(options, seed=int(value)).plan(benchmark, card, dataset)


_LAYOUT = Layout(
    name="seeds", plan=_with_seed, folder="seed-", words="seed {}".format, by_model=False
)
