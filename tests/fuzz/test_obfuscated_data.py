"""Folders of obfuscated pictures of any content: data, or one line."""

import shutil
from contextlib import suppress
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fuzz.opening import opened
from fuzzing import a_result_or_one_line, damaged, fuzz
from made_data import made_folder, pictures
from unforeseen.data import load_data
from unforeseen.data.obfuscated_dataset import ObfuscatedDataset
from unforeseen.data.tfrecord import framed, records_in

PUBLISHED = Path(__file__).parents[1] / "data" / "published_tfds" / "obfuscated_imagenet" / "1.0.0"
CLEAN = "obfuscated_imagenet-validation_Clean.tfrecord-00000-of-00002"
SWIRLED = "obfuscated_imagenet-validation_SwirlWarp.tfrecord-00000-of-00002"


@pytest.fixture(scope="module")
def published(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return Path(shutil.copytree(PUBLISHED, tmp_path_factory.mktemp("data") / "1.0.0"))


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("made") / "made"
    made_folder(folder, pictures(2))
    return folder


def read_whole(uri: str) -> None:
    """Opens the data and every obfuscation, and reads all that can be read."""
    opened(uri)
    with a_result_or_one_line():
        data = load_data(uri)
        assert isinstance(data, ObfuscatedDataset)
        assert len(set(data.example_ids)) == len(data.labels)
        for name in data.obfuscations:
            pictures_of = data.obfuscated(name)
            assert pictures_of.labels.tolist() == data.labels.tolist()
            for index in range(len(data.labels)):
                with suppress(OSError):
                    pictures_of.read(index)
                assert "\n" not in (data.parameters(name, index) or "")


@pytest.mark.parametrize("name", [CLEAN, SWIRLED, "features.json"])
@fuzz(60)
@given(draw=st.data())
def test_damaged_files_of_the_published_data_open_or_are_refused(
    published: Path, name: str, draw: st.DataObject
) -> None:
    whole = (PUBLISHED / name).read_bytes()
    (published / name).write_bytes(draw.draw(damaged(whole)))
    read_whole(f"obfuscated:{published}")
    (published / name).write_bytes(whole)


@pytest.mark.parametrize("name", [CLEAN, SWIRLED])
@fuzz(100)
@given(draw=st.data())
def test_damaged_examples_under_right_checksums_open_or_are_refused(
    published: Path, name: str, draw: st.DataObject
) -> None:
    first, *others = (content for _, content in records_in(PUBLISHED / name))
    changed = draw.draw(damaged(first))
    (published / name).write_bytes(b"".join(map(framed, [changed, *others])))
    read_whole(f"obfuscated:{published}")
    (published / name).write_bytes((PUBLISHED / name).read_bytes())


@pytest.mark.parametrize("name", ["obfuscated.json", "records/Clean.parquet"])
@fuzz(100)
@given(draw=st.data())
def test_damaged_files_of_made_data_open_or_are_refused(
    made: Path, name: str, draw: st.DataObject
) -> None:
    whole = (made / name).read_bytes()
    (made / name).write_bytes(draw.draw(damaged(whole)))
    read_whole(f"obfuscated:{made}")
    (made / name).write_bytes(whole)
