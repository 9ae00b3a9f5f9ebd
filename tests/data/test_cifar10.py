"""The original batches of CIFAR-10, against torchvision's reader and against parquet."""

import pickle
from collections.abc import Callable
from pathlib import Path

import numpy as np
import polars as pl
import pytest
import torchvision

from data.in_memory import encoded
from data.python2 import Value, pickled
from unforeseen.data import load_data
from unforeseen.data.identity import identify
from unforeseen.data.label_spaces import CIFAR10_CLASSES
from unforeseen.data.selection import select
from unforeseen.errors import DataError, UserError

NAMES = ["test_batch", *(f"data_batch_{number}" for number in range(1, 6))]
ROWS = 12


def batch(number: int) -> tuple[list[int], np.ndarray]:
    draws = np.random.default_rng(number)
    return draws.integers(0, 10, ROWS).tolist(), draws.integers(0, 256, (ROWS, 3072), np.uint8)


def batch_record(number: int) -> dict[str, Value]:
    """As in the original files."""
    labels, pixels = batch(number)
    return {
        "batch_label": f"batch {number}",
        "labels": labels,
        "data": pixels,
        "filenames": [f"picture_{number}_{row}.png" for row in range(ROWS)],
    }


def python_version(root: Path) -> Path:
    folder = root / "cifar-10-batches-py"
    folder.mkdir(parents=True)
    for number, name in enumerate(NAMES):
        (folder / name).write_bytes(pickled(batch_record(number)))
    meta: dict[str, Value] = {
        "num_cases_per_batch": 10000,
        "label_names": list(CIFAR10_CLASSES),
        "num_vis": 3072,
    }
    (folder / "batches.meta").write_bytes(pickled(meta))
    return folder


def binary_version(root: Path) -> Path:
    folder = root / "cifar-10-batches-bin"
    folder.mkdir(parents=True)
    for number, name in enumerate(NAMES):
        labels, pixels = batch(number)
        rows = np.concatenate([np.array(labels, np.uint8)[:, None], pixels], axis=1)
        (folder / f"{name}.bin").write_bytes(rows.tobytes())
    text = "".join(f"{name}\n" for name in CIFAR10_CLASSES) + "\n"
    (folder / "batches.meta.txt").write_text(text, encoding="ascii")
    return folder


VERSIONS = pytest.mark.parametrize("version", [python_version, binary_version])


