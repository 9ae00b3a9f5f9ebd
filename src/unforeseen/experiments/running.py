"""Makes and continues the runs of an experiment: models one after the other, each over all values."""

__all__ = ["Layout", "run_experiment"]

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

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
from unforeseen.fitting import Data, Model, fit
from unforeseen.models.cards import ModelCard
from unforeseen.models.classifier import Predictor
from unforeseen.run_folder.lock import sole_writer
from unforeseen.running.compatibility import check_compatibility
from unforeseen.running.evaluation import expect_versioned
from unforeseen.running.options import RunOptions
from unforeseen.running.plan import Plan
from unforeseen.running.reporter import Reporter, Silent
from unforeseen.running.runner import RunSettings, run
from unforeseen.running.together import have_one_trajectory, run_together


@dataclass(frozen=True, kw_only=True)
class Layout:
    """What an experiment varies, and where its runs lie.

    Attributes:
        name: Which experiment.
        plan: What is run of a benchmark on a model with these options at a value.
        folder: What the name of a run's folder begins with; its value stands behind it.
        words: A value as a person reads it.
        by_model: Whether each model has a folder of its own for its runs.
    """

    name: ExperimentName
    plan: Callable[[Benchmark, ModelCard, RunOptions, float], Plan]
    folder: str
    words: Callable[[float], str]
    by_model: bool = True

    def run(self, model_folder: str, value: float) -> ExperimentRun:
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
    reporter: Reporter | None = None,
) -> None:
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
        reporter: Who watches.

    Raises:
        UserError: Something doesn't fit. It is said before the first run begins, if it can be known.
    """
    reporter = reporter or Silent()
    there = previous_experiment(folder, layout.name)
    opened = _open_all(layout, values, models, data, benchmark, options)
    cards = [subject.card for subject in opened.subjects]
    groups = model_folders(cards, folder, there) if layout.by_model else ("",)
    asked = [layout.run(group, value) for group in groups for value in values]
    experiment = _merged(layout.name, () if there is None else there.runs, asked)
    for each in experiment.runs:
        run_path(folder, each)
    with sole_writer(folder, reporter.note):
        write_experiment(folder, experiment)
        for group, subject in zip(groups, opened.subjects, strict=True):
            classifier = subject.classifier or opened.fit(subject.model, options)
            plans = {
                value: (run_path(folder, layout.run(group, value)), plan)
                for value, plan in subject.plans.items()
            }
            _run_points(layout, plans, classifier, opened.dataset, options.settings, reporter)


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


class _Subject(NamedTuple):
    """One of the models, and what is run on it at each value."""

    model: Model
    card: ModelCard
    plans: Mapping[float, Plan]
    classifier: Predictor | None


class _Opened(NamedTuple):
    """What was named, opened; a classifier is kept where it is the only one."""

    benchmark: Benchmark
    dataset: Dataset
    subjects: tuple[_Subject, ...]

    def fit(self, model: Model, options: RunOptions) -> Predictor:
        """Opens one of the models again."""
        return fit(
            model, self.dataset, self.benchmark, head=options.head, device=options.device
        ).classifier


def _open_all(
    layout: Layout,
    values: Sequence[float],
    models: Sequence[Model],
    data: Data,
    benchmark: str | Benchmark,
    options: RunOptions,
) -> _Opened:
    """Opens each model, to see that it can be before hours are spent on the one before it."""
    if not models:
        raise UserError("models: expected at least one, got none.")
    subjects = []
    for model in models:
        fitted = fit(model, data, benchmark, head=options.head, device=options.device)
        classifier, data, benchmark = fitted.classifier, fitted.dataset, fitted.benchmark
        expect_versioned(classifier)
        plans = {
            value: layout.plan(fitted.benchmark, classifier.card, options, value)
            for value in values
        }
        for plan in plans.values():
            check_compatibility(plan, classifier, fitted.dataset)
        kept = classifier if len(models) == 1 else None
        subjects.append(_Subject(model, classifier.card, plans, kept))
    return _Opened(fitted.benchmark, fitted.dataset, tuple(subjects))


def _merged(
    name: ExperimentName, there: Sequence[ExperimentRun], asked: Sequence[ExperimentRun]
) -> Experiment:
    """What was there and what comes to it: models as they came, the values of each rising."""
    runs = dict.fromkeys((*there, *asked))
    groups = list(dict.fromkeys(run.group for run in runs))
    ordered = sorted(runs, key=lambda run: (groups.index(run.group), run.value))
    return Experiment(name=name, runs=tuple(ordered))
