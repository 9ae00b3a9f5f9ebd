"""Rows survive kills, damage and strangers' files; nothing is counted twice or lost in silence."""

import random
import subprocess
import sys
import time
from pathlib import Path

import polars as pl
import pytest
from polars.exceptions import PanicException
from polars.testing import assert_frame_equal

from unforeseen.errors import RunError
from unforeseen.rows import ROW_SCHEMA, Row, frame_of
from unforeseen.run_folder.rowfile import write_rows
from unforeseen.run_folder.runlog import RunLog

CELL, OTHER = "ab12", "cd34"


def row(picture: str, *, cell: str = CELL, correct: bool = True) -> Row:
    return Row(
        cell=cell,
        example_id=picture,
        label=1,
        transform="wood",
        level="low",
        seed=0,
        correct=correct,
        loss=0.5,
        top10=[{"class_index": 1, "probability": 0.75}],
    )


def files_in(folder: Path) -> list[Path]:
    return sorted((folder / "rows").glob("*.parquet"))


def pictures_in(log: RunLog) -> set[str]:
    """Those that have rows on disk."""
    return set(log.rows([CELL])["example_id"])


def written(folder: Path, *pictures: str) -> None:
    with RunLog(folder) as log:
        log.append([row(picture) for picture in pictures])


def test_rows_come_back_as_they_were_sorted_by_cell_and_picture(tmp_path: Path) -> None:
    rows = [row("b"), row("a", cell=OTHER), row("c"), row("a")]
    with RunLog(tmp_path) as log:
        log.append(rows[:2])
        log.flush()
        log.append(rows[2:])
    read = RunLog.open_for_reading(tmp_path).rows()
    assert_frame_equal(read, frame_of([rows[3], rows[0], rows[2], rows[1]]))
    assert read.schema == ROW_SCHEMA


def test_rows_can_be_taken_of_some_cells_only(tmp_path: Path) -> None:
    with RunLog(tmp_path) as log:
        log.append([row("a"), row("b", cell=OTHER)])
    log = RunLog.open_for_reading(tmp_path)
    assert log.rows([OTHER])["example_id"].to_list() == ["b"]
    assert log.rows([]).is_empty()
    assert log.rows(["ff"]).schema == ROW_SCHEMA


def test_rows_wait_until_there_are_enough(tmp_path: Path) -> None:
    log = RunLog(tmp_path, flush_rows=3, flush_seconds=100)
    log.append([row("a"), row("b")])
    assert files_in(tmp_path) == []
    log.append([row("c")])
    assert log.rows()["example_id"].to_list() == ["a", "b", "c"]


def test_rows_are_written_in_time_even_if_no_other_comes(tmp_path: Path) -> None:
    log = RunLog(tmp_path, flush_seconds=0.05)
    log.append([row("a")])
    deadline = time.monotonic() + 20
    while not files_in(tmp_path) and time.monotonic() < deadline:
        time.sleep(0.01)
    assert log.rows()["example_id"].to_list() == ["a"]


@pytest.mark.parametrize("kind", [KeyboardInterrupt, RuntimeError])
def test_leaving_by_an_exception_still_writes(tmp_path: Path, kind: type[BaseException]) -> None:
    log = RunLog(tmp_path, flush_seconds=100)

    def interrupted() -> None:
        with log:
            log.append([row("a")])
            raise kind

    with pytest.raises(kind):
        interrupted()
    assert pictures_in(RunLog.open_for_reading(tmp_path)) == {"a"}


def test_a_killed_process_leaves_every_flushed_row_and_a_folder_that_continues(
    tmp_path: Path,
) -> None:
    program = (
        "import sys, time\n"
        "from unforeseen.rows import Row\n"
        "from unforeseen.run_folder.runlog import RunLog\n"
        "log = RunLog(sys.argv[1], flush_rows=2, flush_seconds=1000)\n"
        "for number in range(5):\n"
        "    log.append([Row(cell='ab12', example_id=f'p{number}', label=0, transform='wood',"
        " level='low', seed=0)])\n"
        "print('appended', flush=True)\n"
        "time.sleep(60)\n"
    )
    process = subprocess.Popen(
        [sys.executable, "-c", program, str(tmp_path)], stdout=subprocess.PIPE, text=True
    )
    assert process.stdout is not None
    assert process.stdout.readline() == "appended\n"
    process.kill()
    process.communicate()
    with RunLog(tmp_path) as log:
        assert pictures_in(log) == {"p0", "p1", "p2", "p3"}
        log.append([row("p4")])
    assert RunLog.open_for_reading(tmp_path).rows().height == 5


