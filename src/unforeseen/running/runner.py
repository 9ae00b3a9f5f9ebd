"""Runs a plan on a data set into a folder, and continues what is there."""

__all__ = ["RunSettings", "run"]

from collections.abc import Collection, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import polars as pl

from unforeseen.check.before_run import QUICK, check_first, refuse_near_chance
from unforeseen.check.result import CheckResult
from unforeseen.counted import counted
from unforeseen.data.dataset import Dataset
from unforeseen.data.identity import identify
from unforeseen.data.selection import select
from unforeseen.errors import QueryBudgetError
from unforeseen.models.classifier import Predictor
from unforeseen.rows import CLEAN
from unforeseen.run_folder.lock import sole_writer
from unforeseen.run_folder.picture_list import write_picture_list
from unforeseen.run_folder.planned import PlannedRun
from unforeseen.run_folder.record import write_record
from unforeseen.run_folder.runlog import RunLog
from unforeseen.run_folder.summary import Summary, write_summary
from unforeseen.running.batch_size import batch_size_for
from unforeseen.running.cell_run import CellRun
from unforeseen.running.compatibility import check_compatibility
from unforeseen.running.continuation import (
    changes_to_tell,
    choice_seed_of,
    make_record,
    merged,
    previous_record,
    refuse_other_run,
    was_deterministic,
    with_nondeterministic,
)
from unforeseen.running.determinism import deterministic_algorithms
from unforeseen.running.images import image_path
from unforeseen.running.other_pictures import mended_pictures
from unforeseen.running.plan import Cell, Plan
from unforeseen.running.reporter import Reporter, Silent


@dataclass(frozen=True, kw_only=True)
class RunSettings:
    """What changes how a run goes but not what comes out of a picture.

    Attributes:
        limit: How many pictures at most; None takes all.
        choice_seed: Seed of the limit's choice, so that runs of several seeds judge the same
            pictures; None takes that of the run that is continued, else the plan's seed.
        batch_size: Pictures that the model sees at once; None chooses by size and device.
        save_images: Whether to keep every judged picture as ``images/<cell>/<id>.png``, 8 bit.
        check: Whether to look first if the set-up is right and the model can be attacked at all.
        deterministic: Whether to ask torch for the same bits again, and to keep batches full; see
            :func:`unforeseen.running.determinism.deterministic_algorithms`.
    """

    limit: int | None = None
    choice_seed: int | None = None
    batch_size: int | None = None
    save_images: bool = False
    check: bool = True
    deterministic: bool = False


def run(
    plan: Plan,
    classifier: Predictor,
    dataset: Dataset,
    folder: Path,
    *,
    settings: RunSettings | None = None,
    reporter: Reporter | None = None,
) -> Summary:
    """Runs what isn't there yet; every row is on disk soon after it is known.

    Args:
        plan: What to run.
        classifier: On what.
        dataset: With which pictures.
        folder: Where rows, record and summary go. A run that is there is continued.
        settings: How.
        reporter: Who watches.

    Returns:
        The summary of all that is in the folder, also written to ``summary.json``.

    Raises:
        RunError: The folder holds another run, or can't be written.
        DataError: The pictures don't fit the benchmark or the model.
        ModelError: The model can't do what the plan asks, or is checked and found near chance.
    """
    return _Run(
        plan=plan,
        classifier=classifier,
        dataset=dataset,
        folder=folder,
        settings=settings or RunSettings(),
        reporter=reporter or Silent(),
    ).run()