@VERSIONS
@pytest.mark.parametrize("split", ["test", "train"])
def test_pictures_and_labels_are_those_that_torchvision_reads(
    version: Callable[[Path], Path], split: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = version(tmp_path / "ours")
    python_version(tmp_path / "theirs")
    theirs = torchvision.datasets.CIFAR10
    monkeypatch.setattr(theirs, "_check_integrity", lambda _: True)
    meta = {"filename": "batches.meta", "key": "label_names", "md5": None}
    monkeypatch.setattr(theirs, "meta", meta)
    monkeypatch.setattr("torchvision.datasets.cifar.check_integrity", lambda *_: True)
    oracle = theirs(str(tmp_path / "theirs"), train=split == "train")
    data = load_data(f"cifar10:{folder}?split={split}")
    assert data.labels.tolist() == oracle.targets
    for index, expected in enumerate(oracle.data):
        assert np.array_equal(data.read(index), expected)
    assert data.card.class_names == tuple(oracle.classes)
    assert data.card.label_space == "cifar10"


def test_both_versions_choose_the_same_pictures_under_the_same_ids(tmp_path: Path) -> None:
    both = [load_data(f"cifar10:{make(tmp_path)}") for make in (python_version, binary_version)]
    chosen = [select(data, 7, 0).tolist() for data in both]
    assert chosen[0] == chosen[1]
    assert identify(both[0], chosen[0]) == identify(both[1], chosen[1])
    assert both[0].keys[3] == "test_batch/3"


def test_ids_are_those_of_the_same_pictures_in_parquet(tmp_path: Path) -> None:
    data = load_data(f"cifar10:{python_version(tmp_path)}")
    pictures = [encoded(np.asarray(data.read(row))) for row in range(ROWS)]
    file = tmp_path / "x.parquet"
    pl.DataFrame({"img": pictures, "label": data.labels}).write_parquet(file)
    assert identify(data, range(ROWS)) == identify(load_data(file), range(ROWS))


@VERSIONS
def test_the_folder_above_will_do_and_the_test_split_is_the_default(
    version: Callable[[Path], Path], tmp_path: Path
) -> None:
    version(tmp_path)
    assert load_data(f"cifar10:{tmp_path}").labels.tolist() == batch(0)[0]


@pytest.mark.parametrize("protocol", range(2, 6))
def test_pickles_of_todays_python_and_numpy_are_read(protocol: int, tmp_path: Path) -> None:
    """As torchvision's users write them again: texts as bytes, labels in an array, any protocol."""
    folder = python_version(tmp_path)
    labels, pixels = batch(0)
    names = [name.encode() for name in CIFAR10_CLASSES]
    (folder / "batches.meta").write_bytes(pickle.dumps({b"label_names": names}, protocol))
    for kind in (list, np.uint8, np.int64, ">i4"):
        given = labels if kind is list else np.array(labels, kind)
        content = {key.encode(): value for key, value in batch_record(0).items()}
        (folder / "test_batch").write_bytes(pickle.dumps(content | {b"labels": given}, protocol))
        data = load_data(f"cifar10:{folder}")
        assert data.labels.tolist() == labels
        expected = pixels.reshape(ROWS, 3, 32, 32).transpose(0, 2, 3, 1)
        assert all(np.array_equal(data.read(row), expected[row]) for row in range(ROWS))


def test_fewer_pictures_than_the_originals_are_said(tmp_path: Path) -> None:
    notes = load_data(f"cifar10:{python_version(tmp_path)}").card.notes
    assert notes == ("test_batch holds 12 pictures, not CIFAR-10's 10,000",)


def test_a_hostile_pickle_runs_nothing_and_is_named(tmp_path: Path) -> None:
    """Neither when it is called, nor when it is built, nor behind a name that batches need."""
    folder = python_version(tmp_path)
    ran = tmp_path / "ran"
    code = f"open({str(ran)!r}, 'w').close()"
    quoted = b"X" + len(code).to_bytes(4, "little") + code.encode()
    hostile = {
        "builtins.exec": b"\x80\x02cbuiltins\nexec\n" + quoted + b"\x85R.",
        "__builtin__.eval": b"\x80\x02c__builtin__\neval\n" + quoted + b"\x85R.",
        "os.system": b"(S'touch ran'\nios\nsystem\n.",
        "numpy.ndarray.dump": b"\x80\x04\x8c\x05numpy\x8c\x0cndarray.dump\x93.",
        "numpy.f2py.crackfortran.myeval": b"\x80\x02cnumpy.f2py.crackfortran\nmyeval\n.",
        "codecs": b"\x80\x02c_codecs\nencode\n}S'__doc__'\nS'x'\nsb.",
    }
    for name, content in hostile.items():
        (folder / "test_batch").write_bytes(content)
        with pytest.raises(
            DataError, match="is no batch of CIFAR-10: can't be unpickled"
        ) as caught:
            load_data(f"cifar10:{folder}")
        assert name == "codecs" or name in str(caught.value)
        assert "\n" not in str(caught.value)
        (folder / "batches.meta").write_bytes(content)
        with pytest.raises(DataError, match=r"batches\.meta: can't be unpickled"):
            load_data(f"cifar10:{folder}")
        python_version(tmp_path / name)
        (folder / "batches.meta").write_bytes(
            (tmp_path / name / "cifar-10-batches-py" / "batches.meta").read_bytes()
        )
    assert not ran.exists()


def without(key: str) -> bytes:
    return pickled({name: value for name, value in batch_record(0).items() if name != key})


LABELS, PIXELS = batch(0)


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"", "can't be unpickled"),
        (b"<!DOCTYPE html>", "can't be unpickled"),
        (pickle.dumps([1], protocol=2), "pickle of a dictionary, got list"),
        (without("labels"), "an array of whole numbers"),
        (without("data"), "an array of whole numbers"),
        (pickled({"labels": LABELS[1:], "data": PIXELS}), r"11 labels and the shape \(12, 3072\)"),
        (pickled({"labels": [10] * 12, "data": PIXELS}), "labels from 0 to 9"),
        (pickled({"labels": LABELS, "data": PIXELS}).replace(b"T\x02\0\0\0u1", b"T\x02\0\0\0O8"), "whole numbers"),
        (pickled({"labels": LABELS, "data": PIXELS})[:-2000], "can't be unpickled"),
        (pickle.dumps({"labels": LABELS, "data": PIXELS.T.copy().T}, protocol=2), "in C order"),
        (pickle.dumps({"labels": LABELS, "data": PIXELS.astype(float)}, protocol=2), "whole numbers"),
        (pickle.dumps({"labels": LABELS, "data": PIXELS.astype(int)}, protocol=5), "unsigned byte, got int64"),
        (pickle.dumps({"labels": LABELS, "data": PIXELS.T.copy().T}, protocol=5), "in C order"),
        (pickle.dumps({"labels": np.array([0.5]), "data": PIXELS}, protocol=5), "whole numbers"),
        (pickle.dumps({"labels": [], "data": PIXELS}).replace(b"M\x00\x0c", b"M\x01\x0c"), "the shape of an array of 36,864 bytes"),
        (b"\x80\x02}(X\x04\0\0\0datacnumpy.core.multiarray\n_reconstruct\n)R(K\x01K\x01\x85cnumpy\ndtype\nX\x02\0\0\0u1\x85R(K\x03X\x01\0\0\0|tb\x89X\x02\0\0\0\xd0\xb0tbX\x06\0\0\0labels]u.", "the shape of an array of 0 bytes"),
    ],
)  # fmt: skip
def test_what_is_no_batch_is_refused_in_one_line(
    content: bytes, message: str, tmp_path: Path
) -> None:
    folder = python_version(tmp_path)
    (folder / "test_batch").write_bytes(content)
    with pytest.raises(DataError, match=message) as caught:
        load_data(f"cifar10:{folder}")
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize("content", [b"", b"x" * 3072])
def test_binary_batches_that_were_cut_off_are_refused(content: bytes, tmp_path: Path) -> None:
    folder = binary_version(tmp_path)
    (folder / "test_batch.bin").write_bytes(content)
    with pytest.raises(DataError, match="expected a multiple of 3073 bytes"):
        load_data(f"cifar10:{folder}")


