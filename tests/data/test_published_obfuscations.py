"""The folder ``published_tfds`` was written by TensorFlow Datasets itself; its script says with what."""

import io
import json
import shutil
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from unforeseen.data import load_data
from unforeseen.data.label_spaces import imagenet_class_names, imagenet_wnids
from unforeseen.data.obfuscated_dataset import ObfuscatedDataset
from unforeseen.data.tf_example import encode_example
from unforeseen.data.tfrecord import framed
from unforeseen.errors import DataError, UserError

ROOT = Path(__file__).with_name("published_tfds")
VERSION = ROOT / "obfuscated_imagenet" / "1.0.0"
SHARD = "obfuscated_imagenet-validation_{}.tfrecord-{:05d}-of-{:05d}"


def opened(folder: Path = VERSION, options: str = "") -> ObfuscatedDataset:
    dataset = load_data(f"obfuscated:{folder}{options}")
    assert isinstance(dataset, ObfuscatedDataset)
    return dataset


def written(folder: Path, name: str, *examples: dict[str, object]) -> None:
    """One shard of a split of the copy in ``folder``, in the place of those that are there."""
    for file in folder.glob(SHARD.format(name, 0, 2).partition(".")[0] + ".*"):
        file.unlink()
    usual = {"image": [b"\xff\xd8"], "label": [1], "file_name": [b"a.JPEG"]}
    contents = [encode_example({**usual, **each}) for each in examples]  # type: ignore[dict-item] # wrong kinds on purpose
    (folder / SHARD.format(name, 0, 1)).write_bytes(b"".join(map(framed, contents)))


@pytest.fixture
def copy(tmp_path: Path) -> Path:
    shutil.copytree(VERSION, tmp_path / "obfuscated_imagenet" / "1.0.0")
    return tmp_path / "obfuscated_imagenet" / "1.0.0"


def pixels(content: object) -> np.ndarray[tuple[int, ...], np.dtype[np.uint8]]:
    assert isinstance(content, bytes)
    return np.asarray(Image.open(io.BytesIO(content)))


@pytest.mark.parametrize("folder", [VERSION, VERSION.parent, ROOT], ids=["version", "name", "top"])
def test_the_folder_is_found_from_any_of_its_three_levels(folder: Path) -> None:
    dataset = opened(folder)
    assert dataset.labels.tolist() == [1, 9, 281, 22, 404, 1]
    assert dataset.card.label_space == "imagenet"
    assert dataset.card.class_names == imagenet_class_names()
    assert dataset.made_by == "published"


def test_pictures_pair_up_by_file_name_whatever_their_order() -> None:
    dataset = opened()
    swirled = dataset.obfuscated("SwirlWarp")
    # The writer's strength is 1 + half of the picture's number.
    strengths = [
        json.loads(dataset.parameters("SwirlWarp", index) or "")["strength"] for index in range(6)
    ]
    assert strengths == [1.0, 1.5, 2.0, 2.5, 3.0, 3.5]
    assert swirled.labels.tolist() == dataset.labels.tolist()
    for index in range(6):
        assert pixels(swirled.read(index)).shape == (224, 224, 3)
        assert not np.array_equal(pixels(swirled.read(index)), pixels(dataset.read(index)))


def test_parameters_are_all_features_but_those_of_the_picture() -> None:
    assert opened().parameters("SwirlWarp", 2) == (
        '{"centre":[102,120],"hyperparameters":"strength=3","strength":2.0}'
    )


def test_a_split_has_the_obfuscations_name_however_it_is_spelt() -> None:
    assert sorted(opened().obfuscations) == ["StyleTransfer", "SwirlWarp"]


def test_a_picture_that_a_split_lacks_is_one_that_cannot_be_read() -> None:
    stylized = opened().obfuscated("StyleTransfer")
    assert len(stylized.labels) == 6
    stylized.read(4)
    with pytest.raises(OSError, match="lack this picture"):
        stylized.read(5)
    assert opened().parameters("StyleTransfer", 5) is None


def test_the_split_train_is_read_where_it_is_asked_for() -> None:
    assert opened(options="?split=train").labels.tolist() == [1, 9]
    with pytest.raises(UserError, match="unknown split 'test'"):
        opened(options="?split=test")


def test_ids_and_fingerprint_depend_on_neither_place_nor_which_splits_are_there(copy: Path) -> None:
    for file in copy.glob("*SwirlWarp*"):
        file.unlink()
    dataset = opened(copy)
    assert dataset.obfuscations == ("StyleTransfer",)
    assert list(dataset.example_ids) == list(opened().example_ids)
    assert dataset.fingerprint == opened().fingerprint
    assert len(set(dataset.example_ids)) == 6


def test_the_clean_pictures_are_needed(copy: Path) -> None:
    for file in copy.glob("*validation_Clean*"):
        file.unlink()
    with pytest.raises(DataError, match=r"expected the split validation_Clean .* got validation_"):
        opened(copy)


def test_a_missing_shard_is_named(copy: Path) -> None:
    (copy / SHARD.format("Stylize", 1, 2)).unlink()
    with pytest.raises(DataError, match="expected 2 shards of validation_Stylize, got 1"):
        opened(copy)


def test_a_damaged_shard_is_named_with_the_place(copy: Path) -> None:
    shard = copy / SHARD.format("SwirlWarp", 1, 2)
    shard.write_bytes(shard.read_bytes()[:-1])
    swirled = opened(copy)
    with pytest.raises(DataError, match=rf"{shard.name} is cut off: the record at byte [\d,]+"):
        swirled.obfuscated("SwirlWarp")


