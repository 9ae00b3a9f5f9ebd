"""Run folders of any content: figures, or one line; and nothing in them is changed or run."""

import csv
import io
import json
from pathlib import Path
from typing import Any

import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from fuzzing import ANY_JSON, a_result_or_one_line, changed, damaged, fuzz
from small_runs import labelled_dataset, run_small
from unforeseen.cli.check_output import print_recount
from unforeseen.recount import recount
from unforeseen.report.export import to_csv, to_json
from unforeseen.report.render import to_markdown, to_rich
from unforeseen.report.tables import result_tables
from unforeseen.results import AttackResults, load_results
from unforeseen.rows import ROW_SCHEMA
from unforeseen.run_folder.picture_list import read_picture_list, write_picture_list
from unforeseen.run_folder.rowfile import DamagedFileError, read_rows
from unforeseen.run_folder.runlog import RunLog
from unforeseen.running.continuation import merged, previous_record, refuse_other_run

LIMIT = 3


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    made = tmp_path_factory.mktemp("run")
    run_small(made, limit=LIMIT, attacks=["pgd", "wood", "pixel"], check=True)
    return made


@pytest.fixture
def record(folder: Path) -> dict[str, Any]:
    content: dict[str, Any] = json.loads((folder / "run.json").read_bytes())
    return content


def read(folder: Path) -> None:
    """All that reads a run folder."""
    with a_result_or_one_line():
        results = load_results(folder)
        json.dumps(results.summary.to_record(), allow_nan=False)
        assert isinstance(results, AttackResults)
        tables = result_tables([results.summary], published=True)
        json.loads(to_json(tables))
        assert list(csv.reader(io.StringIO(to_csv(tables))))
        text = to_markdown(tables)
        assert all(line.isprintable() for line in text.splitlines())
        to_rich(tables, width=80)
    with a_result_or_one_line():
        print_recount("run", recount(folder))


def write(file: Path, content: object) -> None:
    # As a stranger's program would, with NaN and half characters.
    text = json.dumps(content, ensure_ascii=False)
    file.write_bytes(text.encode("utf-8", "surrogatepass"))


@fuzz(100)
@given(draw=st.data())
def test_any_record_gives_figures_or_one_line(
    folder: Path, record: dict[str, Any], draw: st.DataObject
) -> None:
    whole = (folder / "run.json").read_bytes()
    try:
        write(folder / "run.json", draw.draw(changed(record) | ANY_JSON))
        read(folder)
        with a_result_or_one_line():
            previous = previous_record(folder)
            assert previous is not None
            refuse_other_run(folder, previous, record)
            json.dumps(merged(previous, record), allow_nan=False)
    finally:
        (folder / "run.json").write_bytes(whole)


@fuzz(40)
@given(draw=st.data())
def test_any_bytes_of_a_record_give_figures_or_one_line(folder: Path, draw: st.DataObject) -> None:
    whole = (folder / "run.json").read_bytes()
    try:
        (folder / "run.json").write_bytes(draw.draw(damaged(whole) | st.binary(max_size=50)))
        read(folder)
    finally:
        (folder / "run.json").write_bytes(whole)


@fuzz(40)
@given(draw=st.data())
def test_any_summary_is_recounted_or_one_line(folder: Path, draw: st.DataObject) -> None:
    file = folder / "summary.json"
    whole = file.read_bytes()
    try:
        write(file, draw.draw(changed(json.loads(whole)) | ANY_JSON))
        read(folder)
    finally:
        file.write_bytes(whole)


@fuzz(60)
@given(draw=st.data())
def test_damaged_row_files_are_rows_or_set_aside(folder: Path, draw: st.DataObject) -> None:
    file = min((folder / "rows").iterdir())
    whole = file.read_bytes()
    try:
        file.write_bytes(draw.draw(damaged(whole)))
        with a_result_or_one_line(DamagedFileError):
            assert read_rows(file).schema == ROW_SCHEMA
        read(folder)
    finally:
        file.write_bytes(whole)


