"""Parquet files: columns, labels, keys, lazy chunks, and what is refused."""

import json
from pathlib import Path

import polars as pl
import pytest
from polars.exceptions import PanicException

from data.in_memory import encoded, noise
from unforeseen.data import load_data
from unforeseen.data import parquet as parquet_module
from unforeseen.data.label_spaces import CIFAR10_CLASSES
from unforeseen.data.pictures import Unreadable, read_picture
from unforeseen.errors import DataError, UnknownNameError, UserError
from unforeseen.preprocessing import Preprocessing

PICTURES = [encoded(noise(seed=seed)) for seed in range(12)]
HUB_IMAGE = pl.Struct({"bytes": pl.Binary, "path": pl.String})


def hub_frame(
    pictures: list[bytes], labels: list[int], paths: list[str | None] | None = None
) -> pl.DataFrame:
    paths = paths or [f"{number}.png" for number in range(len(pictures))]
    rows = [{"bytes": b, "path": p} for b, p in zip(pictures, paths, strict=True)]
    return pl.DataFrame(
        {"img": rows, "label": labels}, schema={"img": HUB_IMAGE, "label": pl.Int64}
    )


def write(file: Path, frame: pl.DataFrame) -> Path:
    frame.write_parquet(file)
    return file


def test_the_hub_layout_is_read(tmp_path: Path) -> None:
    file = write(tmp_path / "x.parquet", hub_frame(PICTURES, list(range(12))))
    data = load_data(f"parquet:{file}")
    assert data.labels.tolist() == list(range(12))
    assert data.keys[3] == "3.png"
    assert [data.read(row) for row in range(12)] == PICTURES
    assert (data.card.label_space, data.card.class_names) == (None, ())


def test_a_binary_column_is_read_and_rows_without_a_path_are_numbered(tmp_path: Path) -> None:
    frame = pl.DataFrame({"jpg": PICTURES[:2], "cls": [4, 2]})
    data = load_data(write(tmp_path / "x.parquet", frame))
    assert data.read(1) == PICTURES[1]
    assert data.labels.tolist() == [4, 2]
    assert data.keys == ["row 0", "row 1"]


def test_keys_leave_out_folders_and_tell_equal_names_apart(tmp_path: Path) -> None:
    frame = hub_frame(PICTURES[:4], [0] * 4, ["/home/me/a.png", "C:\\me\\b.png", "c/a.png", None])
    data = load_data(write(tmp_path / "x.parquet", frame))
    assert data.keys == ["a.png", "b.png", "a.png row 2", "row 3"]


