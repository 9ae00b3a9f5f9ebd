"""What this package wrote, read back: another release's files are told as such, whichever they are."""

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from made_runs import made_folder, made_frame, made_record
from unforeseen.errors import UserError
from unforeseen.experiment_folder.cost_times import COST_FILE, read_times
from unforeseen.experiment_folder.record import EXPERIMENT_FILE, read_experiment
from unforeseen.obfuscated_folder.layout import RECORD_FILE as MADE_FILE
from unforeseen.obfuscated_folder.record import read_made_record
from unforeseen.run_folder.planned_kinds import read_planned_run
from unforeseen.run_folder.read_run import read_run
from unforeseen.run_folder.record import RECORD_FILE

#: Each file, its schema, what reads it, and where it says which release wrote it.
FILES: dict[str, tuple[int, Callable[[Path], object], str]] = {
    RECORD_FILE: (1, read_planned_run, "unforeseen"),
    EXPERIMENT_FILE: (1, read_experiment, "unforeseen"),
    COST_FILE: (1, read_times, "unforeseen"),
    MADE_FILE: (2, read_made_record, "version"),
}
TO_DO = r"\. Use that one, or begin anew in another folder\.$"


@pytest.mark.parametrize("name", FILES)
def test_a_file_of_another_release_is_told_with_its_name_and_what_to_do(
    tmp_path: Path, name: str
) -> None:
    schema, read, release = FILES[name]
    (tmp_path / name).write_text(json.dumps({"schema": 9, release: "3.1\x1b"}), encoding="utf-8")
    said = rf"{name}: written by another release \(3\.1\\x1b\): expected schema {schema}, got 9"
    with pytest.raises(UserError, match=said + TO_DO):
        read(tmp_path)
    (tmp_path / name).write_text("{}", encoding="utf-8")
    with pytest.raises(UserError, match=rf"another release: expected schema {schema}, got none"):
        read(tmp_path)


@pytest.mark.parametrize("name", FILES)
def test_a_file_without_a_key_may_be_of_another_release(tmp_path: Path, name: str) -> None:
    schema, read, _ = FILES[name]
    (tmp_path / name).write_text(json.dumps({"schema": schema}), encoding="utf-8")
    with pytest.raises(
        UserError, match=rf"{name}: .* It was changed, or written by another release{TO_DO}"
    ):
        read(tmp_path)


def test_so_may_a_benchmark_in_a_record_and_rows_of_other_columns(tmp_path: Path) -> None:
    record = made_record(levels=("medium",))
    folder = made_folder(tmp_path / "run", record)
    rows = next((folder / "rows").iterdir())
    made_frame(record).drop("norm").write_parquet(rows)
    ending = rf".*or written by another release{TO_DO}"
    with pytest.raises(UserError, match=rf"{rows.name}: expected a column norm{ending}"):
        read_run(folder)
    del record["benchmark"]["attacks"]
    (folder / RECORD_FILE).write_text(json.dumps(record), encoding="utf-8")
    with pytest.raises(UserError, match=rf"{RECORD_FILE}: .* lacks attacks\.{ending}"):
        read_run(folder)
