"""Batches, shards and lists of labels of any content: data, or one line."""

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from data.in_memory import encoded, noise
from data.python2 import pickled
from data.tars import write_tar
from fuzz.opening import opened
from fuzzing import damaged, fuzz
from unforeseen.data.label_spaces import CIFAR10_CLASSES, imagenet_wnids

META = pickled({"label_names": list(CIFAR10_CLASSES)})
BATCH = pickled({"labels": [3, 5], "data": noise(2, 1024).reshape(2, 3072)})
BINARY = bytes([3]) + noise(1, 1024).tobytes() + bytes([5]) + noise(1, 1024).tobytes()


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("archives")


@pytest.mark.parametrize("part", ["batches.meta", "test_batch"])
@fuzz(200)
@given(draw=st.data())
def test_damaged_batches_of_pickles_open_or_are_refused(
    folder: Path, part: str, draw: st.DataObject
) -> None:
    """A pickle is read by a reader that can only build data: any bytes are tried here."""
    for name, whole in {"batches.meta": META, "test_batch": BATCH}.items():
        content = draw.draw(damaged(whole)) if name == part else whole
        (folder / name).write_bytes(content)
    opened(f"cifar10:{folder}")


@fuzz(60)
@given(content=damaged(BINARY))
def test_damaged_binary_batches_open_or_are_refused(folder: Path, content: bytes) -> None:
    inside = folder / "binary"
    inside.mkdir(exist_ok=True)
    names = "".join(f"{name}\n" for name in CIFAR10_CLASSES)
    (inside / "batches.meta.txt").write_text(names, encoding="ascii")
    (inside / "test_batch.bin").write_bytes(content)
    opened(f"cifar10:{inside}")


@pytest.fixture(scope="module")
def tar(folder: Path) -> bytes:
    entries = [
        (f"{number}.{suffix}", content)
        for number in range(2)
        for suffix, content in {
            "png": encoded(noise(seed=number)),
            "cls": b"%d" % number,
            "json": b'{"label": 1}',
        }.items()
    ]
    return write_tar(folder / "whole.tar", entries).read_bytes()


@fuzz(300)
@given(draw=st.data())
def test_damaged_shards_open_or_are_refused(folder: Path, tar: bytes, draw: st.DataObject) -> None:
    (folder / "test.tar").write_bytes(draw.draw(damaged(tar)))
    opened(f"webdataset:{folder / 'test.tar'}")


TRUTHS = {
    "imagenet_2012_validation_synset_labels.txt": "".join(f"{w}\n" for w in imagenet_wnids()[:3]),
    "LOC_val_solution.csv": "ImageId,PredictionString\n"
    + "".join(f"ILSVRC2012_val_{n:08d},{imagenet_wnids()[n]} 1 2 3 4 \n" for n in (1, 2, 3)),
    "val.txt": "".join(f"ILSVRC2012_val_{n:08d}.JPEG {n}\n" for n in (1, 2, 3)),
}


@pytest.mark.parametrize("name", TRUTHS)
@fuzz(150)
@given(draw=st.data())
def test_damaged_ground_truths_open_or_are_refused(
    folder: Path, name: str, draw: st.DataObject
) -> None:
    pictures = folder / "val"
    pictures.mkdir(exist_ok=True)
    for number in (1, 2, 3):
        file = pictures / f"ILSVRC2012_val_{number:08d}.JPEG"
        file.write_bytes(encoded(noise(seed=number), "JPEG"))
    (folder / name).write_bytes(draw.draw(damaged(TRUTHS[name].encode())))
    opened(f"imagenet:{pictures}?truth={folder / name}")
