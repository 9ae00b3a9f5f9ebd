"""Makes and continues the runs of an experiment: models one after the other, each over all values."""

__all__ = ["Layout", "run_experiment"]

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import NamedTuple, TypeVar

from unforeseen.benchmarks import load_benchmark
from unforeseen.benchmarks.benchmark import Benchmark
from unforeseen.benchmarks.scaled import in_name
from unforeseen.data.dataset import Dataset
from unforeseen.errors import UserError
from unforeseen.experiment_folder.naming import model_folders
from unforeseen.experiment_folder.record import (
    Experiment,
    ExperimentName,
    ExperimentRun,
    previous_experiment,
    run_path,
    write_experiment,
)
from unforeseen.experiments.waiting_model import WaitingModel
from unforeseen.files.lock import sole_writer
from unforeseen.fitting import Data, Model, fit, fit_data, opened_data
from unforeseen.models.cards import ModelCard
from unforeseen.models.classifier import Predictor
from unforeseen.running.agreement import run_to_continue
from unforeseen.running.compatibility import check_compatibility
from unforeseen.running.continuation import asked_record
from unforeseen.running.options import RunOptions
from unforeseen.running.plan import Plan
from unforeseen.running.reporter import Reporter, Silent
from unforeseen.running.run_settings import RunSettings
from unforeseen.running.runner import run
from unforeseen.running.together import have_one_trajectory, run_together
from unforeseen.stage_reporter import in_one

_Report = TypeVar("_Report")


@dataclass(frozen=True, kw_only=True)
class Layout:
    """What an experiment varies, and where its runs lie.

    Attributes:
        name: Which experiment.
        plan: What is run of a benchmark on a model and data with these options at a value.
        folder: What the name of a run's folder begins with; its value stands behind it.
        words: A value as a person reads it.
        by_model: Whether each model has a folder of its own for its runs.
    """

    name: ExperimentName
    plan: Callable[[Benchmark, ModelCard, Dataset, RunOptions, float], Plan]
    folder: str
    words: Callable[[float], str]
    by_model: bool = True

    def place(self, model_folder: str, value: float) -> ExperimentRun:
        """Where the run of a model at a value lies."""
        folder = f"{self.folder}{in_name(value)}"
        return ExperimentRun(f"{model_folder}/{folder}" if self.by_model else folder, value)


def run_experiment(
    layout: Layout,
    values: Sequence[float],
    models: Sequence[Model],
    data: Data,
    benchmark: str | Benchmark,
    *,
    options: RunOptions,
    folder: Path,
    report: Callable[[Path], _Report],
    reporter: Reporter | None = None,
) -> _Report:
    """Runs what isn't there yet.

    Args:
        layout: What is varied.
        values: Distinct, rising.
        models: On which models; several need ``layout.by_model``.
        data: With which pictures.
        benchmark: What is varied.
        options: What is the same in all runs.
        folder: Where the experiment goes; one that is there is continued, further models and values
            come to those that are there.
        report: Counts the figures of a folder and writes table and plot there.
        reporter: Who watches.

    Returns:
        What ``report`` returns.

    Raises:
        UserError: Something doesn't fit. It is said before the first run begins, if it can be known.
    """
    reporter = reporter or Silent()
    previous_experiment(folder, layout.name)
    opened = _open_all(layout, values, models, data, benchmark, options, reporter)
    # What can't be run leaves no folder behind; once nobody else can write, all is looked at again.
    _laid_out(layout, values, opened, folder, options)
    with sole_writer(folder, reporter.note):
        groups, experiment = _laid_out(layout, values, opened, folder, options)
        write_experiment(folder, experiment)
        for group, model in zip(groups, opened.models, strict=True):
            classifier = model.open()
            plans = {
                value: (
                    run_path(folder, layout.place(group, value)),
                    layout.plan(opened.benchmark, classifier.card, opened.dataset, options, value),
                )
                for value in values
            }
            _run_points(layout, plans, classifier, opened.dataset, options.settings, reporter)
        with in_one(reporter, "drawing the plot"):
            return report(folder)