def test_leftover_temporary_files_are_ignored_and_removed_by_the_next_writer(
    tmp_path: Path,
) -> None:
    written(tmp_path, "a")
    leftover = tmp_path / "rows" / f"part-{CELL}-{'0' * 32}.parquet.tmp"
    leftover.write_bytes(b"PAR1")
    reader = RunLog.open_for_reading(tmp_path)
    assert pictures_in(reader) == {"a"}
    assert leftover.exists()
    assert pictures_in(RunLog(tmp_path)) == {"a"}
    assert not leftover.exists()


def test_compacting_makes_one_file_of_a_cell_and_changes_no_row(tmp_path: Path) -> None:
    with RunLog(tmp_path, flush_rows=1) as log:
        for picture in "dbca":
            log.append([row(picture), row(picture, cell=OTHER)])
        before = log.rows()
        assert len(files_in(tmp_path)) == 8
        log.compact(CELL)
        log.compact(CELL)
        assert len([path for path in files_in(tmp_path) if CELL in path.name]) == 1
        assert (tmp_path / "rows" / f"cell-{CELL}.parquet").exists()
        assert_frame_equal(log.rows(), before)
        log.append([row("e")])
        log.compact(CELL)
    assert pictures_in(log) == set("abcde")
    assert len([path for path in files_in(tmp_path) if CELL in path.name]) == 1


def test_dropping_takes_the_rows_of_some_pictures_and_leaves_the_others(tmp_path: Path) -> None:
    with RunLog(tmp_path, flush_rows=1) as log:
        for picture in "abc":
            log.append([row(picture), row(picture, cell=OTHER)])
        before = files_in(tmp_path)
        log.drop(CELL, ["z"])
        assert files_in(tmp_path) == before
        log.drop(CELL, ["a", "c", "z"])
        assert log.rows()["example_id"].to_list() == ["b", "a", "b", "c"]
        log.drop(CELL, ["b"])
        assert pictures_in(log) == set()
        log.append([row("a")])
    assert pictures_in(RunLog(tmp_path)) == {"a"}


def test_a_crash_while_compacting_leaves_rows_twice_and_they_count_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with RunLog(tmp_path, flush_rows=1) as log:
        log.append([row("a")])
        log.append([row("b")])
        with monkeypatch.context() as patch:
            patch.setattr(Path, "unlink", _fail)
            with pytest.raises(RunError, match="can't be written"):
                log.compact(CELL)
        assert len(files_in(tmp_path)) == 3
        assert log.rows()["example_id"].to_list() == ["a", "b"]


def _fail(*_: object, **__: object) -> None:
    raise PermissionError(13, "in use")


