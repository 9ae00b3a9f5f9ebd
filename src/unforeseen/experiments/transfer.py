"""Pictures made once against a source model, judged by many targets: appendix L of the paper."""

__all__ = ["transfer"]

import os
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path

from unforeseen.benchmarks import load_benchmark
from unforeseen.benchmarks.benchmark import Benchmark
from unforeseen.benchmarks.kinds import expect_attacks
from unforeseen.data.dataset import Dataset
from unforeseen.errors import UserError
from unforeseen.experiment_folder.naming import model_folders
from unforeseen.experiment_folder.record import (
    Experiment,
    ExperimentRun,
    previous_experiment,
    run_path,
    write_experiment,
)
from unforeseen.experiment_folder.transfer_runs import SOURCE
from unforeseen.experiments.every_picture import expect_every_picture
from unforeseen.experiments.option_names import speaking_of
from unforeseen.experiments.waiting_model import WaitingModel
from unforeseen.files.lock import sole_writer
from unforeseen.fitting import Data, Model, fit, fit_model, opened_model
from unforeseen.models.cards import ModelCard
from unforeseen.models.classifier import Predictor
from unforeseen.models.heads import Head
from unforeseen.report.tables import ResultTable
from unforeseen.report.transfer_files import write_transfer_report
from unforeseen.running.attack_plan import AttackPlan
from unforeseen.running.compatibility import check_compatibility, expect_versioned
from unforeseen.running.options import RunOptions
from unforeseen.running.reporter import Reporter, Silent
from unforeseen.running.runner import run
from unforeseen.running.transfer_plan import transfer_plan
from unforeseen.stage_reporter import in_one


def transfer(
    source: Model,
    targets: Sequence[Model],
    data: Data,
    benchmark: str | Benchmark = "imagenet-ua",
    *,
    target_head: str | Head | Sequence[str | Head] = (),
    options: RunOptions | None = None,
    out: str | os.PathLike[str],
    reporter: Reporter | None = None,
) -> ResultTable:
    """Attacks a source model and lets targets judge the pictures, or goes on with it.

    Args:
        source: Whom the pictures are made against, as :func:`unforeseen.evaluate` takes a model.
        targets: Who judges them. No gradient is taken of them, so that plain functions will do.
        data: As there.
        benchmark: As there.
        target_head: What maps the outputs of each of the targets to the benchmark's classes.
        options: As there; ``head`` is the source's. Every picture must be attacked: edition
            ``published``, search ``pgd`` or ``none``. None takes the usual.
        out: Folder of the experiment. In one that is there, further targets, attacks, levels and
            pictures come to those that are there.
        reporter: Who watches.

    Returns:
        The figures of the source and of all targets in the folder, as ``unforeseen results`` shows
        them.

    Raises:
        UserError: Something doesn't fit; the message says what to do. It is said before the source
            is attacked, if it can be known.
    """
    folder, reporter = Path(out), reporter or Silent()
    options = options or RunOptions()
    if not targets:
        raise UserError("targets: expected at least one, got none.")
    named = load_benchmark(benchmark) if isinstance(benchmark, str) else benchmark
    previous_experiment(folder, "transfer")
    with speaking_of("source"):
        opened = fit(
            source,
            data,
            expect_attacks(named),
            head=options.head,
            device=options.device,
            reporter=reporter,
        )
        expect_versioned(opened.classifier)
        plan = options.attack_plan(opened.benchmark, opened.classifier.card)
        expect_every_picture(plan.benchmark, plan.edition, plan.search)
        check_compatibility(plan, opened.classifier, opened.dataset)
    transferring = _Transferring(
        plan=plan,
        source=opened.classifier.card,
        dataset=opened.dataset,
        folder=folder,
        head=target_head,
        options=options,
        reporter=reporter,
    )
    # To see that each can be, before hours are spent on the source.
    judges = [transferring.look_at(target) for target in targets]
    cards = [judge.card for judge in judges]
    # What can't be run leaves no folder behind; once nobody else can write, all is looked at again.
    _laid_out(folder, cards)
    with sole_writer(folder, reporter.note):
        folders, experiment = _laid_out(folder, cards)
        write_experiment(folder, experiment)
        transferring.make_pictures(opened.classifier)
        del opened
        for judge, name in zip(judges, folders, strict=True):
            transferring.judge(judge, name)
        with in_one(reporter, "drawing the plot"):
            return write_transfer_report(folder)


@dataclass(frozen=True, kw_only=True)
class _Transferring:
    """One call of :func:`transfer`: what the source and all targets have in common."""

    plan: AttackPlan
    source: ModelCard
    dataset: Dataset
    folder: Path
    head: str | Head | Sequence[str | Head]
    options: RunOptions
    reporter: Reporter

    @speaking_of("source")
    def make_pictures(self, classifier: Predictor) -> None:
        """Runs the source."""
        self.reporter.part_begins(f"{self.source.uri}, the source model")
        self._run(self.plan, classifier, SOURCE)

    @speaking_of("target")
    def look_at(self, target: Model) -> WaitingModel:
        """Opens a target and sees whether it fits; nothing is judged yet."""
        return WaitingModel(
            partial(self._load, target),
            fits=lambda opened: check_compatibility(self._plan_of(opened), opened, self.dataset),
            note=self.reporter.note,
        )

    @speaking_of("target")
    def judge(self, judge: WaitingModel, name: str) -> None:
        """Runs a target on the source's pictures."""
        classifier = judge.open()
        self.reporter.part_begins(f"{judge.card.uri}, on the pictures made against the source")
        self._run(self._plan_of(classifier), classifier, name)

    def _load(self, target: Model) -> Predictor:
        with in_one(self.reporter, "loading the model"):
            classifier = opened_model(target, device=self.options.device)
            size = self.plan.picture_size
            return fit_model(classifier, self.plan.benchmark, self.head, picture_size=size)

    def _plan_of(self, classifier: Predictor) -> AttackPlan:
        folder = self.folder / SOURCE
        return transfer_plan(self.plan, self.source, classifier.card, folder=folder)

    def _run(self, plan: AttackPlan, classifier: Predictor, name: str) -> None:
        run(
            plan,
            classifier,
            self.dataset,
            run_path(self.folder, ExperimentRun(name, None)),
            settings=replace(self.options.settings, save_images=plan.source is None),
            reporter=self.reporter,
        )


def _laid_out(folder: Path, targets: Sequence[ModelCard]) -> tuple[tuple[str, ...], Experiment]:
    """Where each target's run goes; and all runs, those that are there and those that come to them."""
    there = previous_experiment(folder, "transfer")
    folders = model_folders(targets, folder, there, reserved=(SOURCE,))
    before = () if there is None else there.runs
    asked = [ExperimentRun(name, None) for name in (SOURCE, *folders)]
    return folders, Experiment(name="transfer", runs=tuple(dict.fromkeys((*before, *asked))))