def _run_points(
    layout: Layout,
    plans: Mapping[float, tuple[Path, Plan]],
    classifier: Predictor,
    dataset: Dataset,
    settings: RunSettings,
    reporter: Reporter,
) -> None:
    """Runs one model at all values: on one trajectory where they differ in steps and it can be."""
    uri = classifier.card.uri
    if len(plans) > 1 and layout.name == "steps":
        if have_one_trajectory([plan for _, plan in plans.values()]):
            numbers = ", ".join(map(in_name, plans))
            reporter.part_begins(f"{uri}, {numbers} steps, on one trajectory")
            together = dict(plans.values())
            run_together(together, classifier, dataset, settings=settings, reporter=reporter)
            return
        reporter.note(
            "with this search, fewer steps are not the beginning of more: each number is run by itself."
        )
    for value, (path, plan) in plans.items():
        reporter.part_begins(f"{uri}, {layout.words(value)}")
        run(plan, classifier, dataset, path, settings=settings, reporter=reporter)


class _Opened(NamedTuple):
    """What was named, opened."""

    benchmark: Benchmark
    dataset: Dataset
    models: tuple[WaitingModel, ...]


def _open_all(
    layout: Layout,
    values: Sequence[float],
    models: Sequence[Model],
    data: Data,
    benchmark: str | Benchmark,
    options: RunOptions,
    reporter: Reporter,
) -> _Opened:
    """Opens each model, to see that it can be before hours are spent on the one before it."""
    if not models or (len(models) > 1 and not layout.by_model):
        expected = "at least one" if layout.by_model else "one"
        raise UserError(f"models: expected {expected}, got {len(models)}.")
    # Before the first model is loaded.
    source = load_benchmark(benchmark) if isinstance(benchmark, str) else benchmark
    with in_one(reporter, "loading the data"):
        dataset = fit_data(opened_data(data), source)

    def open_(model: Model) -> Predictor:
        head, device = options.head, options.device
        return fit(model, dataset, source, head=head, device=device, reporter=reporter).classifier

    def fits(classifier: Predictor) -> None:
        for value in values:
            plan = layout.plan(source, classifier.card, dataset, options, value)
            check_compatibility(plan, classifier, dataset)

    keep = len(models) == 1
    waiting = tuple(
        WaitingModel(partial(open_, each), fits=fits, note=reporter.note, keep=keep)
        for each in models
    )
    return _Opened(source, dataset, waiting)


def _laid_out(
    layout: Layout, values: Sequence[float], opened: _Opened, folder: Path, options: RunOptions
) -> tuple[tuple[str, ...], Experiment]:
    """The folder of each model; and all runs, those that are there and those that come to them.

    Raises:
        RunError: The folder holds another experiment, or runs that differ from what is asked for in
            more than what is varied.
    """
    there = previous_experiment(folder, layout.name)
    cards = [model.card for model in opened.models]
    groups = model_folders(cards, folder, there) if layout.by_model else ("",)
    runs = () if there is None else there.runs
    for group, card in zip(groups, cards, strict=True):
        for each in runs:
            if each.value is not None:
                plan = layout.plan(opened.benchmark, card, opened.dataset, options, each.value)
                path, asked = run_path(folder, each), asked_record(plan, card)
                run_to_continue(path, asked, of_any_model=each.group != group)
    asked_runs = [layout.place(group, value) for group in groups for value in values]
    experiment = _merged(layout.name, runs, asked_runs)
    for each in experiment.runs:
        run_path(folder, each)
    return groups, experiment


def _merged(
    name: ExperimentName, there: Sequence[ExperimentRun], asked: Sequence[ExperimentRun]
) -> Experiment:
    """What was there and what comes to it: models as they came, the values of each rising."""
    runs = dict.fromkeys((*there, *asked))
    groups = list(dict.fromkeys(run.group for run in runs))
    ordered = sorted(runs, key=lambda run: (groups.index(run.group), run.value))
    return Experiment(name=name, runs=tuple(ordered))
