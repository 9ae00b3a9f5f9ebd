"""Runs a plan on a data set into a folder, and continues what is there."""

__all__ = ["RunSettings", "Session", "run"]

from collections.abc import Collection, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from torch import Tensor

from unforeseen.check.before_run import QUICK, check_first, refuse_near_chance
from unforeseen.check.result import CheckResult
from unforeseen.counted import counted
from unforeseen.data.dataset import Dataset
from unforeseen.data.identity import identify
from unforeseen.data.selection import select
from unforeseen.errors import ModelError, QueryBudgetError
from unforeseen.models.classifier import Predictor
from unforeseen.rows import Row
from unforeseen.run_folder.lock import sole_writer
from unforeseen.run_folder.planned import PlannedRun
from unforeseen.run_folder.summary import Summary, write_summary
from unforeseen.running.batch_size import batch_size_for
from unforeseen.running.cell_kinds import AttackedCell
from unforeseen.running.cell_run import CellRun
from unforeseen.running.compatibility import check_compatibility
from unforeseen.running.continuation import (
    choice_seed_of,
    make_record,
)
from unforeseen.running.determinism import deterministic_algorithms
from unforeseen.running.open_run import OpenCell, OpenRun
from unforeseen.running.plan import Plan
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
    session = Session(
        {folder: plan},
        classifier,
        dataset,
        settings=settings or RunSettings(),
        reporter=reporter or Silent(),
    )
    return session.run()[folder]


