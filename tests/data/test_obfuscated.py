"""Folders as ``unforeseen obfuscate`` writes them, which somebody else may have changed."""

import json
import os
import shutil
from pathlib import Path
from typing import Any

import polars as pl
import pytest

from made_data import made_folder
from unforeseen.data import load_data
from unforeseen.data.obfuscated_dataset import ObfuscatedDataset
from unforeseen.errors import DataError, UserError
from unforeseen.obfuscated_folder.layout import FORMATS, Format
from unforeseen.obfuscated_folder.record import read_made_record


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("obfuscated")
    for each in FORMATS:
        made_folder(folder / each, format=each)
    return folder


@pytest.fixture
def copy(tmp_path: Path, made: Path) -> Path:
    shutil.copytree(made / "imagefolder", tmp_path / "copy")
    return tmp_path / "copy"


def opened(folder: Path) -> ObfuscatedDataset:
    dataset = load_data(f"obfuscated:{folder}")
    assert isinstance(dataset, ObfuscatedDataset)
    return dataset


def changed_record(folder: Path, **changes: Any) -> None:
    file = folder / "obfuscated.json"
    file.write_text(json.dumps(json.loads(file.read_text()) | changes))


def changed_lines(folder: Path, name: str, **changes: pl.Expr | Any) -> None:
    file = folder / "records" / f"{name}.parquet"
    lines = pl.read_parquet(file)
    columns = {
        key: (value if isinstance(value, pl.Expr) else pl.lit(value)).cast(lines.schema[key])
        for key, value in changes.items()
    }
    lines.with_columns(**columns).write_parquet(file)


def test_the_record_is_read_as_it_was_written(made: Path) -> None:
    record = read_made_record(made / "tfds")
    content = json.loads((made / "tfds" / "obfuscated.json").read_text())
    assert json.loads(json.dumps(record.to_json())) == content
    assert record.complete


@pytest.mark.parametrize("pictures_format", FORMATS)
def test_a_picture_that_was_changed_is_one_that_cannot_be_read(
    pictures_format: Format, made: Path, tmp_path: Path
) -> None:
    shutil.copytree(made / pictures_format, tmp_path / "copy")
    dataset = opened(tmp_path / "copy")
    content = dataset.obfuscated("ColorNoiseBlocks").read(0)
    assert isinstance(content, bytes)
    for file in (tmp_path / "copy").rglob("*"):
        if file.is_file() and content in file.read_bytes():
            file.write_bytes(file.read_bytes().replace(content, bytes(len(content))))
    with pytest.raises(OSError, match="its SHA-256 is another"):
        dataset.obfuscated("ColorNoiseBlocks").read(0)
    assert dataset.obfuscated("ColorNoiseBlocks").read(1)


@pytest.mark.parametrize("pictures_format", FORMATS)
def test_a_picture_that_is_missing_is_one_that_cannot_be_read(
    pictures_format: Format, made: Path, tmp_path: Path
) -> None:
    shutil.copytree(made / pictures_format, tmp_path / "copy")
    dataset = opened(tmp_path / "copy")
    for file in (tmp_path / "copy").rglob("*"):
        path = file.relative_to(tmp_path).as_posix()
        if "ColorNoiseBlocks" in path and "records" not in path and file.is_file():
            file.unlink()
    with pytest.raises(OSError, match="missing"):
        dataset.obfuscated("ColorNoiseBlocks").read(0)


def test_an_unfinished_folder_says_how_to_finish_it(copy: Path) -> None:
    changed_record(copy, complete=False)
    with pytest.raises(DataError, match="Run the same unforeseen obfuscate again"):
        opened(copy)


def test_a_folder_of_the_layout_before_is_refused_in_one_line(copy: Path) -> None:
    """Its hash of a whole pack would be taken for that of assets of one's own."""
    changed_record(copy, schema=1)
    with pytest.raises(DataError, match="expected schema 2, got 1"):
        opened(copy)


def test_it_takes_no_options(copy: Path) -> None:
    with pytest.raises(UserError, match="unknown option 'split'"):
        load_data(f"obfuscated:{copy}?split=validation")


@pytest.mark.parametrize(
    "changes",
    [
        {"schema": 3},
        {"complete": "yes"},
        {"pictures": -1},
        {"pictures": 2**80},
        {"size": None},
        {"format": "zip"},
        {"encoding": ["png"]},
        {"label_space": "mnist"},
        {"classes": 0},
        {"class_names": "cat"},
        {"class_names": [1, 2]},
        {"obfuscations": {}},
        {"obfuscations": {"../../x": {}}},
        {"obfuscations": {"Clean": {}}},
        {"obfuscations": [1]},
        {"seed": 1.5},
        {"surplus": 1},
        {"seed": -1},
        {"seed": 10**300},
        {"seed": 1},
        {"size": 48},
        {"fingerprint": "0" * 32},
    ],
    ids=json.dumps,
)
def test_a_record_of_another_kind_is_refused_in_one_line(
    changes: dict[str, Any], copy: Path
) -> None:
    changed_record(copy, **changes)
    with pytest.raises(DataError, match=r"obfuscated\.json: "):
        opened(copy)


@pytest.mark.parametrize("content", [b"", b"{", b"[]", b'{"schema": 1}', b"\xff\xfe", b"[" * 10**5])
def test_a_record_that_is_none_is_refused_in_one_line(content: bytes, copy: Path) -> None:
    (copy / "obfuscated.json").write_bytes(content)
    with pytest.raises(DataError, match=r"obfuscated\.json: "):
        opened(copy)


