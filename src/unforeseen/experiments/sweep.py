"""Accuracy against the number of steps, the radii or the step sizes: figures 4a and 4b of the paper."""

__all__ = ["sweep"]

import os
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from types import MappingProxyType

from unforeseen.benchmarks import load_benchmark
from unforeseen.benchmarks.benchmark import Benchmark
from unforeseen.benchmarks.kinds import expect_attacks
from unforeseen.benchmarks.scaled import in_name, scaled
from unforeseen.counted import counted
from unforeseen.data.dataset import Dataset
from unforeseen.errors import UserError
from unforeseen.experiments.running import Layout, run_experiment
from unforeseen.experiments.values import SweepName, refuse_search, sweep_named, sweep_values
from unforeseen.fitting import Data, Model
from unforeseen.models.cards import ModelCard
from unforeseen.report.experiment_files import write_report
from unforeseen.report.experiment_tables import ExperimentTable
from unforeseen.running.options import RunOptions
from unforeseen.running.plan import Plan
from unforeseen.running.reporter import Reporter


def _at_steps(
    benchmark: Benchmark, card: ModelCard, dataset: Dataset, options: RunOptions, value: float
) -> Plan:
    attack = replace(options.attack, steps=int(value))
    return replace(options, attack=attack).plan(expect_attacks(benchmark), card, dataset)


def _at_radii(
    benchmark: Benchmark, card: ModelCard, dataset: Dataset, options: RunOptions, value: float
) -> Plan:
    return options.plan(scaled(expect_attacks(benchmark), "radii", value), card, dataset)


def _at_step_sizes(
    benchmark: Benchmark, card: ModelCard, dataset: Dataset, options: RunOptions, value: float
) -> Plan:
    return options.plan(scaled(expect_attacks(benchmark), "step-sizes", value), card, dataset)


#: What a sweep varies, and how.
_LAYOUTS: Mapping[SweepName, Layout] = MappingProxyType(
    {
        "steps": Layout(
            name="steps",
            plan=_at_steps,
            folder="steps-",
            words=lambda value: counted(int(value), "step"),
        ),
        "radii": Layout(
            name="radii",
            plan=_at_radii,
            folder="radii-x",
            words=lambda value: f"radii × {in_name(value)}",
        ),
        "step-sizes": Layout(
            name="step-sizes",
            plan=_at_step_sizes,
            folder="step-sizes-x",
            words=lambda value: f"step sizes × {in_name(value)}",
        ),
    }
)


def sweep(
    models: Sequence[Model],
    data: Data,
    benchmark: str | Benchmark = "imagenet-ua",
    *,
    over: str,
    values: Sequence[float],
    options: RunOptions | None = None,
    out: str | os.PathLike[str],
    reporter: Reporter | None = None,
) -> tuple[ExperimentTable, ...]:
    """Runs a benchmark at several numbers of steps, radii or step sizes, or goes on with it.

    Args:
        models: Each as :func:`unforeseen.evaluate` takes one; the first line of figures is the mean
            over them. They are loaded one after the other.
        data: As there.
        benchmark: As there.
        over: ``steps``: numbers of updates. ``radii`` or ``step-sizes``: multiples of the
            benchmark's own, which with 1 is the benchmark as it is.
        values: In any order; repeated ones count once.
        options: What is the same in all runs, of one level. None takes the usual.
        out: Folder of the experiment. In one that is there, further models, values, attacks and
            pictures come to those that are there.
        reporter: Who watches.

    Returns:
        A table for each level that was run, as ``unforeseen results`` shows it.

    Raises:
        UserError: Something doesn't fit; the message says what to do.
    """
    name = sweep_named(over)
    options = RunOptions() if options is None else options
    attack = options.attack
    refuse_search(name, attack.search_settings)
    if len(attack.chosen_levels) != 1:
        raise UserError(
            f"levels: expected the one that is swept, got {', '.join(attack.chosen_levels) or 'none'}."
        )
    if name == "steps" and attack.steps is not None:
        raise UserError(f"steps: expected none beside those that are swept, got {attack.steps}.")
    source = load_benchmark(benchmark) if isinstance(benchmark, str) else benchmark
    return run_experiment(
        _LAYOUTS[name],
        sweep_values(name, values),
        models,
        data,
        expect_attacks(source),
        options=options,
        folder=Path(out),
        report=write_report,
        reporter=reporter,
    )
