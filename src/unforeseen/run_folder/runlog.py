"""The run log: per-picture rows on disk as soon as they exist, whatever happens to the process.

Rows lie in ``FOLDER/rows/*.parquet``. A flush writes a new part for each cell by a temporary
file and a rename, so a kill at any time loses at most what was not yet flushed and never damages
what was. Compacting a cell replaces its file first and deletes the parts after; a kill between
leaves rows twice, and reading takes each once. One process writes to a folder at a time
(:func:`unforeseen.files.lock.sole_writer`).
"""

__all__ = ["RunLog"]

import threading
import time
from collections.abc import Collection, Iterable, Sequence
from functools import partial
from pathlib import Path
from types import TracebackType
from typing import Self

import polars as pl

from unforeseen.errors import RunError
from unforeseen.files.atomic import TEMPORARY_SUFFIX, make_folder, patiently
from unforeseen.files.bounded_parquet import Allowance
from unforeseen.rows import ROW_SCHEMA, Row, frame_of
from unforeseen.run_folder.rowfile import (
    DamagedFileError,
    cell_of,
    check_cell,
    compact_name,
    is_row_file,
    part_name,
    read_rows,
    row_files,
    write_rows,
)


class RunLog:
    """The rows of one run folder. A context manager: leaving it flushes, whatever the reason.

    Args:
        folder: The run folder. Opened for writing, it is made where needed, and leftovers of a
            killed process are removed.
        writable: Whether rows are to be written; otherwise nothing is made, moved or removed.
        flush_rows: How many rows wait at most before they are written.
        flush_seconds: How long a row waits at most, even if no other comes.

    Attributes:
        problems: What was found wrong while reading, in words: damaged files, whose rows are
            missing until they are run again.

    Raises:
        RunError: The folder can't be made or written.
    """

    def __init__(
        self,
        folder: Path | str,
        *,
        writable: bool = True,
        flush_rows: int = 1000,
        flush_seconds: float = 2.0,
    ) -> None:
        self.problems: list[str] = []
        self._folder = Path(folder)
        self._rows_folder = self._folder / "rows"
        self._writable = writable
        self._flush_rows = flush_rows
        self._flush_seconds = flush_seconds
        self._flushed_at = time.monotonic()
        self._waiting: list[Row] = []
        self._lock = threading.RLock()
        self._timer: threading.Timer | None = None
        if writable:
            self._open_folder()

    @classmethod
    def open_for_reading(cls, folder: Path | str) -> Self:
        """Opens a run folder that must not change."""
        return cls(folder, writable=False)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.flush()

    def append(self, rows: Sequence[Row]) -> None:
        """Takes rows; they are on disk at the latest ``flush_seconds`` later.

        Raises:
            RunError: They can't be written. They stay in memory and the next flush tries again;
                what was written before stays on disk.
        """
        self._must_be_writable()
        for row in rows:
            check_cell(row.cell)
        with self._lock:
            self._waiting.extend(rows)
            waited = time.monotonic() - self._flushed_at
            if len(self._waiting) >= self._flush_rows or waited >= self._flush_seconds:
                self.flush()
            elif self._waiting and self._timer is None:
                self._timer = threading.Timer(self._flush_seconds - waited, self._flush_in_time)
                self._timer.daemon = True
                self._timer.start()

    def flush(self) -> None:
        """Writes what waits. Raises RunError as :meth:`append` does."""
        with self._lock:
            if self._timer is not None:
                self._timer.cancel()
                self._timer = None
            for cell in dict.fromkeys(row.cell for row in self._waiting):
                frame = frame_of(row for row in self._waiting if row.cell == cell)
                self._write(part_name(cell), frame)
                self._waiting = [row for row in self._waiting if row.cell != cell]
            self._flushed_at = time.monotonic()

    def rows(self, cells: Iterable[str] | None = None) -> pl.DataFrame:
        """All rows on disk, each once, sorted by cell and picture.

        Args:
            cells: Only of these; None takes all.

        Returns:
            With exactly the columns of :data:`unforeseen.rows.ROW_SCHEMA`.

        Raises:
            RunError: A file holds something else than rows.
        """
        chosen = None if cells is None else list(cells)
        with self._lock:
            return _each_once(self._frames(chosen).values())

    def compact(self, cell: str) -> None:
        """Puts all rows of a cell into one file.

        Raises:
            RunError: It can't be written, or a file holds something else than rows.
        """
        self._must_be_writable()
        check_cell(cell)
        with self._lock:
            self.flush()
            frames = self._frames([cell])
            if any(file.name != compact_name(cell) for file in frames):
                self._put_together(cell, frames, _each_once(frames.values()))

    def drop(self, cell: str, pictures: Collection[str]) -> None:
        """Takes the rows of some pictures away from a cell; compacts it if there were any.

        Raises:
            RunError: As in :meth:`compact`.
        """
        self._must_be_writable()
        check_cell(cell)
        with self._lock:
            self.flush()
            frames = self._frames([cell])
            rows = _each_once(frames.values())
            kept = rows.filter(~pl.col("example_id").is_in(list(pictures)))
            if kept.height < rows.height:
                self._put_together(cell, frames, kept)

    def discard(self, cell: str) -> None:
        """Removes all rows of a cell.

        Raises:
            RunError: They can't be removed.
        """
        self._must_be_writable()
        check_cell(cell)
        with self._lock:
            self.flush()
            self._remove(file for file in row_files(self._rows_folder) if cell_of(file) == cell)

    def _flush_in_time(self) -> None:
        try:
            self.flush()
        except RunError:
            # The rows still wait, and the next append or flush says so where it can be heard.
            return

    def _open_folder(self) -> None:
        try:
            make_folder(self._folder, "rows")
            for leftover in self._rows_folder.glob(f"*{TEMPORARY_SUFFIX}"):
                if is_row_file(leftover.stem):
                    leftover.unlink(missing_ok=True)
        except OSError as error:
            raise _unwritable(self._rows_folder, error) from error

    def _write(self, name: str, rows: pl.DataFrame) -> None:
        try:
            write_rows(self._rows_folder / name, rows)
        except OSError as error:
            raise _unwritable(self._rows_folder, error) from error

    def _put_together(self, cell: str, files: Iterable[Path], rows: pl.DataFrame) -> None:
        """Writes a cell's rows into one file, then removes the others."""
        name = compact_name(cell)
        self._write(name, rows)
        self._remove(file for file in files if file.name != name)

    def _remove(self, files: Iterable[Path]) -> None:
        try:
            for file in files:
                patiently(partial(file.unlink, missing_ok=True))
        except OSError as error:
            raise _unwritable(self._rows_folder, error) from error

    def _frames(self, cells: Sequence[str] | None) -> dict[Path, pl.DataFrame]:
        """Files that can be read and their rows; those of compacted files come first."""
        frames: dict[Path, pl.DataFrame] = {}
        allowance = Allowance()
        for file in row_files(self._rows_folder):
            if cells is not None and cell_of(file) not in cells:
                continue
            try:
                frames[file] = read_rows(file)
                allowance.take(file, frames[file])
            except DamagedFileError as error:
                self._set_aside(file, str(error))
            except FileNotFoundError as error:
                # Another process compacted the cell since the folder was listed; what is listed
                # all the same is a link to nowhere.
                if file in row_files(self._rows_folder):
                    raise _unreadable(file, error) from error
                return self._frames(cells)
            except OSError as error:
                raise _unreadable(file, error) from error
        return frames

    def _set_aside(self, file: Path, reason: str) -> None:
        problem = f"{file.name} is damaged and was skipped ({reason}); its rows will be run again"
        if problem not in self.problems:
            self.problems.append(problem)
        if self._writable:
            try:
                damaged = make_folder(self._folder, "rows", "damaged")
                patiently(lambda: file.replace(damaged / file.name))
            except OSError as error:
                raise _unwritable(self._rows_folder, error) from error

    def _must_be_writable(self) -> None:
        if not self._writable:
            raise RunError(f"{self._rows_folder} was opened for reading; open it for writing.")


def _each_once(frames: Iterable[pl.DataFrame]) -> pl.DataFrame:
    return (
        pl.concat([pl.DataFrame(schema=ROW_SCHEMA), *frames])
        .sort("cell", "example_id", maintain_order=True)
        .unique(["cell", "example_id"], keep="first", maintain_order=True)
    )


def _unreadable(file: Path, error: OSError) -> RunError:
    return RunError(f"{file} can't be read: {error.strerror or error}.")


def _unwritable(folder: Path, error: OSError) -> RunError:
    fate = "rows written so far are kept" if folder.exists() else "it is no longer there"
    return RunError(f"{folder} can't be written: {error.strerror or error}; {fate}.")
