"""A run folder while rows are being made for it."""

__all__ = ["OpenCell", "OpenRun"]

from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import polars as pl
from torch import Tensor

from unforeseen.check.result import CheckResult
from unforeseen.counted import counted
from unforeseen.data.dataset import Dataset
from unforeseen.rows import CLEAN, Row
from unforeseen.run_folder.picture_list import write_picture_list
from unforeseen.run_folder.record import write_record
from unforeseen.run_folder.runlog import RunLog
from unforeseen.running.agreement import run_to_continue
from unforeseen.running.cell_kinds import AttackedCell, Cell, ObfuscatedCell, ReadyMadeCell
from unforeseen.running.continuation import (
    changes_to_tell,
    merged,
    was_deterministic,
    with_nondeterministic,
)
from unforeseen.running.images import image_path, save_image
from unforeseen.running.obfuscation_plan import ObfuscationPlan
from unforeseen.running.other_pictures import mended_pictures
from unforeseen.running.plan import Plan


class OpenCell:
    """One cell of an open run: which pictures have a row, and where others go.

    Args:
        cell: Of the run's plan.
        folder: The run's.
        log: Open for writing.
        save_images: Whether judged pictures are kept.

    Attributes:
        cell: As given.
        unsaved: How many judged pictures of rows that were there aren't kept, though they should be.
    """

    def __init__(self, cell: Cell, folder: Path, log: RunLog, *, save_images: bool) -> None:
        self.cell = cell
        self._folder = folder
        self._log = log
        self._save_images = save_images
        rows = log.rows([cell.id])
        self._verdicts: dict[str, bool | None] = dict(
            rows.select("example_id", "correct").iter_rows()
        )
        self.unsaved = sum(map(self._is_unsaved, rows.filter(self._changed)["example_id"]))
        self._took_any = False

    @property
    def steps(self) -> int:
        """Updates that its search makes; 0 where there is none."""
        return self.cell.search.steps if isinstance(self.cell, AttackedCell) else 0

    def lacks(self, example_id: str) -> bool:
        """Whether a picture has no row yet."""
        return example_id not in self._verdicts

    def verdicts(self, example_ids: Iterable[str]) -> list[bool | None]:
        """Of those pictures that have a row (None: unreadable)."""
        return [self._verdicts[name] for name in example_ids if name in self._verdicts]

    def keep(self, row: Row, picture: Tensor) -> None:
        """Saves the judged picture of a row that is to be taken, if pictures are kept at all."""
        if self._save_images and self._wants(row):
            save_image(self._folder, self.cell.id, row.example_id, picture)

    def take(self, row: Row) -> bool:
        """Writes a row, if it is one that the cell lacks; says if it was."""
        wanted = self._wants(row)
        if wanted:
            self._verdicts[row.example_id] = row.correct
            self._log.append([row])
            self._took_any = True
        return wanted

    def take_from(self, others: Iterable["OpenCell"], example_ids: Iterable[str]) -> None:
        """Copies what it lacks from the same cell of other runs."""
        lacking = {name for name in example_ids if self.lacks(name)}
        for other in others:
            there = {name for name in lacking if not other.lacks(name)}
            if not there or other.cell.id != self.cell.id:
                continue
            rows = other._log.rows([self.cell.id])  # noqa: SLF001 - of its own kind
            rows = rows.filter(pl.col("example_id").is_in(there))
            for row in rows.iter_rows(named=True):
                self.take(Row(**row))
            self.unsaved += sum(map(self._is_unsaved, rows.filter(self._changed)["example_id"]))
            lacking -= there
        # What comes next reads rows from disk.
        self.close()

    def close(self) -> None:
        """Puts its rows into one file."""
        if self._took_any:
            self._log.compact(self.cell.id)

    @property
    def _changed(self) -> pl.Expr:
        """Whether a row is of a picture that isn't judged as it is, and so is kept."""
        if isinstance(self.cell, ObfuscatedCell | ReadyMadeCell):
            return pl.col("status") != "unreadable"
        return pl.col("norm").is_not_null()

    def _wants(self, row: Row) -> bool:
        return row.cell == self.cell.id and self.lacks(row.example_id)

    def _is_unsaved(self, name: str) -> bool:
        return self._save_images and not image_path(self._folder, self.cell.id, name).exists()


