"""One run, or several on one trajectory, from the check before them to their summaries."""

__all__ = ["Session"]

from collections.abc import Collection, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, ExitStack, contextmanager
from functools import partial
from pathlib import Path
from typing import Any

from unforeseen.check.before_run import QUICK, check_first, refuse_near_chance
from unforeseen.check.result import CheckResult
from unforeseen.counted import counted
from unforeseen.data.dataset import Dataset
from unforeseen.data.identity import IDENTIFYING, identify
from unforeseen.data.selection import select
from unforeseen.errors import ModelError, QueryBudgetError
from unforeseen.files.lock import sole_writer
from unforeseen.models.classifier import Predictor
from unforeseen.run_folder.planned_kinds import planned_run
from unforeseen.run_folder.read_run import write_summary
from unforeseen.run_folder.summary import Summary
from unforeseen.running.batch_size import batch_size_for
from unforeseen.running.cell_run import CellRun
from unforeseen.running.compatibility import check_compatibility
from unforeseen.running.continuation import choice_seed_of, make_record
from unforeseen.running.determinism import deterministic_algorithms
from unforeseen.running.open_run import OpenRun
from unforeseen.running.plan import Plan
from unforeseen.running.reporter import Reporter
from unforeseen.running.run_settings import RunSettings
from unforeseen.running.trajectory import run_cells
from unforeseen.stage_reporter import in_one