@VERSIONS
def test_another_order_of_classes_is_refused(
    version: Callable[[Path], Path], tmp_path: Path
) -> None:
    folder = version(tmp_path)
    names = list(reversed(CIFAR10_CLASSES))
    (folder / "batches.meta.txt").write_text("\n".join(names), encoding="ascii")
    (folder / "batches.meta").write_bytes(pickled({"label_names": names}))
    with pytest.raises(DataError, match="got truck, ship"):
        load_data(f"cifar10:{folder}")


def test_names_that_are_no_text_are_refused(tmp_path: Path) -> None:
    """Such as lists in lists, which can't even be shown."""
    folder = python_version(tmp_path)
    nested = b"]" * 10_000 + b"a" * 9_999
    (folder / "batches.meta").write_bytes(b"\x80\x02}X\x0b\0\0\0label_names](" + nested + b"es.")
    with pytest.raises(DataError, match="got none"):
        load_data(f"cifar10:{folder}")


def test_missing_batches_are_named(tmp_path: Path) -> None:
    folder = python_version(tmp_path)
    (folder / "data_batch_4").unlink()
    with pytest.raises(DataError, match=r"lacks data_batch_4\. Unpack"):
        load_data(f"cifar10:{folder}?split=train")


def test_a_folder_without_batches_and_odd_options_are_refused(tmp_path: Path) -> None:
    with pytest.raises(DataError, match="there are none in"):
        load_data(f"cifar10:{tmp_path}")
    with pytest.raises(DataError, match=r"expected \?split=test or train, got 'val'"):
        load_data(f"cifar10:{python_version(tmp_path)}?split=val")
    with pytest.raises(UserError, match="unknown option 'label'"):
        load_data(f"cifar10:{tmp_path}?label=x")


def test_a_bare_folder_of_batches_names_the_scheme(tmp_path: Path) -> None:
    folder = python_version(tmp_path)
    with pytest.raises(DataError) as caught:
        load_data(folder)
    assert str(caught.value).endswith(f"Give cifar10:{folder}.")
