"""Runs a plan on a data set into a folder, and continues what is there."""

__all__ = ["RunSettings", "batch_size_for", "run"]

from collections.abc import Callable, Collection, Generator, Iterable, Iterator, Sequence
from contextlib import ExitStack, closing, contextmanager
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

import polars as pl
import torch

from unforeseen.cells import CleanResult, evaluate_attacked, evaluate_clean, without_attack
from unforeseen.check.before_run import QUICK, check_first, refuse_near_chance
from unforeseen.check.result import CheckResult
from unforeseen.compatibility import check_compatibility, of_the_benchmarks_size
from unforeseen.continuation import (
    changes_to_tell,
    make_record,
    merged,
    previous_record,
    refuse_other_run,
    was_deterministic,
    with_nondeterministic,
)
from unforeseen.data.conversions import Conversions
from unforeseen.data.dataset import Dataset
from unforeseen.data.identity import identify
from unforeseen.data.pictures import Picture, Unreadable, stream_pictures
from unforeseen.data.selection import select
from unforeseen.determinism import deterministic_algorithms
from unforeseen.errors import DataError, QueryBudgetError, RunError
from unforeseen.images import save_image
from unforeseen.lock import sole_writer
from unforeseen.models.classifier import Predictor
from unforeseen.models.memory import is_out_of_memory, smaller_batch
from unforeseen.picture_list import write_picture_list
from unforeseen.plan import Cell, Plan
from unforeseen.planned import PlannedRun
from unforeseen.record import write_record
from unforeseen.reporter import Reporter, Silent
from unforeseen.rows import CLEAN, Row
from unforeseen.runlog import RunLog
from unforeseen.summary import Summary, write_summary
from unforeseen.whole import whole_number

#: Pictures seen at once per 224 × 224 pixels, where the user names no number; a multiple of 16 so
#: that a half and a quarter of it still fill the vector units evenly.
PICTURES_AT_224 = {"cpu": 16, "cuda": 128, "mps": 32}
LARGEST_BATCH = {"cpu": 128, "cuda": 1024, "mps": 256}
#: Batches are padded, so that one beyond all reason would fill the memory with a single picture.
LARGEST_ASKED = 65_536


