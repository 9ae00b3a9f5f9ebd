"""run.json: read as data, written whole or not at all."""

from pathlib import Path

import pytest

from unforeseen.errors import RunError
from unforeseen.run_folder.record import read_record, write_record


def test_a_record_comes_back_as_it_was(tmp_path: Path) -> None:
    record = {"schema": 1, "model": {"uri": "imagefolder:Bär/ε"}, "cells": [1, 2.5, None, True]}
    write_record(tmp_path / "new" / "folder", record)
    assert read_record(tmp_path / "new" / "folder") == record
    assert [path.name for path in (tmp_path / "new" / "folder").iterdir()] == ["run.json"]


@pytest.mark.parametrize(
    "content",
    [
        b"",
        b"{",
        b"\xff\xfe",
        b"[]",
        b"1",
        b"[" * 100_000,
        b'{"schema": 1, "seed": NaN}',
        b'{"schema": 1, "seed": 1e999}',
        b'{"schema": 1, "seed": ' + b"9" * 10_000 + b"}",
        b'{"schema": 1, "seed": "\\ud800"}',
    ],
    ids=list("abcdefghij"),
)
def test_what_is_not_a_record_is_told_in_one_line(tmp_path: Path, content: bytes) -> None:
    (tmp_path / "run.json").write_bytes(content)
    with pytest.raises(RunError, match=r"is not a run folder: expected run\.json") as caught:
        read_record(tmp_path)
    assert "\n" not in str(caught.value)


def test_a_missing_record_says_what_was_expected(tmp_path: Path) -> None:
    with pytest.raises(RunError, match=r"is not a run folder: expected run\.json.*found none"):
        read_record(tmp_path)
    with pytest.raises(RunError, match=r"nowhere: there is no such folder\."):
        read_record(tmp_path / "nowhere")


@pytest.mark.parametrize("schema", ["2", '"1"', "null", "true"])
def test_another_schema_is_refused(tmp_path: Path, schema: str) -> None:
    (tmp_path / "run.json").write_text(f'{{"schema": {schema}}}', encoding="utf-8")
    with pytest.raises(RunError, match="expected schema 1"):
        read_record(tmp_path)


def test_a_failed_write_leaves_the_old_record(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write_record(tmp_path, {"schema": 1, "seed": 0})
    monkeypatch.setattr("os.fsync", _disk_full)
    with pytest.raises(RunError, match=r"run\.json can't be written: No space"):
        write_record(tmp_path, {"schema": 1, "seed": 1})
    assert read_record(tmp_path)["seed"] == 0
    assert [path.name for path in tmp_path.iterdir()] == ["run.json"]


def test_a_number_that_json_cannot_hold_is_never_written(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="not JSON compliant"):
        write_record(tmp_path, {"schema": 1, "seed": float("nan")})
    assert list(tmp_path.iterdir()) == []


def _disk_full(_: int) -> None:
    raise OSError(28, "No space left on device")