class OpenRun:
    """A plan and the folder that it is run into.

    Args:
        plan: What is run.
        folder: Where to.
        describe: Makes the record of a plan, given the ids of its pictures and what was found of
            them before the run.
        note: Told what a user should know.
        save_images: Whether judged pictures are kept.
    """

    def __init__(
        self,
        plan: Plan,
        folder: Path,
        *,
        describe: Callable[[Plan, Sequence[str], CheckResult | None], dict[str, Any]],
        note: Callable[[str], None],
        save_images: bool,
    ) -> None:
        self.plan = plan
        self.folder = folder
        self._describe = describe
        self._note = note
        self._save_images = save_images
        self._told = 0
        self._previous: dict[str, Any] | None = None
        self._mended: Collection[str] = ()
        self._untried: Collection[str] = ()
        self._record: dict[str, Any] = {}
        self._log: RunLog | None = None

    @property
    def log(self) -> RunLog:
        """Its rows, inside :meth:`begun`."""
        assert self._log is not None
        return self._log

    def previous(self) -> dict[str, Any] | None:
        """The record of the run that is to be continued; None where there is none yet.

        Raises:
            RunError: The folder holds something else.
        """
        return self._to_continue()[0]

    def _to_continue(self) -> tuple[dict[str, Any] | None, Collection[str]]:
        """What :meth:`previous` gives; and ids of the cells that it leaves out, to be discarded."""
        return run_to_continue(self.folder, self._describe(self.plan, [], None))

    def predictions(self) -> dict[str, int | None]:
        """What clean rows that are there say the model predicts."""
        rows = RunLog.open_for_reading(self.folder).rows([self.plan.clean.id])
        readable = rows.filter(pl.col("status") != "unreadable")
        return dict(readable.select("example_id", "prediction").iter_rows())

    def compare(self, dataset: Dataset, chosen: Sequence[tuple[int, str]]) -> None:
        """Looks at what is there, once nobody else can write.

        Args:
            dataset: Where the pictures lie.
            chosen: Index and id of each.

        Raises:
            RunError: The folder holds another run or other pictures.
        """
        self._previous, self._untried = self._to_continue()
        self._mended = mended_pictures(self.folder, self.plan.clean.id, dataset, chosen)

    @contextmanager
    def begun(
        self, dataset: Dataset, chosen: Sequence[tuple[int, str]], found: CheckResult | None
    ) -> Iterator[None]:
        """Writes record and list of pictures; rows can be read and written while the block lasts.

        Args:
            dataset: Where the pictures lie.
            chosen: Index and id of each; they were compared.
            found: Of the check before the run.

        Raises:
            RunError: The folder can't be written.
        """
        previous, mended = self._previous, self._mended
        record = self._describe(self.plan, [name for _, name in chosen], found)
        if mended and previous is not None:
            self._note(
                f"pictures that couldn't be read and can be now: {len(mended)}; they are run."
            )
            previous["data"] = record["data"]
        there = 0 if previous is None else previous["data"]["chosen"]
        if there > len(chosen):
            self._note(
                f"{self.folder} holds a run on {counted(there, 'picture')}; figures are of all of "
                "them."
            )
        for note in changes_to_tell(self.folder, previous, record):
            self._note(note)
        if self._untried:
            # Before the record forgets them, and so before the log that rows are written to is opened:
            # whoever goes on after a kill finds them once more.
            with RunLog(self.folder) as log:
                for cell in self._untried:
                    log.discard(cell)
        deterministic = was_deterministic(record)
        # Before anything else is there: a folder without a record isn't continued.
        self._record = merged(previous, record)
        write_record(self.folder, self._record)
        write_picture_list(self.folder, dataset, chosen, without=mended)
        if deterministic and not was_deterministic(self._record):
            self._note(
                f"some rows of {self.folder} were computed without --deterministic; they stay."
            )
        with RunLog(self.folder) as self._log:
            if mended:
                # The clean rows last: as long as they are there, a run that was cut does it again.
                cells = self._record["cells"]
                for each in sorted(cells, key=lambda each: each["transform"] == CLEAN):
                    self.log.drop(each["id"], mended)
            yield

    def open_cell(self, number: int) -> OpenCell:
        """A cell of the plan, by its place; says what is damaged among its rows."""
        if isinstance(self.plan, ObfuscationPlan) and self.plan.ready_made is not None:
            self._forget_unreadable(self.plan.cells[number])
        cell = OpenCell(
            self.plan.cells[number], self.folder, self.log, save_images=self._save_images
        )
        for problem in self.log.problems[self._told :]:
            self._note(problem)
        self._told = len(self.log.problems)
        return cell

    def _forget_unreadable(self, cell: Cell) -> None:
        """Looks again for pictures that couldn't be read, whose ids don't tell that they can be now."""
        rows = self.log.rows([cell.id])
        unreadable = rows.filter(pl.col("status") == "unreadable")["example_id"].to_list()
        self.log.drop(cell.id, unreadable)

    def name_nondeterministic(self, operations: Collection[str]) -> None:
        """Puts on record which operations couldn't be deterministic, of a run that was to be."""
        write_record(self.folder, with_nondeterministic(self._record, operations))