class Session:
    """One call of :func:`run`, or of :func:`~unforeseen.running.together.run_together`.

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
        self.runs = sorted(
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
        self.plan = self.runs[0].plan
        self.classifier = classifier
        self.dataset = dataset
        self.settings = settings
        self.choice_seed = settings.choice_seed
        self.reporter = reporter
        self._asked_to_check: int | None = None
        self._nondeterministic: Collection[str] = ()
        self.batch_size = batch_size_for(self.plan, classifier.device, settings.batch_size)

    def run(self) -> dict[Path, Summary]:
        """Runs what isn't there yet.

        Returns:
            The summary of each folder, as :func:`run` gives one.
        """
        with self._counting_queries():
            if not self.settings.deterministic:
                return self._run()
            with deterministic_algorithms(self.classifier.device) as self._nondeterministic:
                return self._run()

    def _run(self) -> dict[Path, Summary]:
        self.reporter.run_begins(self.plan)
        for note in check_compatibility(self.plan, self.classifier, self.dataset):
            self.reporter.note(note)
        records = [(each, each.previous()) for each in self.runs]
        previous = {each: record for each, record in records if record is not None}
        for note in self.dataset.card.notes:
            self.reporter.note(note)
        if self.choice_seed is None:
            there = next(iter(previous.values()), None)
            self.choice_seed = self.plan.seed if there is None else choice_seed_of(there)
        indices = select(self.dataset, self.settings.limit, self.choice_seed).tolist()
        with ExitStack() as alone:
            # The lock makes the folder, and what can't be run leaves none behind; but where
            # another process writes, a check would be in vain, and asks a service for money.
            for each in previous:
                alone.enter_context(sole_writer(each.folder, self.reporter.note))
            found = self._check(indices, previous) if self.settings.check else None
            for each in self.runs:
                if each not in previous:
                    alone.enter_context(sole_writer(each.folder, self.reporter.note))
            self._run_on(indices, found)
            return {each.folder: write_summary(each.folder) for each in self.runs}

    def _check(
        self, indices: Sequence[int], previous: Mapping[OpenRun, dict[str, Any]]
    ) -> CheckResult | None:
        """Looks at the first pictures, or at what was found in them before; says what was found."""
        before = (PlannedRun.from_record(record).check for record in previous.values())
        known: dict[str, int | None] = {}
        if previous and self.classifier.queries is not None:
            # Its answers cost something.
            known = next(iter(previous)).predictions()
        try:
            found = check_first(
                self.plan,
                self.classifier,
                self.dataset,
                indices[:QUICK],
                batch_size=self.batch_size,
                reporter=self.reporter,
                previous=next(filter(None, before), None),
                known=known,
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

    def _run_on(self, indices: Sequence[int], found: CheckResult | None) -> None:
        self.reporter.indexing(0, len(indices))
        ids = identify(
            self.dataset, indices, lambda done: self.reporter.indexing(done, len(indices))
        )
        chosen = list(zip(indices, ids, strict=True))
        for each in self.runs:
            each.compare(self.dataset, chosen)
        with ExitStack() as begun:
            for each in self.runs:
                begun.enter_context(each.begun(self.dataset, chosen, found))
            begun.enter_context(self._naming_nondeterministic())
            begun.enter_context(self.classifier.inference())
            made = CellRun(
                plan=self.plan,
                classifier=self.classifier,
                dataset=self.dataset,
                batch_size=self.batch_size,
                full_batches=self.settings.deterministic,
                reporter=self.reporter,
            )
            unsaved = sum(
                self._run_cells([each.open_cell(number) for each in self.runs], chosen, made)
                for number in range(len(self.plan.cells))
            )
        if unsaved:
            self.reporter.note(
                f"judged pictures that aren't kept: {unsaved}, of rows that were there, as "
                "these aren't made again. To keep all of them, use --save-images with another --out."
            )

    def _run_cells(
        self, cells: list[OpenCell], chosen: Sequence[tuple[int, str]], made: CellRun
    ) -> int:
        """Runs what is missing of one transform at one level, in all folders.

        Args:
            cells: One of each folder.
            chosen: Index and id of every picture.
            made: Makes rows.

        Returns:
            How many judged pictures of rows that were there aren't kept, though they should be.
        """
        names = [name for _, name in chosen]
        for cell in cells:
            cell.take_from(cells, names)
        cells.sort(key=lambda cell: -cell.steps)
        # A picture's trajectory is as long as the longest search that it has no row of.
        missing: dict[OpenCell, list[tuple[int, str]]] = {}
        for index, name in chosen:
            longest = next((cell for cell in cells if cell.lacks(name)), None)
            if longest is not None:
                missing.setdefault(longest, []).append((index, name))
        for longest in [cell for cell in cells if cell in missing] or cells[:1]:
            self.reporter.cell_begins(longest.cell, total=len(chosen), done=longest.verdicts(names))
            if longest in missing:
                self._run_trajectory(longest, cells, missing[longest], made)
            self.reporter.cell_ends()
        return sum(cell.unsaved for cell in cells)

    def _run_trajectory(
        self,
        longest: OpenCell,
        cells: Sequence[OpenCell],
        items: Sequence[tuple[int, str]],
        made: CellRun,
    ) -> None:
        """Runs one cell on pictures that it lacks; the shorter ones get their rows on the way."""
        shorter = {
            cell.steps: cell.cell
            for cell in cells
            if isinstance(cell.cell, AttackedCell)
            and cell.steps < longest.steps
            and any(cell.lacks(name) for _, name in items)
        }

        def keep(row: Row, picture: Tensor) -> None:
            for cell in cells:
                cell.keep(row, picture)

        rows = made.rows(
            longest.cell, items, self.runs[0].log, shorter=[*shorter.values()], keep=keep
        )
        for row in rows:
            taken = [cell for cell in cells if cell.take(row)]
            if longest in taken:
                self.reporter.row(row)
        for cell in cells:
            cell.close()

    @contextmanager
    def _naming_nondeterministic(self) -> Iterator[None]:
        """Puts the operations that weren't deterministic on record, also of a run that is cut."""
        try:
            yield
        finally:
            names = sorted(self._nondeterministic)
            if names:
                self.reporter.note(
                    f"not deterministic on {self.classifier.device}, so that the last digits may "
                    f"differ next time: {', '.join(names)}."
                )
            if self.settings.deterministic:
                for each in self.runs:
                    each.name_nondeterministic(names)

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

    def _record(self, plan: Plan, ids: Sequence[str], found: CheckResult | None) -> dict[str, Any]:
        return make_record(
            plan,
            self.classifier,
            self.dataset.card,
            ids=ids,
            limit=self.settings.limit,
            choice_seed=self.choice_seed,
            batch_size=self.batch_size,
            deterministic=self.settings.deterministic,
            check=found,
        )