class Session:
    """One call of ``runner.run``, or of ``together.run_together``.

    Args:
        plans: What to run, by the folder that it goes into. They differ in numbers of steps only,
            and where there are several, all searches can stop at checkpoints.
        classifier: On what.
        dataset: With which pictures.
        settings: How.
        reporter: Who watches.

    Raises:
        ModelError: A plan is of another model.
    """

    def __init__(
        self,
        plans: Mapping[Path, Plan],
        classifier: Predictor,
        dataset: Dataset,
        *,
        settings: RunSettings,
        reporter: Reporter,
    ) -> None:
        for plan in plans.values():
            if any((cell.model, cell.head) != classifier.card.identity for cell in plan.cells):
                raise ModelError(
                    f"{classifier.card.uri}: expected the network and head that the plan was made "
                    "for, got others. Make the plan of this model's card."
                )
        self._runs = sorted(
            (
                OpenRun(
                    plan,
                    folder,
                    describe=self._record,
                    note=reporter.note,
                    save_images=settings.save_images,
                )
                for folder, plan in plans.items()
            ),
            key=lambda each: -sum(cell.search.steps for cell in each.plan.attacked),
        )
        #: The longest, which all that isn't about one folder goes by.
        self._plan = self._runs[0].plan
        self._classifier = classifier
        self._dataset = dataset
        self._settings = settings
        self._choice_seed = settings.choice_seed
        self._reporter = reporter
        self._asked_to_check: int | None = None
        self._nondeterministic: Collection[str] = ()
        self._batch_size = batch_size_for(self._plan, classifier.device, settings.batch_size)

    def run(self) -> dict[Path, Summary]:
        """Runs what isn't there yet.

        Returns:
            The summary of each folder, as :func:`~unforeseen.running.runner.run` gives one.
        """
        with self._counting_queries():
            if not self._settings.deterministic:
                return self._run()
            with deterministic_algorithms(self._classifier.device) as self._nondeterministic:
                return self._run()

    def _run(self) -> dict[Path, Summary]:
        self._reporter.run_begins(self._plan)
        for note in check_compatibility(self._plan, self._classifier, self._dataset):
            self._reporter.note(note)
        records = [(each, each.previous()) for each in self._runs]
        previous = {each: record for each, record in records if record is not None}
        for note in self._dataset.card.notes:
            self._reporter.note(note)
        if self._choice_seed is None:
            there = next(iter(previous.values()), None)
            self._choice_seed = self._plan.seed if there is None else choice_seed_of(there)
        indices = select(self._dataset, self._settings.limit, self._choice_seed).tolist()
        with ExitStack() as alone:
            # The lock makes the folder, and what can't be run leaves none behind; but where
            # another process writes, a check would be in vain, and asks a service for money.
            for each in previous:
                alone.enter_context(self._sole_writer(each.folder))
            found = self._check(indices, previous) if self._settings.check else None
            for each in self._runs:
                if each not in previous:
                    alone.enter_context(self._sole_writer(each.folder))
            self._run_on(indices, found)
            with in_one(self._reporter, "counting figures"):
                return {each.folder: write_summary(each.folder) for each in self._runs}

    def _sole_writer(self, folder: Path) -> AbstractContextManager[None]:
        return sole_writer(folder, self._reporter.note, shown_by="unforeseen results")

    def _check(
        self, indices: Sequence[int], previous: Mapping[OpenRun, dict[str, Any]]
    ) -> CheckResult | None:
        """Looks at the first pictures, or at what was found in them before; says what was found."""
        before = (planned_run(record).check for record in previous.values())
        known: dict[str, int | None] = {}
        if previous and self._classifier.queries is not None:
            # Its answers cost something.
            known = next(iter(previous)).predictions()
        try:
            found = check_first(
                self._plan,
                self._classifier,
                self._dataset,
                indices[:QUICK],
                batch_size=self._batch_size,
                reporter=self._reporter,
                previous=next(filter(None, before), None),
                known=known,
            )
        except QueryBudgetError:
            self._reporter.note("not checked: the budget is smaller than a check needs.")
            return None
        finally:
            self._asked_to_check = self._classifier.queries
        if found is None:
            self._reporter.note("not checked: no picture could be read.")
            return None
        refuse_near_chance(found, self._classifier.card.uri, self._dataset.card.uri)
        for note in (*found.lines_with_advice, *found.notes):
            self._reporter.note(note)
        return found

    def _run_on(self, indices: Sequence[int], found: CheckResult | None) -> None:
        with in_one(self._reporter, IDENTIFYING):
            report = partial(self._reporter.advance, IDENTIFYING, total=len(indices))
            ids = identify(self._dataset, indices, report)
        chosen = list(zip(indices, ids, strict=True))
        for each in self._runs:
            each.compare(self._dataset, chosen)
        with ExitStack() as begun:
            for each in self._runs:
                begun.enter_context(each.begun(self._dataset, chosen, found))
            begun.enter_context(self._naming_nondeterministic())
            begun.enter_context(self._classifier.inference())
            made = CellRun(
                plan=self._plan,
                classifier=self._classifier,
                dataset=self._dataset,
                batch_size=self._batch_size,
                full_batches=self._settings.deterministic,
                reporter=self._reporter,
            )
            unsaved = sum(
                run_cells(
                    [each.open_cell(number) for each in self._runs],
                    chosen,
                    made,
                    log=self._runs[0].log,
                    reporter=self._reporter,
                )
                for number in range(len(self._plan.cells))
            )
        if unsaved:
            self._reporter.note(
                f"judged pictures that aren't kept: {unsaved}, of rows that were there, as "
                "these aren't made again. To keep all of them, use --save-images with another --out."
            )

    @contextmanager
    def _naming_nondeterministic(self) -> Iterator[None]:
        """Puts the operations that weren't deterministic on record, also of a run that is cut."""
        try:
            yield
        finally:
            names = sorted(self._nondeterministic)
            if names:
                self._reporter.note(
                    f"not deterministic on {self._classifier.device}, so that the last digits may "
                    f"differ next time: {', '.join(names)}."
                )
            if self._settings.deterministic:
                for each in self._runs:
                    each.name_nondeterministic(names)

    @contextmanager
    def _counting_queries(self) -> Iterator[None]:
        """Says at the end how many pictures were asked about, where each may cost something.

        The rows take over the answers that the check got.
        """
        self._classifier.report_to(self._reporter.note)
        before = self._classifier.queries
        try:
            yield
        finally:
            after = self._classifier.queries
            if before is not None and after is not None and after > before:
                uri = self._classifier.card.uri
                split = ""
                if self._asked_to_check is not None:
                    checked = self._asked_to_check - before
                    split = (
                        f": {checked:,} to check, {after - self._asked_to_check:,} more for rows"
                    )
                self._reporter.note(
                    f"{uri}: asked about {counted(after - before, 'picture')}{split}."
                )

    def _record(self, plan: Plan, ids: Sequence[str], found: CheckResult | None) -> dict[str, Any]:
        return make_record(
            plan,
            self._classifier,
            self._dataset.card,
            ids=ids,
            limit=self._settings.limit,
            choice_seed=self._choice_seed,
            batch_size=self._batch_size,
            deterministic=self._settings.deterministic,
            check=found,
        )
