"""The rows of one cell after the other, in batches that fit into memory and budget."""

__all__ = ["CellRun"]

from collections.abc import Callable, Generator, Iterable, Iterator, Mapping, Sequence
from contextlib import closing
from functools import partial

import polars as pl
from torch import Tensor

from unforeseen.data.conversions import Conversions
from unforeseen.data.dataset import Dataset
from unforeseen.data.donors import Donors
from unforeseen.data.pictures import Picture, Unreadable, stream_pictures
from unforeseen.errors import DataError, QueryBudgetError
from unforeseen.models.classifier import Predictor
from unforeseen.models.memory import is_out_of_memory
from unforeseen.rows import Row
from unforeseen.run_folder.runlog import RunLog
from unforeseen.running.attack_plan import AttackPlan
from unforeseen.running.batch_size import smaller_batch
from unforeseen.running.cell_kinds import (
    AttackedCell,
    Cell,
    CleanCell,
    ObfuscatedCell,
    ReadyMadeCell,
    TransferredCell,
)
from unforeseen.running.cells import CleanResult, evaluate_attacked, evaluate_clean, without_attack
from unforeseen.running.compatibility import of_the_benchmarks_size
from unforeseen.running.obfuscated import evaluate_obfuscated
from unforeseen.running.obfuscated_pictures import obfuscated_pictures
from unforeseen.running.plan import Plan
from unforeseen.running.reporter import Reporter
from unforeseen.running.stored_pictures import read_stored
from unforeseen.running.transferred import evaluate_transferred


class CellRun:
    """Makes rows. What it learns of one cell, as that a batch is too large, holds for the next.

    Args:
        plan: Whose cells.
        classifier: Inside its ``inference()`` while rows are made.
        dataset: Where the pictures lie.
        batch_size: How many the model sees at once, to begin with.
        full_batches: See :meth:`~unforeseen.search.search.Search.run`.
        reporter: Told what a user should know.
    """

    def __init__(
        self,
        *,
        plan: Plan,
        classifier: Predictor,
        dataset: Dataset,
        batch_size: int,
        full_batches: bool,
        reporter: Reporter,
    ) -> None:
        self._plan = plan
        self._classifier = classifier
        self._dataset = dataset
        self._batch_size = batch_size
        self._full_batches = full_batches
        self._reporter = reporter
        self._conversions = Conversions()
        self._donors = Donors(dataset, plan.preprocessing, plan.seed)

    def rows(
        self,
        cell: Cell,
        missing: Sequence[tuple[int, str]],
        log: RunLog,
        *,
        shorter: Sequence[AttackedCell] = (),
        keep: Callable[[Row, Tensor], None] | None = None,
    ) -> Iterator[Row]:
        """Makes the rows of one cell; yields each as soon as it is known.

        Args:
            cell: Of the run's plan.
            missing: Index and id of the pictures that have no row yet.
            log: Where the clean rows of these are, if it isn't their cell.
            shorter: Cells of the same search with fewer steps, whose rows are made on the way; where
                a batch didn't fit into memory, some of them twice.
            keep: Given each row before it is yielded, and its judged picture, (3, H, W).

        Raises:
            ModelError: The model fails, or can't be asked about a single picture.
            DataError: A picture doesn't fit, or can't be read any more.
            RunError: A picture can't be saved.
        """
        if isinstance(cell, CleanCell):
            yield from self._halving(cell, missing, partial(self._clean_rows, cell))
            if self._conversions.note is not None:
                self._reporter.note(self._conversions.note)
            return
        clean = _clean_results(log.rows([self._plan.clean.id]))
        to_judge = []
        for index, name in missing:
            rows = [without_attack(each, name, clean[name]) for each in (*shorter, cell)]
            if None in rows:
                to_judge.append((index, name))
            else:
                yield from filter(None, rows)

        rows_of: Callable[[Sequence[tuple[int, str]]], Iterator[Row]]
        if isinstance(cell, AttackedCell):
            rows_of = partial(self._attacked_rows, cell, shorter, clean, keep)
        elif isinstance(cell, ObfuscatedCell | ReadyMadeCell):
            rows_of = partial(self._obfuscated_rows, cell, clean, keep)
        else:
            rows_of = partial(self._transferred_rows, cell, clean)
        yield from self._halving(cell, to_judge, rows_of)

    def _clean_rows(self, cell: CleanCell, items: Sequence[tuple[int, str]]) -> Iterator[Row]:
        with closing(self._stream(items)) as pictures:
            yield from evaluate_clean(
                cell,
                self._classifier,
                self._conversions.watch(
                    of_the_benchmarks_size(pictures, self._plan, self._dataset.card)
                ),
                seed=self._plan.seed,
                batch_size=self._batch_size,
            )

    def _attacked_rows(
        self,
        cell: AttackedCell,
        shorter: Sequence[AttackedCell],
        clean: Mapping[str, CleanResult],
        keep: Callable[[Row, Tensor], None] | None,
        items: Sequence[tuple[int, str]],
    ) -> Iterator[Row]:
        with closing(self._stream(items)) as pictures:
            for row, picture in evaluate_attacked(
                cell,
                self._classifier,
                _readable(pictures),
                clean,
                shorter=shorter,
                donors=self._donors,
                batch_size=self._batch_size,
                full_batches=self._full_batches,
            ):
                if keep is not None:
                    keep(row, picture)
                yield row

    def _transferred_rows(
        self,
        cell: TransferredCell,
        clean: Mapping[str, CleanResult],
        items: Sequence[tuple[int, str]],
    ) -> Iterator[Row]:
        assert isinstance(self._plan, AttackPlan)
        ahead = 2 * self._batch_size
        with closing(read_stored(self._plan, cell, self._dataset, items, ahead=ahead)) as pictures:
            yield from evaluate_transferred(
                cell, self._classifier, pictures, clean, batch_size=self._batch_size
            )

    def _obfuscated_rows(
        self,
        cell: ObfuscatedCell | ReadyMadeCell,
        clean: Mapping[str, CleanResult],
        keep: Callable[[Row, Tensor], None] | None,
        items: Sequence[tuple[int, str]],
    ) -> Iterator[Row]:
        made = obfuscated_pictures(
            self._plan, cell, self._dataset, items, ahead=2 * self._batch_size
        )
        with closing(made) as pictures:
            for row, picture in evaluate_obfuscated(
                cell, self._classifier, pictures, clean, batch_size=self._batch_size
            ):
                if keep is not None and picture is not None:
                    keep(row, picture.image)
                yield row

    def _stream(
        self, items: Sequence[tuple[int, str]]
    ) -> Generator[Picture | Unreadable, None, None]:
        return stream_pictures(
            self._dataset,
            items,
            self._plan.preprocessing,
            ahead=2 * self._batch_size,
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
                    if row.cell == cell.id:
                        done.add(row.example_id)
                    yield row
            except QueryBudgetError as error:
                if self._batch_size == 1:
                    raise
                # Fewer than were needed, so fewer than a batch. All of it becomes rows; where none
                # is left, so do the pictures whose answers are known.
                self._batch_size = max(1, error.left // cell.eot)
                continue
            except Exception as error:
                if not is_out_of_memory(error):
                    raise
                self._batch_size = smaller_batch(self._classifier, self._batch_size, error)
            else:
                return
            self._reporter.note(
                f"{cell.transform}: out of memory; going on with batches of {self._batch_size}."
            )


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