@dataclass(frozen=True, kw_only=True)
class RunSettings:
    """What changes how a run goes but not what comes out of a picture.

    Attributes:
        limit: How many pictures at most; None takes all.
        batch_size: Pictures that the model sees at once; None chooses by size and device.
        workers: Threads that read pictures.
        save_images: Whether to keep every judged picture as ``images/<cell>/<id>.png``, 8 bit.
        check: Whether to look first if the set-up is right and the model can be attacked at all.
        deterministic: Whether to ask torch for the same bits again, and to keep batches full; see
            :func:`unforeseen.determinism.deterministic_algorithms`.
    """

    limit: int | None = None
    batch_size: int | None = None
    workers: int = 2
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
        self.reporter = reporter
        self._told = 0
        self._conversions = Conversions()
        self._nondeterministic: Collection[str] = ()
        self.batch_size = batch_size_for(plan, classifier.device, settings.batch_size)

    def run(self) -> Summary:
        with self._counting_queries():
            if not self.settings.deterministic:
                return self._run()
            with deterministic_algorithms(self.classifier.device) as self._nondeterministic:
                return self._run()

    def _run(self) -> Summary:
        for note in check_compatibility(self.plan, self.classifier, self.dataset):
            self.reporter.note(note)
        begun = self._continued() is not None
        for note in self.dataset.card.notes:
            self.reporter.note(note)
        indices = select(self.dataset, self.settings.limit, self.plan.seed).tolist()
        with ExitStack() as alone:
            # The lock makes the folder, and what can't be run leaves none behind; but where
            # another process writes, a check would be in vain, and asks a service for money.
            if begun:
                alone.enter_context(sole_writer(self.folder, self.reporter.note))
            found = self._check(indices) if self.settings.check else None
            if not begun:
                alone.enter_context(sole_writer(self.folder, self.reporter.note))
            self._run_on(indices, found)
            return write_summary(self.folder)

    def _check(self, indices: Sequence[int]) -> CheckResult | None:
        """Looks at the first pictures, or at what was found in them before; says what was found."""
        previous = previous_record(self.folder)
        try:
            found = check_first(
                self.plan,
                self.classifier,
                self.dataset,
                indices[:QUICK],
                batch_size=self.batch_size,
                reporter=self.reporter,
                previous=None if previous is None else PlannedRun.from_record(previous).check,
            )
        except QueryBudgetError:
            self.reporter.note("not checked: the budget is smaller than a check needs.")
            return None
        if found is None:
            self.reporter.note("not checked: no picture could be read.")
            return None
        refuse_near_chance(found, self.classifier.card.uri, self.dataset.card.uri)
        for note in (*found.lines, *found.notes):
            self.reporter.note(note)
        return found

    def _run_on(self, indices: Sequence[int], found: CheckResult | None) -> None:
        self.reporter.indexing(0, len(indices))
        ids = identify(
            self.dataset, indices, lambda done: self.reporter.indexing(done, len(indices))
        )
        chosen = list(zip(indices, ids, strict=True))

        # Again: until the lock was there, another process may have written.
        previous = self._continued()
        self._refuse_other_data(chosen)
        there = 0 if previous is None else previous["data"]["chosen"]
        if there > len(chosen):
            self.reporter.note(
                f"{self.folder} holds a run on {there} pictures; figures are of all of them."
            )
        record = self._record(ids, found)
        for note in changes_to_tell(self.folder, previous, record):
            self.reporter.note(note)
        # Before anything else is there: a folder without a record isn't continued.
        record = merged(previous, record)
        write_record(self.folder, record)
        write_picture_list(self.folder, self.dataset, chosen)
        with (
            self._naming_nondeterministic(record),
            RunLog(self.folder) as log,
            self.classifier.inference(),
        ):
            for cell in self.plan.cells:
                self._run_cell(cell, log, chosen)

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
        """Says at the end how many pictures were asked about, where each may cost something."""
        self.classifier.report_to(self.reporter.note)
        before = self.classifier.queries
        try:
            yield
        finally:
            after = self.classifier.queries
            if before is not None and after is not None and after > before:
                uri = self.classifier.card.uri
                self.reporter.note(f"{uri}: asked about {after - before:,} pictures.")

    def _record(self, ids: Sequence[str], found: CheckResult | None = None) -> dict[str, Any]:
        return make_record(
            self.plan,
            self.classifier,
            self.dataset.card,
            ids=ids,
            limit=self.settings.limit,
            batch_size=self.batch_size,
            deterministic=self.settings.deterministic,
            check=found,
        )

    def _refuse_other_data(self, chosen: Sequence[tuple[int, str]]) -> None:
        """A run folder holds one data set; a smaller or larger part of it may be asked for."""
        rows = RunLog.open_for_reading(self.folder).rows([self.plan.cells[0].id])
        there = set(zip(rows["example_id"], rows["label"], strict=True))
        wanted = {(name, int(self.dataset.labels[index])) for index, name in chosen}
        if not (there <= wanted or wanted <= there):
            raise RunError(
                f"{self.folder} holds results on other pictures than {self.dataset.card.uri}: "
                f"{len(there - wanted)} of its {len(there)} are not among the {len(wanted)} "
                "chosen, or have another label. Use another --out."
            )

    def _run_cell(self, cell: Cell, log: RunLog, chosen: Sequence[tuple[int, str]]) -> None:
        there = log.rows([cell.id]).select("example_id", "correct")
        while self._told < len(log.problems):
            self.reporter.note(log.problems[self._told])
            self._told += 1
        verdicts: dict[str, bool | None] = dict(there.iter_rows())
        missing = [(index, name) for index, name in chosen if name not in verdicts]
        done = [verdicts[name] for _, name in chosen if name in verdicts]
        self.reporter.cell_begins(cell, total=len(chosen), done=done)
        if missing:
            for row in self._rows(cell, log, missing):
                log.append([row])
                self.reporter.row(row)
            log.compact(cell.id)
        self.reporter.cell_ends()

    def _rows(self, cell: Cell, log: RunLog, missing: Sequence[tuple[int, str]]) -> Iterator[Row]:
        if cell.transform == CLEAN:
            yield from self._halving(cell, missing, partial(self._clean_rows, cell))
            if self._conversions.note is not None:
                self.reporter.note(self._conversions.note)
            return
        clean = _clean_results(log.rows([self.plan.cells[0].id]))
        to_attack = []
        for index, name in missing:
            row = without_attack(cell, name, clean[name])
            if row is None:
                to_attack.append((index, name))
            else:
                yield row

        def attacked(items: Sequence[tuple[int, str]]) -> Iterator[Row]:
            with closing(self._stream(items)) as pictures:
                for row, picture in evaluate_attacked(
                    cell,
                    self.classifier,
                    _readable(pictures),
                    clean,
                    batch_size=self.batch_size,
                    full_batches=self.settings.deterministic,
                ):
                    if self.settings.save_images:
                        save_image(self.folder, cell.id, row.example_id, picture)
                    yield row

        yield from self._halving(cell, to_attack, attacked)

    def _clean_rows(self, cell: Cell, items: Sequence[tuple[int, str]]) -> Iterator[Row]:
        with closing(self._stream(items)) as pictures:
            yield from evaluate_clean(
                cell,
                self.classifier,
                self._conversions.watch(
                    of_the_benchmarks_size(pictures, self.plan, self.dataset.card)
                ),
                seed=self.plan.seed,
                batch_size=self.batch_size,
            )

    def _stream(
        self, items: Sequence[tuple[int, str]]
    ) -> Generator[Picture | Unreadable, None, None]:
        return stream_pictures(
            self.dataset,
            items,
            self.plan.preprocessing,
            workers=self.settings.workers,
            ahead=2 * self.batch_size,
        )

    def _halving(
        self,
        cell: Cell,
        items: Sequence[tuple[int, str]],
        rows_of: Callable[[Sequence[tuple[int, str]]], Iterator[Row]],
    ) -> Iterator[Row]:
        """Halves the batch, aloud, where it doesn't fit into memory; cuts it to what a budget leaves."""
        done: set[str] = set()
        while True:
            try:
                for row in rows_of([(index, name) for index, name in items if name not in done]):
                    done.add(row.example_id)
                    yield row
            except QueryBudgetError as error:
                if self.batch_size == 1:
                    raise
                # Fewer than were needed, so fewer than a batch. All of it becomes rows; where none
                # is left, so do the pictures whose answers are known.
                self.batch_size = max(1, error.left)
                continue
            except Exception as error:
                if not is_out_of_memory(error):
                    raise
                self.batch_size = smaller_batch(self.classifier, self.batch_size, error)
            else:
                return
            self.reporter.note(
                f"{cell.transform}: out of memory; going on with batches of {self.batch_size}."
            )


def batch_size_for(plan: Plan, device: torch.device, asked: int | None = None) -> int:
    """Pictures that a model sees at once: as many as asked for, or by their size and the device.

    Raises:
        UserError: ``asked`` is out of range.
    """
    if asked is not None:
        return whole_number("batch size", asked, minimum=1, maximum=LARGEST_ASKED)
    height, width = plan.picture_size
    scale = 224 * 224 / (height * width)
    kind = device.type if device.type in PICTURES_AT_224 else "cpu"
    fitting = int(PICTURES_AT_224[kind] * scale)
    return min(LARGEST_BATCH[kind], max(4, fitting - fitting % 16 or fitting))


def _readable(pictures: Iterable[Picture | Unreadable]) -> Iterator[Picture]:
    for picture in pictures:
        if isinstance(picture, Unreadable):
            raise DataError(
                f"picture {picture.example_id} could be read before and can't be any more "
                f"({picture.reason}). Restore it and run the same command again."
            )
        yield picture


def _clean_results(rows: pl.DataFrame) -> dict[str, CleanResult]:
    columns = list(CleanResult.__dataclass_fields__)
    return {
        row.pop("example_id"): CleanResult(**row)
        for row in rows.select("example_id", *columns).iter_rows(named=True)
    }