class _Run:
    """One call of :func:`run`."""

    def __init__(
        self,
        *,
        plan: Plan,
        classifier: Predictor,
        dataset: Dataset,
        folder: Path,
        settings: RunSettings,
        reporter: Reporter,
    ) -> None:
        self.plan = plan
        self.classifier = classifier
        self.dataset = dataset
        self.folder = folder
        self.settings = settings
        self.choice_seed = settings.choice_seed
        self.reporter = reporter
        self._told = 0
        self._unsaved = 0
        self._asked_to_check: int | None = None
        self._nondeterministic: Collection[str] = ()
        self.batch_size = batch_size_for(plan, classifier.device, settings.batch_size)

    def run(self) -> Summary:
        with self._counting_queries():
            if not self.settings.deterministic:
                return self._run()
            with deterministic_algorithms(self.classifier.device) as self._nondeterministic:
                return self._run()

    def _run(self) -> Summary:
        self.reporter.run_begins(self.plan)
        for note in check_compatibility(self.plan, self.classifier, self.dataset):
            self.reporter.note(note)
        previous = self._continued()
        for note in self.dataset.card.notes:
            self.reporter.note(note)
        if self.choice_seed is None:
            self.choice_seed = self.plan.seed if previous is None else choice_seed_of(previous)
        indices = select(self.dataset, self.settings.limit, self.choice_seed).tolist()
        with ExitStack() as alone:
            # The lock makes the folder, and what can't be run leaves none behind; but where
            # another process writes, a check would be in vain, and asks a service for money.
            if previous is not None:
                alone.enter_context(sole_writer(self.folder, self.reporter.note))
            found = self._check(indices, previous) if self.settings.check else None
            if previous is None:
                alone.enter_context(sole_writer(self.folder, self.reporter.note))
            self._run_on(indices, found)
            return write_summary(self.folder)

    def _check(self, indices: Sequence[int], previous: dict[str, Any] | None) -> CheckResult | None:
        """Looks at the first pictures, or at what was found in them before; says what was found."""
        try:
            found = check_first(
                self.plan,
                self.classifier,
                self.dataset,
                indices[:QUICK],
                batch_size=self.batch_size,
                reporter=self.reporter,
                previous=None if previous is None else PlannedRun.from_record(previous).check,
                known=None if previous is None else self._predictions(),
            )
        except QueryBudgetError:
            self.reporter.note("not checked: the budget is smaller than a check needs.")
            return None
        finally:
            self._asked_to_check = self.classifier.queries
        if found is None:
            self.reporter.note("not checked: no picture could be read.")
            return None
        refuse_near_chance(found, self.classifier.card.uri, self.dataset.card.uri)
        for note in (*found.lines_with_advice, *found.notes):
            self.reporter.note(note)
        return found

    def _predictions(self) -> dict[str, int | None]:
        """What clean rows say that a model predicts whose answers cost something; else nothing."""
        if self.classifier.queries is None:
            return {}
        rows = RunLog.open_for_reading(self.folder).rows([self.plan.cells[0].id])
        readable = rows.filter(pl.col("status") != "unreadable")
        return dict(readable.select("example_id", "prediction").iter_rows())

    def _run_on(self, indices: Sequence[int], found: CheckResult | None) -> None:
        self.reporter.indexing(0, len(indices))
        ids = identify(
            self.dataset, indices, lambda done: self.reporter.indexing(done, len(indices))
        )
        chosen = list(zip(indices, ids, strict=True))

        # Again: until the lock was there, another process may have written.
        previous = self._continued()
        mended = mended_pictures(self.folder, self.plan.cells[0].id, self.dataset, chosen)
        record = self._record(ids, found)
        if mended and previous is not None:
            self.reporter.note(
                f"pictures that couldn't be read and can be now: {len(mended)}; they are run."
            )
            previous["data"] = record["data"]
        there = 0 if previous is None else previous["data"]["chosen"]
        if there > len(chosen):
            self.reporter.note(
                f"{self.folder} holds a run on {counted(there, 'picture')}; figures are of all of "
                "them."
            )
        for note in changes_to_tell(self.folder, previous, record):
            self.reporter.note(note)
        # Before anything else is there: a folder without a record isn't continued.
        record = merged(previous, record)
        write_record(self.folder, record)
        write_picture_list(self.folder, self.dataset, chosen, without=mended)
        with (
            self._naming_nondeterministic(record),
            RunLog(self.folder) as log,
            self.classifier.inference(),
        ):
            if mended:
                # The clean rows last: as long as they are there, a run that was cut does it again.
                for each in sorted(record["cells"], key=lambda each: each["transform"] == CLEAN):
                    log.drop(each["id"], mended)
            made = CellRun(
                plan=self.plan,
                classifier=self.classifier,
                dataset=self.dataset,
                batch_size=self.batch_size,
                full_batches=self.settings.deterministic,
                images=self.folder if self.settings.save_images else None,
                reporter=self.reporter,
            )
            for cell in self.plan.cells:
                self._run_cell(cell, log, chosen, made)
        if self._unsaved:
            self.reporter.note(
                f"judged pictures that aren't kept: {self._unsaved}, of rows that were there, as "
                "these aren't made again. To keep all of them, use --save-images with another --out."
            )

    @contextmanager
    def _naming_nondeterministic(self, record: dict[str, Any]) -> Iterator[None]:
        """Puts the operations that weren't deterministic on record, also of a run that is cut."""
        if not self.settings.deterministic:
            yield
            return
        if not was_deterministic(record):
            self.reporter.note(
                f"some rows of {self.folder} were computed without --deterministic; they stay."
            )
        try:
            yield
        finally:
            names = sorted(self._nondeterministic)
            if names:
                self.reporter.note(
                    f"not deterministic on {self.classifier.device}, so that the last digits may "
                    f"differ next time: {', '.join(names)}."
                )
            write_record(self.folder, with_nondeterministic(record, names))

    def _continued(self) -> dict[str, Any] | None:
        """The record of the run that is to be continued; None where there is none yet."""
        previous = previous_record(self.folder)
        if previous is not None:
            refuse_other_run(self.folder, previous, self._record([]))
        return previous

    @contextmanager
    def _counting_queries(self) -> Iterator[None]:
        """Says at the end how many pictures were asked about, where each may cost something.

        The rows take over the answers that the check got.
        """
        self.classifier.report_to(self.reporter.note)
        before = self.classifier.queries
        try:
            yield
        finally:
            after = self.classifier.queries
            if before is not None and after is not None and after > before:
                uri = self.classifier.card.uri
                split = ""
                if self._asked_to_check is not None:
                    checked = self._asked_to_check - before
                    split = (
                        f": {checked:,} to check, {after - self._asked_to_check:,} more for rows"
                    )
                self.reporter.note(
                    f"{uri}: asked about {counted(after - before, 'picture')}{split}."
                )

    def _record(self, ids: Sequence[str], found: CheckResult | None = None) -> dict[str, Any]:
        return make_record(
            self.plan,
            self.classifier,
            self.dataset.card,
            ids=ids,
            limit=self.settings.limit,
            choice_seed=self.choice_seed,
            batch_size=self.batch_size,
            deterministic=self.settings.deterministic,
            check=found,
        )

    def _run_cell(
        self, cell: Cell, log: RunLog, chosen: Sequence[tuple[int, str]], made: CellRun
    ) -> None:
        rows = log.rows([cell.id])
        there = rows.select("example_id", "correct")
        while self._told < len(log.problems):
            self.reporter.note(log.problems[self._told])
            self._told += 1
        verdicts: dict[str, bool | None] = dict(there.iter_rows())
        missing = [(index, name) for index, name in chosen if name not in verdicts]
        done = [verdicts[name] for _, name in chosen if name in verdicts]
        if self.settings.save_images:
            attacked = rows.filter(pl.col("norm").is_not_null())["example_id"]
            self._unsaved += sum(
                not image_path(self.folder, cell.id, name).exists() for name in attacked
            )
        self.reporter.cell_begins(cell, total=len(chosen), done=done)
        if missing:
            for row in made.rows(cell, missing, log):
                log.append([row])
                self.reporter.row(row)
            log.compact(cell.id)
        self.reporter.cell_ends()
