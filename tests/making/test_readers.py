"""Each format, read by the library that it is for, and by this program's own readers of it."""

import io
import json
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest
from PIL import Image

from made_data import OBFUSCATIONS_USED, made_folder, pictures
from unforeseen.data import load_data
from unforeseen.data.dataset import DataCard, Dataset
from unforeseen.data.obfuscated_dataset import ObfuscatedDataset
from unforeseen.data.tf_example import parse_example
from unforeseen.data.tfrecord import records_in
from unforeseen.obfuscated_folder.layout import CLEAN, Format

NAMES = (CLEAN, *OBFUSCATIONS_USED)
each_name = pytest.mark.parametrize("name", NAMES)


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("readers")
    formats: tuple[Format, ...] = ("imagefolder", "parquet", "webdataset", "tfds")
    for each in formats:
        made_folder(folder / each, pictures(7), format=each, batch=3)
    return folder


def pixels(content: Any) -> Any:
    return np.asarray(Image.open(io.BytesIO(content)))


def expected(folder: Path, name: str) -> list[tuple[int, Any]]:
    """Labels and pixels in order, as ``obfuscated:`` reads them."""
    dataset = load_data(f"obfuscated:{folder}")
    assert isinstance(dataset, ObfuscatedDataset)
    source: Dataset = dataset if name == CLEAN else dataset.obfuscated(name)
    return [(int(label), pixels(source.read(row))) for row, label in enumerate(source.labels)]


def same(one: list[tuple[int, Any]], other: list[tuple[int, Any]]) -> bool:
    def key(each: tuple[int, Any]) -> tuple[int, bytes]:
        return each[0], each[1].tobytes()

    return [key(each) for each in sorted(one, key=key)] == [
        key(each) for each in sorted(other, key=key)
    ]


@each_name
def test_torchvision_reads_the_image_folders(name: str, made: Path) -> None:
    from torchvision.datasets import ImageFolder

    folder = ImageFolder(str(made / "imagefolder" / name))
    assert folder.classes == ["cat", "dog", "owl"]
    found = [(label, np.asarray(picture)) for picture, label in folder]
    assert same(found, expected(made / "imagefolder", name))


@each_name
def test_webdataset_reads_the_shards(name: str, made: Path) -> None:
    steps = pytest.importorskip("webdataset").tariterators

    samples = []
    for shard in sorted((made / "webdataset" / name).glob("*.tar")):
        with shard.open("rb") as stream:
            opened = [{"url": shard.name, "stream": stream}]
            samples += steps.group_by_keys(steps.tar_file_expander(iter(opened)))
    found = [(int(sample["cls"]), pixels(sample["png"])) for sample in samples]
    for one, other in zip(found, expected(made / "webdataset", name), strict=True):
        assert one[0] == other[0]
        assert np.array_equal(one[1], other[1])
    said = json.loads(samples[0]["json"])
    assert said["obfuscation"] == name
    assert (said["parameters"] is None) == (name == CLEAN)


@each_name
def test_the_hugging_face_library_knows_pictures_and_classes_of_the_parquet_files(
    name: str, made: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    datasets = pytest.importorskip("datasets")
    monkeypatch.setattr(datasets.config, "HF_HUB_OFFLINE", True)

    datasets.disable_progress_bars()
    rows = datasets.load_dataset(
        str(made / "parquet"), name, split="train", cache_dir=str(made / "cache")
    )
    datasets.enable_progress_bars()
    assert isinstance(rows.features["image"], datasets.Image)
    assert rows.features["label"].names == ["cat", "dog", "owl"]
    found = [(row["label"], np.asarray(row["image"])) for row in rows]
    for one, other in zip(found, expected(made / "parquet", name), strict=True):
        assert one[0] == other[0]
        assert np.array_equal(one[1], other[1])


@each_name
def test_records_of_tensorflow_datasets_hold_label_picture_and_parameters(
    name: str, made: Path
) -> None:
    root = made / "tfds" / "unforeseen_obfuscated" / "1.0.0"
    info = json.loads((root / "dataset_info.json").read_text())
    split = next(each for each in info["splits"] if each["name"] == name)
    assert split["shardLengths"] == ["3", "3", "1"]
    found = []
    for number in range(3):
        shard = root / f"unforeseen_obfuscated-{name}.tfrecord-0000{number}-of-00003"
        for _, content in records_in(shard):
            example = parse_example(content)
            assert set(example) == set(
                json.loads((root / "features.json").read_text())["featuresDict"]["features"]
            )
            found.append((int(example["label"][0]), pixels(example["image"][0])))
    assert same(found, expected(made / "tfds", name))


@each_name
@pytest.mark.parametrize(
    "uri",
    ["imagefolder:{}/imagefolder/{}", "parquet:{}/parquet/{}", "webdataset:{}/webdataset/{}"],
)
def test_this_programs_other_readers_see_the_same_pictures(uri: str, name: str, made: Path) -> None:
    dataset = load_data(uri.format(made, name))
    scheme = uri.partition(":")[0]
    found = [(int(label), pixels(dataset.read(row))) for row, label in enumerate(dataset.labels)]
    assert same(found, expected(made / scheme, name))


def test_all_formats_hold_the_same_pictures_in_the_same_order(made: Path) -> None:
    for name in NAMES:
        first, *others = (
            expected(made / each, name) for each in ("imagefolder", "parquet", "tfds")
        )
        for other in others:
            assert all(
                one[0] == two[0] and np.array_equal(one[1], two[1])
                for one, two in zip(first, other, strict=True)
            )


def test_classes_without_names_can_be_told_apart_in_every_format(tmp_path: Path) -> None:
    source = pictures(4)
    source.card = DataCard(uri="memory", label_space=None, class_names=(), images=4)
    for each in ("imagefolder", "parquet", "webdataset", "tfds"):
        made_folder(tmp_path / each, source, format=each)
        found = load_data(f"obfuscated:{tmp_path / each}")
        assert sorted(found.labels.tolist()) == [0, 0, 1, 2]
    assert sorted(file.name for file in (tmp_path / "imagefolder" / CLEAN).iterdir()) == [
        "0-class",
        "1-class",
        "2-class",
    ]
    column = pl.read_parquet(tmp_path / "parquet" / CLEAN)["class_name"]
    assert column.null_count() == 4
