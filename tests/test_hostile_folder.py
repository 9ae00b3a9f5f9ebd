"""A run folder made by somebody who means harm: nothing in it is run, followed or obeyed."""

import json
import os
import pickle
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import polars as pl
import pytest

from fuzzing import a_result_or_one_line
from made_runs import made_folder, made_record, made_rows
from small_runs import run_small
from unforeseen.cli import main
from unforeseen.errors import RunError
from unforeseen.files.bounded_parquet import TooLargeError, read_bounded
from unforeseen.recount import recount
from unforeseen.results import load_results
from unforeseen.rows import frame_of
from unforeseen.run_folder.picture_list import read_picture_list
from unforeseen.run_folder.record import write_record
from unforeseen.run_folder.runlog import RunLog


class Trap:
    """A pickle of it makes a file when it is loaded."""

    def __init__(self, file: Path) -> None:
        self.file = file

    def __reduce__(self) -> tuple[Callable[..., object], tuple[object, ...]]:
        return (Path.touch, (self.file,))


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return made_folder(tmp_path / "run", made_record(levels=("medium",)))


def read_all(folder: Path) -> None:
    """Every command that reads a run folder, and a run that would continue it."""
    commands: list[list[str]] = [["recount", str(folder)]]
    commands += [
        ["results", str(folder), "--published", "--format", form]
        for form in ("table", "csv", "json", "markdown")
    ]
    for command in commands:
        with pytest.raises(SystemExit) as ended:
            main(command)
        assert ended.value.code in (0, 1, 2)
    with pytest.raises(RunError):
        run_small(folder)


NAMES = [
    *("run.json", "summary.json", "pictures.parquet", "rows/cell-c0.parquet"),
    *(f"rows/part-c0-{'0' * 32}.parquet", "rows/model.pkl", "rows/cell-c0.parquet.tmp"),
    *("model.pt", "model.pth", "model.pt2", "images/c0/x.png", ".lock", ".lock-holder"),
]


@pytest.mark.parametrize("name", NAMES)
def test_a_pickle_under_any_name_is_not_loaded(folder: Path, name: str) -> None:
    sprung = folder.parent / "sprung"
    file = folder / name
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_bytes(pickle.dumps(Trap(sprung)))
    read_all(folder)
    assert not sprung.exists()
    pickle.loads(file.read_bytes() if file.exists() else pickle.dumps(Trap(sprung)))
    assert sprung.exists(), "the trap itself works"


@pytest.mark.parametrize("key", ["model", "data"])
@pytest.mark.parametrize("uri", ["py:evil.py:make", "evil.pt2", "py:evil:make"])
def test_code_that_a_record_names_is_not_run(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, uri: str, key: str
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.syspath_prepend(tmp_path)
    code = "open('sprung', 'w')\ndef make(): open('sprung', 'w')\n"
    (tmp_path / "evil.py").write_text(code, encoding="utf-8")
    (tmp_path / "evil.pt2").write_bytes(pickle.dumps(Trap(tmp_path / "sprung")))
    record = made_record(levels=("medium",))
    record[key]["uri"] = uri
    read_all(made_folder(tmp_path / "run", record))
    assert not (tmp_path / "sprung").exists()


EVIL = "\x1b]0;owned\x07\x1b[2J<script>alert(1)</script>|`x`](http://evil)[red]\u202e\n# heading"


@pytest.mark.parametrize("keys", [("model", "uri"), ("data", "uri"), ("benchmark", "title")])
def test_names_cannot_steer_a_terminal_a_page_or_a_spreadsheet(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], keys: tuple[str, str]
) -> None:
    record = made_record(levels=("medium",))
    record[keys[0]][keys[1]] = EVIL
    folder = made_folder(tmp_path / "run", record)
    for form in ("table", "csv", "json", "markdown"):
        with pytest.raises(SystemExit) as ended:
            main(["results", str(folder), "--format", form])
        out, err = capsys.readouterr()
        if keys == ("benchmark", "title"):
            assert ended.value.code == 2, "a title is one line of printable text"
            assert err.count("\n") == 1
        for text in (out, err):
            assert not {"\x1b", "\x07", "\u202e"} & set(text)
        if form == "markdown":
            assert "<script>" not in out
            assert "\n# heading" not in out
    with pytest.raises(SystemExit):
        main(["recount", str(folder)])
    assert "\x1b" not in "".join(capsys.readouterr())


def test_files_that_are_links_are_read_as_data_and_their_targets_stay(
    tmp_path: Path, folder: Path
) -> None:
    precious = tmp_path / "precious"
    precious.write_bytes(b"mine")
    part = folder / "rows" / f"part-c0-{'0' * 32}.parquet"
    try:
        part.symlink_to(precious)
        (folder / "run.json.tmp").symlink_to(precious)
        (folder / "summary.json.tmp").symlink_to(precious)
    except OSError:
        pytest.skip("this user may not make links")
    assert load_results(folder).summary.partial
    assert RunLog(folder).rows(["c0"]).height == 10
    assert (folder / "rows" / "damaged" / part.name).is_symlink(), "set aside, not its target"
    write_record(folder, made_record())
    assert precious.read_bytes() == b"mine"
    assert not (folder / "run.json").is_symlink()