#: Values at the ends of what a column can hold, by type.
EXTREMES: dict[Any, Any] = {
    pl.Int64(): st.sampled_from([-(2**63), -1, 0, 1, 2**31, 2**63 - 1, None]),
    pl.Float32(): st.sampled_from([float("nan"), float("inf"), -float("inf"), -1.0, 1e38, None]),
    pl.Float64(): st.sampled_from([float("nan"), float("inf"), -1e308, None]),
    pl.Boolean(): st.sampled_from([True, False, None]),
    pl.String(): st.sampled_from(["", "\x1b[2J", "a\nb", "x" * 100_000, "=1+1", "\u202e", None]),
}
TOP10 = ROW_SCHEMA["top10"]


@fuzz(80)
@given(draw=st.data())
def test_rows_of_extreme_values_give_figures_or_one_line(folder: Path, draw: st.DataObject) -> None:
    file = draw.draw(st.sampled_from(sorted((folder / "rows").iterdir())))
    whole = file.read_bytes()
    frame = pl.read_parquet(whole)
    for _ in range(draw.draw(st.integers(1, 4))):
        name = draw.draw(st.sampled_from(ROW_SCHEMA.names()))
        if name == "top10":
            pairs = st.fixed_dictionaries(
                {"class_index": EXTREMES[pl.Int64()], "probability": EXTREMES[pl.Float32()]}
            )
            values: Any = st.none() | st.lists(st.none() | pairs, max_size=12)
        else:
            values = EXTREMES[ROW_SCHEMA[name]]
        column = draw.draw(st.lists(values, min_size=frame.height, max_size=frame.height))
        frame = frame.with_columns(pl.Series(name, column, dtype=ROW_SCHEMA[name]))
    try:
        frame.write_parquet(file)
        read(folder)
    finally:
        file.write_bytes(whole)


@fuzz(60)
@given(draw=st.data())
def test_columns_of_other_types_are_refused_in_one_line(folder: Path, draw: st.DataObject) -> None:
    file = min((folder / "rows").iterdir())
    whole = file.read_bytes()
    frame = pl.read_parquet(whole)
    name = draw.draw(st.sampled_from(ROW_SCHEMA.names()))
    value = draw.draw(st.sampled_from([1, "a", 1.5, b"\x00", [1], None, True]))
    match draw.draw(st.sampled_from(["other", "missing", "more", "renamed"])):
        case "other":
            frame = frame.with_columns(pl.Series(name, [value] * frame.height))
        case "missing":
            frame = frame.drop(name)
        case "more":
            frame = frame.with_columns(pl.Series("x" * 500 + "\x1b", [value] * frame.height))
        case _:
            frame = frame.rename({name: f"{name}\n"})
    try:
        frame.write_parquet(file)
        read(folder)
    finally:
        file.write_bytes(whole)


@fuzz(30)
@given(draw=st.data())
def test_a_damaged_list_of_pictures_is_read_or_made_again(
    folder: Path, draw: st.DataObject
) -> None:
    file = folder / "pictures.parquet"
    whole = file.read_bytes()
    data = labelled_dataset()
    try:
        file.write_bytes(draw.draw(damaged(whole)))
        read(folder)
        write_picture_list(folder, data, [(0, "p0"), (1, "p1")])
        listed = read_picture_list(folder)
        assert listed is not None
        assert {"p0", "p1"} <= {each.example_id for each in listed}
    finally:
        file.write_bytes(whole)


@fuzz(60)
@given(name=st.text(min_size=1, max_size=30).filter(lambda name: "/" not in name))
def test_files_of_any_name_among_the_rows_are_one_line(
    tmp_path_factory: pytest.TempPathFactory, name: str
) -> None:
    folder = tmp_path_factory.mktemp("names")
    (folder / "rows").mkdir()
    try:
        (folder / "rows" / f"{name}.parquet").write_bytes(b"")
    except (OSError, ValueError):
        return
    with a_result_or_one_line():
        RunLog.open_for_reading(folder).rows()
