"""``cost.json`` of any content: a table in every format, or one line."""

import csv
import io
import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rich.console import Console

from fuzzing import ANY_JSON, a_result_or_one_line, changed, damaged, fuzz
from made_costs import TIMES
from unforeseen.experiment_folder.cost_times import read_times
from unforeseen.report.cost_table import (
    costs_to_csv,
    costs_to_json,
    costs_to_markdown,
    costs_to_rich,
)

RECORD = json.loads(json.dumps(TIMES.to_record()))


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("costs")


def read(folder: Path) -> None:
    with a_result_or_one_line():
        measured = [read_times(folder)]
        json.loads(costs_to_json(measured))
        assert list(csv.reader(io.StringIO(costs_to_csv(measured))))
        assert all(line.isprintable() for line in costs_to_markdown(measured).splitlines())
        Console(file=io.StringIO()).print(costs_to_rich(measured))


@fuzz(150)
@given(draw=st.data())
def test_any_times_give_a_table_or_one_line(folder: Path, draw: st.DataObject) -> None:
    content = json.dumps(draw.draw(changed(RECORD) | ANY_JSON), ensure_ascii=False)
    (folder / "cost.json").write_bytes(content.encode("utf-8", "surrogatepass"))
    read(folder)


@fuzz(40)
@given(draw=st.data())
def test_any_bytes_give_a_table_or_one_line(folder: Path, draw: st.DataObject) -> None:
    whole = json.dumps(RECORD).encode()
    (folder / "cost.json").write_bytes(draw.draw(damaged(whole) | st.binary(max_size=50)))
    read(folder)
