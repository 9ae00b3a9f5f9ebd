"""From a row back to the file that it is about."""

from pathlib import Path

import polars as pl
import pytest

from small_runs import labelled_dataset, rows_of, run_small
from unforeseen.run_folder.picture_list import PICTURES_FILE, read_picture_list, write_picture_list


def test_every_row_leads_to_its_file_and_label(tmp_path: Path) -> None:
    data = labelled_dataset(5)
    run_small(tmp_path, data=data, attacks=("pgd",))
    listed = pl.read_parquet(tmp_path / PICTURES_FILE)
    assert sorted(listed["file"]) == sorted(data.keys)
    label_of = dict(zip(data.keys, data.labels.tolist(), strict=True))
    joined = rows_of(tmp_path).join(listed, on="example_id", how="left")
    assert joined["file"].null_count() == 0
    assert [label_of[file] for file in joined["file"]] == joined["label"].to_list()


def test_a_larger_choice_adds_and_a_smaller_one_takes_nothing_away(tmp_path: Path) -> None:
    data = labelled_dataset(5)
    for limit in (2, 5, 3):
        run_small(tmp_path, data=data, attacks=("pgd",), limit=limit)
    assert sorted(pl.read_parquet(tmp_path / PICTURES_FILE)["file"]) == sorted(data.keys)


def test_a_list_of_more_pictures_than_fit_into_it_is_none(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Cut short, it would lack pictures in silence."""
    run_small(tmp_path, data=labelled_dataset(5), attacks=("pgd",))
    assert len(read_picture_list(tmp_path) or {}) == 5
    monkeypatch.setattr("unforeseen.files.bounded_parquet._ALWAYS_READ", 4)
    monkeypatch.setattr("unforeseen.files.bounded_parquet._LEAST_BYTES_OF_ROW", 10**6)
    assert read_picture_list(tmp_path) is None


def test_something_else_under_its_name_is_replaced(tmp_path: Path) -> None:
    data = labelled_dataset(2)
    for content in (b"", b"no parquet"):
        (tmp_path / PICTURES_FILE).write_bytes(content)
        write_picture_list(tmp_path, data, [(0, "a"), (1, "b")])
        listed = pl.read_parquet(tmp_path / PICTURES_FILE)
        assert listed["example_id"].to_list() == ["a", "b"]
        assert listed["file"].to_list() == list(data.keys)