def test_a_link_to_nowhere_among_the_rows_is_one_line(folder: Path) -> None:
    part = folder / "rows" / f"part-c0-{'0' * 32}.parquet"
    a_link(part, folder / "nowhere")
    for read in (load_results, recount):
        with pytest.raises(RunError, match=f"{part.name} can't be read"):
            read(folder)
    with pytest.raises(RunError, match="can't be read"):
        RunLog(folder).rows()


@pytest.mark.parametrize("name", ["rows", "images", "images/CELL"])
def test_nothing_is_written_through_a_folder_that_is_a_link(tmp_path: Path, name: str) -> None:
    run, elsewhere = tmp_path / "run", tmp_path / "elsewhere"
    run_small(run, save_images=True)
    cell = next((run / "images").iterdir()).name
    linked = run / name.replace("CELL", cell)
    shutil.copytree(linked, elsewhere)
    shutil.rmtree(linked)
    a_link(linked, elsewhere)
    for file in (run / "rows").glob("*.parquet"):
        if cell in file.name and name != "rows":
            file.unlink()
    before = {file: file.read_bytes() for file in sorted(elsewhere.rglob("*.*"))}
    with pytest.raises(RunError, match="is a link, through which nothing is written") as caught:
        run_small(run, attacks=("pgd", "pixel", "wood"), save_images=True)
    assert "\n" not in str(caught.value)
    assert {file: file.read_bytes() for file in sorted(elsewhere.rglob("*.*"))} == before


def test_damaged_rows_are_not_set_aside_through_a_link(tmp_path: Path, folder: Path) -> None:
    (tmp_path / "elsewhere").mkdir()
    a_link(folder / "rows" / "damaged", tmp_path / "elsewhere")
    (folder / "rows" / f"part-c0-{'0' * 32}.parquet").write_bytes(b"no parquet")
    with pytest.raises(RunError, match="damaged is a link"):
        RunLog(folder).rows()
    assert not list((tmp_path / "elsewhere").iterdir())


def a_link(place: Path, target: Path) -> None:
    try:
        place.symlink_to(target, target_is_directory=target.is_dir())
    except OSError:
        pytest.skip("this user may not make links")


@pytest.mark.parametrize(
    "name", ["../../precious", "/etc/passwd", "C:\\x", "a\x00b", "x" * 100_000]
)
def test_ids_of_pictures_are_never_taken_for_paths(
    tmp_path: Path, name: str, capsys: pytest.CaptureFixture[str]
) -> None:
    record = made_record(levels=("medium",))
    folder = made_folder(tmp_path / "run", record)
    file = folder / "rows" / f"part-c0-{'0' * 32}.parquet"
    row = made_rows(record)[0]
    frame_of([row]).with_columns(example_id=pl.lit(name)).write_parquet(file)
    before = sorted(tmp_path.rglob("*"))
    read_all(folder)
    assert set(before) <= set(tmp_path.rglob("*"))
    assert all(path.is_relative_to(tmp_path / "run") for path in tmp_path.rglob("*.parquet"))
    assert len("".join(capsys.readouterr())) < 50_000


HUGE_NUMBERS = [
    "1e999",
    "-1e999",
    "NaN",
    "Infinity",
    "1" * 5000,
    "0." + "1" * 100_000,
    "1e-999999999",
]


@pytest.mark.parametrize("number", HUGE_NUMBERS, ids=lambda number: number[:12])
@pytest.mark.parametrize("key", ["seed", "chosen", "radius"])
def test_numbers_beyond_all_bounds_are_one_line(folder: Path, key: str, number: str) -> None:
    text = json.dumps(made_record(levels=("medium",)) | {"comment": 0})
    place = {"seed": '"seed": 0', "chosen": '"chosen": 10', "radius": '"comment": 0'}[key]
    assert text.count(place) == 1
    (folder / "run.json").write_text(text.replace(place, f"{place.partition(':')[0]}: {number}"))
    with a_result_or_one_line(longest=500):
        assert load_results(folder).summary.images == 10


@pytest.mark.parametrize(
    "content",
    [
        b"[" * 1_000_000,
        b'{"a":' * 100_000,
        b" " * (2**26 + 1),
        b'{"schema": 1, "a": "' + b"x" * 2**22,
    ],
    ids=["deep list", "deep object", "larger than any record", "one long text"],
)
def test_a_record_that_would_fill_memory_or_stack_is_one_line(folder: Path, content: bytes) -> None:
    (folder / "run.json").write_bytes(content)
    for read in (load_results, recount):
        with pytest.raises(RunError):
            read(folder)


