"""One benchmark with several seeds: how much of a figure is luck, appendix D.5 of the paper."""

__all__ = ["run_seeds"]

import os
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from unforeseen.benchmarks.attack_benchmark import AttackBenchmark
from unforeseen.benchmarks.benchmark import Benchmark
from unforeseen.benchmarks.loader import load_benchmark
from unforeseen.data.dataset import Dataset
from unforeseen.errors import UserError
from unforeseen.experiments.running import Layout, run_experiment
from unforeseen.experiments.values import seeds_of
from unforeseen.fitting import Data, Model
from unforeseen.models.cards import ModelCard
from unforeseen.report.experiment_tables import ExperimentTable
from unforeseen.running.options import RunOptions
from unforeseen.running.plan import Plan
from unforeseen.running.reporter import Reporter

#: Whose choice of pictures all seeds judge: always the same, so that seeds can be added later, and
#: that of a run alone with seed 0.
CHOICE_SEED = 0


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
    """Runs a benchmark once with each seed, all on the same pictures, or goes on with it.

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
    options = RunOptions() if options is None else options
    if options.seed or options.choice_seed:
        raise UserError(
            f"seeds: expected no other ones beside them, got seed {options.seed} and choice_seed "
            f"{options.choice_seed}. The pictures are always those of seed {CHOICE_SEED}."
        )
    source = load_benchmark(benchmark) if isinstance(benchmark, str) else benchmark
    if not isinstance(source, AttackBenchmark):
        raise UserError(
            f"seeds: expected a benchmark of attacks, got {source.name}. Run it with one seed at a time, "
            "each into a folder of its own; unforeseen results shows them in one table."
        )
    return run_experiment(
        _LAYOUT,
        seeds_of(seeds),
        [model],
        data,
        source,
        options=replace(options, choice_seed=CHOICE_SEED),
        folder=Path(out),
        reporter=reporter,
    )


def _with_seed(
    benchmark: Benchmark, card: ModelCard, dataset: Dataset, options: RunOptions, value: float
) -> Plan:
    return replace(options, seed=int(value)).plan(benchmark, card, dataset)


_LAYOUT = Layout(
    name="seeds", plan=_with_seed, folder="seed-", words="seed {}".format, by_model=False
)
