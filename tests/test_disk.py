"""Disks that are full, folders that vanish or can't be used: one line, and nothing is lost."""

import errno
import os
import shutil
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Never

import pytest

from small_runs import assert_same_results, rows_of, run_small
from unforeseen.cli import main
from unforeseen.errors import RunError
from unforeseen.results import load_results
from unforeseen.rows import Row
from unforeseen.run_folder.runlog import RunLog
from unforeseen.running.reporter import Silent

LIMIT = 3


@pytest.fixture(scope="module")
def undisturbed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("undisturbed")
    run_small(folder, limit=LIMIT, save_images=True)
    return folder


class Disk:
    """Counts what is written, and is full from the ``room``-th file on.

    Args:
        room: How many files fit; None is any number.
    """

    def __init__(self, room: int | None = None) -> None:
        self.room = room
        self.written = 0

    def fsync(self, _: int) -> None:
        """Stands for the last step of writing a file."""
        if self.written == self.room:
            raise OSError(errno.ENOSPC, "No space left on device")
        self.written += 1


def test_a_disk_full_at_any_file_ends_in_one_line_and_the_run_goes_on_later(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, undisturbed: Path
) -> None:
    roomy = Disk()
    with monkeypatch.context() as patch:
        patch.setattr("unforeseen.files.atomic.os.fsync", roomy.fsync)
        run_small(tmp_path / "roomy", limit=LIMIT, save_images=True)
    # Who holds the lock; record, list and summary; per cell a part and the whole; pictures.
    assert roomy.written == 1 + 3 + 3 * 2 + 2 * LIMIT

    for room in range(roomy.written):
        folder = tmp_path / str(room)
        with monkeypatch.context() as patch:
            patch.setattr("unforeseen.files.atomic.os.fsync", Disk(room).fsync)
            with pytest.raises(RunError, match="No space left on device") as caught:
                run_small(folder, limit=LIMIT, save_images=True)
        assert len(str(caught.value)) < 500
        assert not list(folder.rglob("*.tmp"))
        there = RunLog.open_for_reading(folder).rows().select("cell", "example_id", "seconds")
        run_small(folder, limit=LIMIT, save_images=True)
        assert_same_results(rows_of(folder), rows_of(undisturbed))
        now = RunLog.open_for_reading(folder).rows()
        assert there.join(now, on=there.columns, how="anti").is_empty(), "rows were made again"
        for file in undisturbed.rglob("*.png"):
            assert (folder / file.relative_to(undisturbed)).read_bytes() == file.read_bytes()


def test_a_folder_removed_while_it_is_written_is_said_to_be_gone(tmp_path: Path) -> None:
    folder = tmp_path / "run"

    class Removing(Silent):
        def row(self, row: Row) -> None:
            if row.transform == "pgd":
                shutil.rmtree(folder, ignore_errors=True)

    with pytest.raises(RunError, match="no longer there"):
        run_small(folder, reporter=Removing())


def a_folder(path: Path) -> None:
    path.unlink(missing_ok=True)
    path.mkdir()


def a_file(path: Path) -> None:
    if path.is_dir():
        shutil.rmtree(path)
    path.write_text("mine", encoding="utf-8")


@pytest.mark.parametrize(
    ("name", "make", "readable"),
    [
        ("run.json", a_folder, False),
        ("rows", a_file, False),
        ("rows/cell-ab12.parquet", a_folder, True),
        ("pictures.parquet", a_folder, True),
        ("summary.json", a_folder, True),
        ("images", a_file, True),
        (".lock", a_folder, True),
    ],
)
def test_something_else_under_a_files_name_is_one_line_for_writers_and_readers(
    tmp_path: Path, name: str, make: Callable[[Path], None], readable: bool
) -> None:
    run_small(tmp_path, limit=LIMIT)
    make(tmp_path / name)
    if readable:
        assert load_results(tmp_path).rows.height == 3 * LIMIT
    else:
        with pytest.raises(RunError) as read:
            load_results(tmp_path)
        assert name in str(read.value)
    if name != "rows/cell-ab12.parquet":
        with pytest.raises(RunError) as caught:
            run_small(tmp_path, save_images=True)
        assert "can't be" in str(caught.value)
        assert str(tmp_path) in str(caught.value)


def test_rows_that_are_a_file_are_not_no_rows(tmp_path: Path) -> None:
    run_small(tmp_path, limit=LIMIT)
    a_file(tmp_path / "rows")
    with pytest.raises(RunError, match="expected a folder of row files"):
        RunLog.open_for_reading(tmp_path).rows()


def test_rows_that_may_not_be_read_are_not_no_rows(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    run_small(tmp_path, limit=LIMIT)

    def refuse(_: Path) -> Never:
        raise PermissionError(errno.EACCES, "Permission denied")

    monkeypatch.setattr(Path, "iterdir", refuse)
    with pytest.raises(RunError, match="can't be read: Permission denied"):
        load_results(tmp_path)


@pytest.mark.parametrize("name", ["", "rows"])
def test_a_folder_that_may_only_be_read_is_one_line(tmp_path: Path, name: str) -> None:
    run_small(tmp_path, limit=LIMIT)
    (tmp_path / name).chmod(0o555)
    try:
        if os.access(tmp_path / name, os.W_OK):
            pytest.skip("rights that the superuser and Windows don't heed")
        with pytest.raises(RunError, match="can't be written: Permission denied"):
            run_small(tmp_path)
        assert load_results(tmp_path).rows.height == 3 * LIMIT
    finally:
        (tmp_path / name).chmod(0o755)


@pytest.mark.parametrize("length", [255, 1010, 1024, 4040, 4085, 4096])
def test_a_path_about_as_long_as_the_system_takes_works_or_is_one_line(
    tmp_path: Path, length: int
) -> None:
    folder = tmp_path
    while len(str(folder)) + 101 < length:
        folder /= "d" * 100
    folder /= "d" * max(1, length - len(str(folder)) - 1)
    complete = False
    with suppress(RunError):
        complete = run_small(folder, limit=1, attacks=["pgd"]).complete
    assert complete or length > 255


def test_the_program_ends_with_2_and_one_line(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    run_small(tmp_path, limit=LIMIT)
    a_file(tmp_path / "rows")
    with pytest.raises(SystemExit) as ended:
        main(["results", str(tmp_path)])
    assert ended.value.code == 2
    out, err = capsys.readouterr()
    assert not out
    assert len(err.splitlines()) == 1


def test_only_leftovers_of_our_own_names_are_removed(tmp_path: Path) -> None:
    (tmp_path / "rows").mkdir()
    (tmp_path / "rows" / "report.tmp").write_text("mine")
    RunLog(tmp_path)
    assert (tmp_path / "rows" / "report.tmp").exists()