def test_a_small_file_of_endless_rows_is_refused_before_they_fill_the_memory(folder: Path) -> None:
    row = made_rows(made_record(levels=("medium",)))[0]
    file = folder / "rows" / f"part-c0-{'0' * 32}.parquet"
    endless = pl.DataFrame({"number": range(1_000_001)})
    frame_of([row]).join(endless, how="cross").drop("number").write_parquet(file)
    assert file.stat().st_size < 200_000
    with pytest.raises(RunError, match=r"at most .* rows in so small a file"):
        load_results(folder)


def one_long_text(height: int) -> pl.Series:
    """A text of 2 MiB in each of so many rows, which a file holds once (and again in statistics)."""
    return pl.Series(["a" * 2**21] * height)


@pytest.fixture
def little_memory(monkeypatch: pytest.MonkeyPatch) -> None:
    """Bounds of 1 MiB instead of 256, so that the tests need less, too."""
    monkeypatch.setattr("unforeseen.files.bounded_parquet._ALWAYS_UNFOLDED", 2**20)


@pytest.mark.usefixtures("little_memory")
@pytest.mark.parametrize("column", ["reason", "device", "example_id"])
def test_a_small_file_of_long_texts_is_refused_before_it_is_decoded(
    folder: Path, column: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    rows = frame_of(made_rows(made_record(levels=("medium",)))[:1])
    file = folder / "rows" / f"part-c0-{'0' * 32}.parquet"
    rows.with_columns(one_long_text(1).alias(column)).write_parquet(file, statistics=False)
    assert file.stat().st_size < 20_000
    for read in (load_results, recount):
        with pytest.raises(RunError, match=r"at most 1,048,576 bytes in so small a file"):
            read(folder)
    monkeypatch.delattr(pl, "read_parquet")
    with pytest.raises(TooLargeError, match="bytes in so small"):
        read_bounded(file.read_bytes())


def test_a_short_text_that_many_rows_share_counts_in_each(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("unforeseen.files.bounded_parquet._ALWAYS_UNFOLDED", 3 * 2**20)
    rows = frame_of(made_rows(made_record(levels=("medium",)))[:4])
    file = folder / "rows" / f"part-c0-{'0' * 32}.parquet"
    rows.with_columns(one_long_text(4).alias("reason")).write_parquet(file, statistics=False)
    with pytest.raises(RunError, match=r"at most 3,145,728 bytes of text in so small a file"):
        load_results(folder)


def test_a_row_of_endless_classes_is_refused_before_it_is_decoded(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("unforeseen.files.bounded_parquet._ALWAYS_READ", 1000)
    rows = frame_of(made_rows(made_record(levels=("medium",)))[:1])
    file = folder / "rows" / f"part-c0-{'0' * 32}.parquet"
    classes = [{"class_index": 0, "probability": 0.0}] * 400_000
    rows.with_columns(pl.Series("top10", [classes], dtype=rows.schema["top10"])).write_parquet(file)
    assert file.stat().st_size < 20_000
    with pytest.raises(RunError, match="values in so small a file"):
        load_results(folder)


@pytest.mark.usefixtures("little_memory")
def test_a_list_of_pictures_with_endless_names_is_none(folder: Path) -> None:
    listed = pl.DataFrame({"example_id": ["p000"], "file": one_long_text(1), "label": [0]})
    listed.with_columns(pl.lit("x").alias("class")).write_parquet(
        folder / "pictures.parquet", statistics=False
    )
    assert read_picture_list(folder) is None


@pytest.mark.usefixtures("little_memory")
def test_many_small_files_that_unfold_together_are_refused(folder: Path) -> None:
    rows = frame_of(made_rows(made_record(levels=("medium",)))[:1])
    for number in range(10):
        texts = pl.Series("reason", [f"{number}" * 1_000_000])
        file = folder / "rows" / f"part-c0-{number:032x}.parquet"
        rows.with_columns(texts).write_parquet(file, statistics=False)
    for read in (load_results, recount):
        with pytest.raises(RunError, match=r"rows: expected files of rows, got .* MiB"):
            read(folder)


def test_a_pipe_among_the_rows_does_not_hang(folder: Path) -> None:
    if not hasattr(os, "mkfifo"):
        pytest.skip("no named pipes here")
    os.mkfifo(folder / "rows" / f"part-c0-{'0' * 32}.parquet")
    with pytest.raises(RunError, match="not a regular file"):
        load_results(folder)


def test_a_run_that_was_tampered_with_is_not_continued_by_code_from_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Continuing takes model and data from the command alone."""
    run_small(tmp_path / "run", limit=2)
    content: dict[str, Any] = json.loads((tmp_path / "run" / "run.json").read_bytes())
    content["model"]["uri"] = content["data"]["uri"] = "py:evil.py:make"
    write_record(tmp_path / "run", content)
    monkeypatch.chdir(tmp_path)
    (tmp_path / "evil.py").write_text("open('sprung', 'w')", encoding="utf-8")
    assert run_small(tmp_path / "run").complete
    assert not (tmp_path / "sprung").exists()