def test_several_files_follow_each_other_across_chunks(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(parquet_module, "_CHUNK_BYTES", 600)
    monkeypatch.setattr(parquet_module, "_CHUNKS_KEPT", 1)
    write(tmp_path / "b.parquet", hub_frame(PICTURES[7:], list(range(7, 12))))
    write(tmp_path / "a.parquet", hub_frame(PICTURES[:7], list(range(7))))
    for uri in (
        f"parquet:{tmp_path}",
        f"parquet:{tmp_path / '*.parquet'}",
        f"parquet:{tmp_path / 'a.parquet'}, {tmp_path / 'b.parquet'}",
    ):
        data = load_data(uri)
        assert data.labels.tolist() == list(range(12))
        backwards = [data.read(row) for row in reversed(range(12))]
        assert backwards == PICTURES[::-1]


def test_only_the_chunks_of_the_cache_are_held(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(parquet_module, "_CHUNK_BYTES", 1)
    file = write(tmp_path / "x.parquet", hub_frame(PICTURES * 3, [0] * 36))
    data = load_data(file)
    assert isinstance(data, parquet_module.ParquetDataset)
    for row in range(36):
        data.read(row)
    held = data._kept.cache_info()
    assert held.misses == 36
    assert held.currsize == 16


def test_null_bytes_are_an_unreadable_picture(tmp_path: Path) -> None:
    frame = pl.DataFrame({"image": [PICTURES[0], None], "label": [0, 1]})
    data = load_data(write(tmp_path / "x.parquet", frame))
    result = read_picture(data, 1, "some id", Preprocessing())
    assert result == Unreadable(
        example_id="some id",
        label=1,
        index=1,
        reason="the row holds no picture: its bytes are null",
    )


def test_a_file_that_is_gone_gives_reasons_without_the_users_folders(tmp_path: Path) -> None:
    file = write(tmp_path / "x.parquet", hub_frame(PICTURES, [0] * 12))
    data = load_data(file)
    file.unlink()
    result = read_picture(data, 0, "some id", Preprocessing())
    assert isinstance(result, Unreadable)
    assert result.reason == "the parquet file can't be read or decoded"


def test_class_names_come_from_the_hubs_metadata(tmp_path: Path) -> None:
    described = {
        "info": {"features": {"label": {"names": list(CIFAR10_CLASSES), "_type": "ClassLabel"}}}
    }
    file = tmp_path / "x.parquet"
    hub_frame(PICTURES, [0] * 12).write_parquet(
        file, metadata={"huggingface": json.dumps(described)}
    )
    card = load_data(file).card
    assert (card.class_names, card.label_space) == (CIFAR10_CLASSES, "cifar10")


@pytest.mark.parametrize("metadata", ["", "[]", "null", '{"info": {"features": {"label": 3}}}'])
def test_odd_metadata_is_no_names(tmp_path: Path, metadata: str) -> None:
    file = tmp_path / "x.parquet"
    hub_frame(PICTURES, [0] * 12).write_parquet(file, metadata={"huggingface": metadata})
    assert load_data(file).card.class_names == ()


def test_a_usual_label_name_wins_and_says_so(tmp_path: Path) -> None:
    frame = hub_frame(PICTURES, list(range(12))).rename({"label": "fine_label"})
    frame = frame.with_columns(coarse_label=pl.lit(1), id=pl.lit(7))
    file = write(tmp_path / "x.parquet", frame)
    data = load_data(file)
    assert data.labels.tolist() == list(range(12))
    assert data.card.notes == (
        "labels are taken from column fine_label, not from coarse_label, id; ?label=NAME chooses",
    )
    assert set(load_data(f"parquet:{file}?label=coarse_label").labels.tolist()) == {1}


def test_columns_that_could_all_be_labels_are_listed(tmp_path: Path) -> None:
    frame = hub_frame(PICTURES, [0] * 12).rename({"label": "age"}).with_columns(size=pl.lit(1))
    file = write(tmp_path / "x.parquet", frame)
    with pytest.raises(DataError, match=r"age, size.*\?label=age"):
        load_data(f"parquet:{file}")
    assert load_data(f"parquet:{file}?label=size").labels.tolist() == [1] * 12


def test_columns_that_could_all_be_pictures_are_listed(tmp_path: Path) -> None:
    frame = pl.DataFrame({"left": PICTURES, "right": PICTURES[::-1], "label": [0] * 12})
    file = write(tmp_path / "x.parquet", frame)
    with pytest.raises(DataError, match=r"left, right.*\?image=left"):
        load_data(f"parquet:{file}")
    assert load_data(f"parquet:{file}?image=right").read(0) == PICTURES[-1]


def test_options_that_name_no_fitting_column_are_refused(tmp_path: Path) -> None:
    file = write(tmp_path / "x.parquet", hub_frame(PICTURES, [0] * 12))
    with pytest.raises(UnknownNameError, match=r"label column 'labl'\. Did you mean label"):
        load_data(f"parquet:{file}?label=labl")
    with pytest.raises(DataError, match="expected a column of whole numbers as"):
        load_data(f"parquet:{file}?label=img")
    with pytest.raises(UserError, match="unknown option 'colour'"):
        load_data(f"parquet:{file}?colour=img")


@pytest.mark.parametrize("label", [-1, None])
def test_unlabelled_rows_are_refused(tmp_path: Path, label: int | None) -> None:
    frame = pl.DataFrame({"image": PICTURES[:3], "label": [0, label, label]})
    file = write(tmp_path / "x.parquet", frame)
    with pytest.raises(DataError, match=r"2 of 3 .*first in row 1\).*-1"):
        load_data(file)


@pytest.mark.parametrize(
    ("frame", "message"),
    [
        (pl.DataFrame({"label": [1]}), "'bytes', or a binary column"),
        (pl.DataFrame({"image": [b"x"], "label": ["cat"]}), "whole numbers.*label \\(String\\)"),
        (pl.DataFrame({"image": [b"x"], "label": [1]}).clear(), "expected rows"),
    ],
    ids=["no-pictures", "no-labels", "no-rows"],
)
def test_files_without_pictures_or_labels_are_refused(
    tmp_path: Path, frame: pl.DataFrame, message: str
) -> None:
    with pytest.raises(DataError, match=message):
        load_data(write(tmp_path / "x.parquet", frame))


def test_files_that_differ_are_refused(tmp_path: Path) -> None:
    write(tmp_path / "a.parquet", hub_frame(PICTURES, [0] * 12))
    write(tmp_path / "b.parquet", pl.DataFrame({"jpg": PICTURES, "label": [0] * 12}))
    with pytest.raises(DataError, match=r"in every file, but b\.parquet has jpg \(Binary\)"):
        load_data(f"parquet:{tmp_path}")


@pytest.mark.parametrize("labels", [[1.7, 2.9], ["cat", "dog"], [True, False]])
def test_labels_of_another_kind_in_a_later_file_are_refused(
    tmp_path: Path, labels: list[float] | list[str] | list[bool]
) -> None:
    """Cast to whole numbers, 1.7 would be class 1."""
    write(tmp_path / "a.parquet", pl.DataFrame({"image": PICTURES[:2], "label": [0, 1]}))
    second = write(tmp_path / "b.parquet", pl.DataFrame({"image": PICTURES[2:4], "label": labels}))
    with pytest.raises(DataError, match=r"'label' \(whole numbers\).*but b\.parquet has"):
        load_data(f"parquet:{tmp_path}")
    write(
        second, pl.DataFrame({"image": PICTURES[2:4], "label": pl.Series([3, 2], dtype=pl.UInt8)})
    )
    assert load_data(f"parquet:{tmp_path}").labels.tolist() == [0, 1, 3, 2]


def test_a_folder_that_mixes_splits_is_refused(tmp_path: Path) -> None:
    for split in ("train", "test"):
        write(tmp_path / f"{split}-00000-of-00001.parquet", hub_frame(PICTURES, [0] * 12))
    with pytest.raises(DataError, match="holds test and train"):
        load_data(f"parquet:{tmp_path}")


def test_what_is_not_parquet_is_refused(tmp_path: Path) -> None:
    file = tmp_path / "x.parquet"
    file.write_text("<!DOCTYPE html><title>404</title>")
    with pytest.raises(DataError, match="is not a parquet file"):
        load_data(file)


@pytest.mark.parametrize("path", ["nowhere.parquet", "", "*.parquet", ","])
def test_missing_files_are_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, path: str
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "empty").mkdir()
    with pytest.raises(DataError, match="matches nothing"):
        load_data(f"parquet:{path}")


def test_brackets_in_a_files_name_are_no_pattern_once_it_is_there(tmp_path: Path) -> None:
    file = write(tmp_path / "[x].parquet", hub_frame(PICTURES[:2], [1, 0]))
    assert load_data(f"parquet:{file}").labels.tolist() == [1, 0]


@pytest.mark.parametrize("where", ["collect_schema", "collect"])
def test_a_panic_inside_polars_is_a_damaged_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, where: str
) -> None:
    file = tmp_path / "test.parquet"
    pl.DataFrame({"image": [encoded(noise())], "label": [0]}).write_parquet(file)
    data = load_data(f"parquet:{file}")

    def panic(*_: object, **__: object) -> None:
        raise PanicException("assertion failed: offset + length <= self.length")

    monkeypatch.setattr(pl.LazyFrame, where, panic)
    with pytest.raises(DataError, match="assertion failed"):
        load_data(f"parquet:{file}")
    if where == "collect":
        with pytest.raises(OSError, match="the parquet file can't be read or decoded"):
            data.read(0)