@pytest.mark.parametrize(
    ("column", "value", "problem"),
    [
        ("example_id", "../../../x", "an id of 32 hex digits"),
        ("example_id", None, "an id of 32 hex digits"),
        ("example_id", "a" * 32 + "/x", "an id of 32 hex digits"),
        ("example_id", "unreadable-" + "a" * 32, "an id of 32 hex digits"),
        ("file", "../../secret.png", "a file below the folder"),
        ("file", "/etc/passwd", "a file below the folder"),
        ("file", "C:\\secret.png", "a file below the folder"),
        ("file", "a/../b", "a file below the folder"),
        ("file", "a/.. ", "a file below the folder"),
        ("file", "", "a file below the folder"),
        ("file", None, "a file below the folder"),
        ("file", "a\x00b", "a file below the folder"),
        ("sha256", "x", "a SHA-256 of 64 hex digits"),
        ("label", -1, "a label from 0 to 2"),
        ("label", 2**40, "a label from 0 to 2"),
        ("label", None, "a label from 0 to 2"),
        ("offset", -1, "an offset in bytes"),
        ("size", 2**40, "a size in bytes"),
        ("position", None, "a position"),
        ("file_name", None, "a name of the file"),
    ],
)
def test_lines_that_lead_elsewhere_are_refused_in_one_line(
    column: str, value: object, problem: str, copy: Path
) -> None:
    changed_lines(copy, "Clean", **{column: value})
    with pytest.raises(DataError, match=rf"Clean\.parquet: row 0: expected {problem}, got"):
        opened(copy)


def test_ids_that_come_twice_are_refused(copy: Path) -> None:
    changed_lines(copy, "Clean", example_id="a" * 32)
    with pytest.raises(DataError, match="expected ids that all differ"):
        opened(copy)


def test_other_pictures_than_the_clean_ones_are_refused(copy: Path) -> None:
    changed_lines(copy, "ImageOverlay", label=2 - pl.col("label"))
    dataset = opened(copy)
    with pytest.raises(DataError, match="expected the same pictures under ImageOverlay as clean"):
        dataset.obfuscated("ImageOverlay")


def test_lines_of_other_columns_are_refused(copy: Path) -> None:
    file = copy / "records" / "Clean.parquet"
    pl.read_parquet(file).drop("label").write_parquet(file)
    with pytest.raises(DataError, match="expected the columns position, example_id"):
        opened(copy)


@pytest.mark.parametrize("content", [None, b"", b"PAR1", b"PAR1" * 100])
def test_lines_that_are_missing_or_damaged_are_refused(content: bytes | None, copy: Path) -> None:
    file = copy / "records" / "Clean.parquet"
    file.unlink()
    if content is not None:
        file.write_bytes(content)
    with pytest.raises(DataError, match=r"Clean\.parquet can't be read"):
        opened(copy)


def test_lines_that_unfold_without_end_are_refused(copy: Path) -> None:
    file = copy / "records" / "Clean.parquet"
    line = pl.read_parquet(file).head(1)
    pl.concat([line] * 1000).with_columns(parameters=pl.lit("x" * 10**6)).write_parquet(file)
    assert file.stat().st_size < 10**6
    with pytest.raises(DataError, match="expected at most"):
        opened(copy)


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="Windows has no named pipes in folders")
@pytest.mark.parametrize("pictures_format", FORMATS)
def test_a_pipe_in_the_place_of_pictures_is_never_waited_for(
    pictures_format: Format, made: Path, tmp_path: Path
) -> None:
    shutil.copytree(made / pictures_format, tmp_path / "copy")
    dataset = opened(tmp_path / "copy")
    for file in (tmp_path / "copy").rglob("*"):
        if file.is_file() and "records" not in file.parts and file.suffix != ".json":
            file.unlink()
            os.mkfifo(file)
    with pytest.raises(OSError, match="missing, or is none"):
        dataset.read(0)


@pytest.mark.parametrize("name", ["Clean", "ImageOverlay"])
def test_lines_that_are_fewer_than_the_record_says_are_refused(name: str, copy: Path) -> None:
    file = copy / "records" / f"{name}.parquet"
    pl.read_parquet(file).head(4).write_parquet(file)
    with pytest.raises(DataError, match=r"expected the 5 pictures that obfuscated\.json tells of"):
        opened(copy).obfuscated(name)


def test_lines_of_other_pictures_than_the_record_says_are_refused(copy: Path) -> None:
    changed_lines(copy, "Clean", example_id=pl.col("example_id").str.reverse())
    with pytest.raises(DataError, match="got others"):
        opened(copy)


def test_a_label_beyond_the_classes_is_refused(copy: Path) -> None:
    changed_lines(copy, "Clean", label=2_000_000_000)
    with pytest.raises(DataError, match="expected a label from 0 to 2, got 2000000000"):
        opened(copy)


def test_a_shard_that_unfolds_into_more_than_its_length_is_never_decoded(
    made: Path, tmp_path: Path
) -> None:
    shutil.copytree(made / "parquet", tmp_path / "copy")
    dataset = opened(tmp_path / "copy")
    [file, *_] = sorted((tmp_path / "copy" / "Clean").iterdir())
    image = pl.DataFrame({"bytes": [bytes(2**24)], "path": ["a.png"]}).to_struct("image")
    pl.DataFrame({"image": image}).write_parquet(file, compression="zstd")
    assert file.stat().st_size < 2**16
    with pytest.raises(OSError, match="holds more than its length"):
        dataset.read(0)