@pytest.mark.parametrize("content", [b"", b"PAR1", b"PAR1PAR1", b"<html>", None])
def test_a_damaged_file_is_set_aside_and_told_and_the_rest_is_read(
    tmp_path: Path, content: bytes | None
) -> None:
    written(tmp_path, "a", "b")
    written(tmp_path, "c")
    first = files_in(tmp_path)[0]
    kept = {"a", "b", "c"} - pictures_in(RunLog.open_for_reading(tmp_path)).intersection(
        pl.read_parquet(first.read_bytes())["example_id"]
    )
    whole = first.read_bytes()
    first.write_bytes(whole[: len(whole) // 2] if content is None else content)

    reader = RunLog.open_for_reading(tmp_path)
    assert pictures_in(reader) == kept
    assert set(reader.rows()["example_id"]) == kept
    assert len(reader.problems) == 1
    assert first.name in reader.problems[0]
    assert first.exists()

    writer = RunLog(tmp_path)
    assert pictures_in(writer) == kept
    assert len(writer.problems) == 1
    assert not first.exists()
    assert (tmp_path / "rows" / "damaged" / first.name).exists()
    assert RunLog(tmp_path).problems == []


def test_a_panic_inside_polars_is_damage_too(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    written(tmp_path, "a")

    def panic(*_: object, **__: object) -> None:
        raise PanicException("index out of bounds")

    monkeypatch.setattr(pl, "read_parquet", panic)
    reader = RunLog.open_for_reading(tmp_path)
    assert reader.rows().is_empty()
    assert "index out of bounds" in reader.problems[0]


def test_random_damage_is_never_a_crash(tmp_path: Path) -> None:
    written(tmp_path, *map(str, range(20)))
    file = files_in(tmp_path)[0]
    whole, draw = file.read_bytes(), random.Random(0)
    for _ in range(150):
        content = bytearray(whole)
        for _ in range(draw.randrange(1, 4)):
            content[draw.randrange(len(content))] ^= draw.randrange(1, 256)
        file.write_bytes(content)
        reader = RunLog.open_for_reading(tmp_path)
        try:
            rows = reader.rows()
        except RunError:
            continue
        assert rows.schema == ROW_SCHEMA
        assert rows.is_empty() == bool(reader.problems)


@pytest.mark.parametrize(
    ("frame", "said"),
    [
        (pl.DataFrame({"x": [1]}), "expected a column cell of String, got None"),
        (frame_of([row("a")]).with_columns(label=pl.lit("a")), "label of Int64, got String"),
        (frame_of([row("a")]).with_columns(evil=1), "only the columns of rows, got also 'evil'"),
        (frame_of([row("a", cell=OTHER)]), f"cell {CELL} only"),
        (frame_of([row("a")]).with_columns(example_id=pl.lit(None, pl.String)), "pictures of cell"),
    ],
)
def test_a_file_that_holds_something_else_is_refused(
    tmp_path: Path, frame: pl.DataFrame, said: str
) -> None:
    written(tmp_path, "a")
    frame.write_parquet(tmp_path / "rows" / f"cell-{CELL}.parquet")
    with pytest.raises(RunError, match=said) as caught:
        RunLog.open_for_reading(tmp_path).rows()
    assert "\n" not in str(caught.value)


def test_one_picture_a_hundred_thousand_times_is_read_back(tmp_path: Path) -> None:
    """Ids that differ in their number only shrink to next to nothing."""
    ids = pl.DataFrame({"example_id": ["f" * 32, *(f"{'f' * 32}#{n}" for n in range(2, 100_001))]})
    rows = frame_of([row("a")]).drop("example_id").join(ids, how="cross").select(ROW_SCHEMA.names())
    file = tmp_path / "rows" / f"cell-{CELL}.parquet"
    file.parent.mkdir()
    write_rows(file, rows)
    assert file.stat().st_size < 8 * rows.height
    assert RunLog.open_for_reading(tmp_path).rows().height == rows.height


def test_a_file_with_a_name_of_another_form_is_refused(tmp_path: Path) -> None:
    written(tmp_path, "a")
    frame_of([row("b")]).write_parquet(tmp_path / "rows" / "mine.parquet")
    with pytest.raises(RunError, match=r"expected only cell-ID\.parquet"):
        RunLog.open_for_reading(tmp_path).rows()


@pytest.mark.parametrize("cell", ["", "../x", "AB", "a b", "f" * 65])
def test_a_cell_that_could_not_be_a_file_name_is_refused(tmp_path: Path, cell: str) -> None:
    log = RunLog(tmp_path)
    with pytest.raises(RunError, match="hexadecimal digits"):
        log.append([row("a", cell=cell)])
    with pytest.raises(RunError, match="hexadecimal digits"):
        log.compact(cell)


def test_a_folder_name_with_pattern_characters_is_only_a_name(tmp_path: Path) -> None:
    folder = tmp_path / "run[1] {a}"
    written(folder, "a")
    assert pictures_in(RunLog.open_for_reading(folder)) == {"a"}


def test_reading_makes_nothing_and_refuses_to_write(tmp_path: Path) -> None:
    log = RunLog.open_for_reading(tmp_path / "missing")
    assert log.rows().is_empty()
    assert not (tmp_path / "missing").exists()
    with pytest.raises(RunError, match="opened for reading"):
        log.append([row("a")])
    with pytest.raises(RunError, match="opened for reading"):
        log.compact(CELL)


def test_a_folder_that_cannot_be_made_is_one_line(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("", encoding="utf-8")
    with pytest.raises(RunError, match="can't be written") as caught:
        RunLog(tmp_path / "file")
    assert "\n" not in str(caught.value)


def test_a_full_disk_keeps_the_waiting_rows_for_the_next_flush(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    log = RunLog(tmp_path, flush_rows=1)
    log.append([row("a")])
    with monkeypatch.context() as patch:
        patch.setattr("os.fsync", _disk_full)
        with pytest.raises(RunError, match="No space left on device; rows written so far"):
            log.append([row("b")])
    assert log.rows()["example_id"].to_list() == ["a"]
    assert [path.suffix for path in (tmp_path / "rows").iterdir()] == [".parquet"]
    log.flush()
    assert log.rows()["example_id"].to_list() == ["a", "b"]


def _disk_full(_: int) -> None:
    raise OSError(28, "No space left on device")