def test_one_damaged_picture_is_one_that_cannot_be_read(copy: Path) -> None:
    shard = copy / SHARD.format("SwirlWarp", 1, 2)
    content = bytearray(shard.read_bytes())
    content[content.index(b"\xff\xd8") + 100] ^= 1
    shard.write_bytes(content)
    swirled = opened(copy).obfuscated("SwirlWarp")
    outcomes = []
    for index in range(6):
        try:
            outcomes.append(bool(swirled.read(index)))
        except OSError as error:
            assert "is damaged" in str(error)  # noqa: PT017 - of six pictures one
            outcomes.append(False)
    assert outcomes.count(False) == 1


def test_only_what_is_called_like_the_publication_and_has_its_classes_is_published(
    copy: Path,
) -> None:
    """Figures on anything else must not be called comparable with the paper's."""
    names = [f"thing {number}" for number in range(1000)]
    (copy / "label.labels.txt").write_text("\n".join(names))
    with pytest.raises(
        DataError, match=r"ImageNet's 1,000 classes.*that are not those of ImageNet"
    ):
        opened(copy)
    (copy / "label.labels.txt").write_text("\n".join(imagenet_wnids()))
    assert opened(copy).card.label_space == "imagenet"
    (copy / "label.labels.txt").unlink()
    features = (copy / "features.json").read_text(encoding="utf-8")
    (copy / "features.json").write_text(features.replace('"1000"', '"16"'), encoding="utf-8")
    with pytest.raises(DataError, match=r"ImageNet's 1,000 classes.*got 16"):
        opened(copy)
    (copy / "features.json").write_text(features, encoding="utf-8")
    for file in copy.glob("*.tfrecord-*"):
        file.rename(copy / file.name.replace("obfuscated_imagenet", "mine"))
    with pytest.raises(DataError, match="named like obfuscated_imagenet-"):
        opened(copy)


def test_other_files_are_other_data_whatever_the_folder_is_called(copy: Path) -> None:
    before = opened(copy)
    written(copy, "SwirlWarp", {"file_name": [b"ILSVRC2012_val_00000001.JPEG"]})
    other = opened(copy.rename(copy.with_name("mine")))
    assert other.fingerprint == before.fingerprint
    assert other.files["SwirlWarp"] != before.files["SwirlWarp"]
    assert other.files["StyleTransfer"] == before.files["StyleTransfer"]
    written(copy.with_name("mine"), "Clean", {})
    assert opened(copy.with_name("mine")).fingerprint != before.fingerprint


@pytest.mark.parametrize(
    ("example", "problem"),
    [
        ({"label": []}, "a label from 0"),
        ({"label": [-1]}, "a label from 0"),
        ({"label": [b"7"]}, "a label from 0"),
        ({"label": [1, 2]}, "a label from 0"),
        ({"file_name": []}, "a file_name"),
        ({"file_name": [b"x" * 1001]}, "a file_name"),
        ({"file_name": [7]}, "a file_name"),
    ],
)
def test_a_record_without_label_or_name_is_refused_in_one_line(
    example: dict[str, object], problem: str, copy: Path
) -> None:
    written(copy, "Clean", example)
    with pytest.raises(DataError, match=f"record at byte 0: expected {problem}"):
        opened(copy)


def test_a_file_name_that_comes_twice_is_refused(copy: Path) -> None:
    written(copy, "Clean", {}, {})
    with pytest.raises(DataError, match=r"a\.JPEG is there a second time"):
        opened(copy)


def test_another_label_than_the_clean_one_is_refused(copy: Path) -> None:
    written(copy, "Clean", {})
    written(copy, "SwirlWarp", {"label": [2]})
    with pytest.raises(DataError, match="1 clean and 2 in validation_SwirlWarp"):
        opened(copy).obfuscated("SwirlWarp")


def test_a_label_beyond_the_classes_is_refused(copy: Path) -> None:
    written(copy, "Clean", {"label": [1000]})
    with pytest.raises(DataError, match="got 1,000, labels up to 1,000"):
        opened(copy)


def test_a_record_without_a_picture_is_one_that_cannot_be_read(copy: Path) -> None:
    written(copy, "Clean", {"image": [1]})
    with pytest.raises(OSError, match="holds no picture"):
        opened(copy).read(0)


def test_parameters_of_any_kind_are_json_of_one_line(copy: Path) -> None:
    written(copy, "Clean", {})
    odd = {"nan": [float("nan")], "bytes": [b"\xff\n"], "long": [bytes(2000)], "none": []}
    written(copy, "SwirlWarp", {**odd, "tenth": [float(np.float32(0.1))]})
    said = opened(copy).parameters("SwirlWarp", 0)
    assert said is not None
    assert "\n" not in said
    assert json.loads(said) == {
        "bytes": "\\xff\n",
        "long": "more than 1000 bytes",
        "nan": "nan",
        "none": [],
        "tenth": 0.1,
    }


def test_two_versions_in_one_folder_are_not_chosen_from(copy: Path) -> None:
    shutil.copytree(copy, copy.with_name("2.0.0"))
    with pytest.raises(DataError, match="expected one version"):
        opened(copy.parent)


def test_a_folder_of_something_else_says_what_was_expected(tmp_path: Path) -> None:
    with pytest.raises(
        DataError, match=r"obfuscated\.json.*features\.json.*see https:.*is neither"
    ):
        opened(tmp_path)
    (tmp_path / "features.json").write_text("{")
    with pytest.raises(DataError, match=r"named like .*tfrecord-00000-of-00005, found none"):
        opened(tmp_path)
    written(tmp_path, "Clean", {})
    with pytest.raises(DataError, match=r"features\.json is no JSON"):
        opened(tmp_path)
