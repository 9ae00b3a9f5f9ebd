"""ImageNet's flat validation folder with each kind of ground truth."""

import sys
from collections.abc import Callable
from importlib.machinery import BuiltinImporter
from pathlib import Path

import numpy as np
import pytest
from scipy.io import savemat

from data.in_memory import encoded, noise
from unforeseen.data import load_data
from unforeseen.data.label_spaces import imagenet_class_names, imagenet_wnids
from unforeseen.errors import DataError, MissingExtraError, UserError

#: Class indices of the pictures 1 … 6.
LABELS = [65, 970, 230, 809, 516, 65]
COUNT = len(LABELS)


def picture_name(number: int) -> str:
    return f"ILSVRC2012_val_{number:08d}.JPEG"


def fill(folder: Path, numbers: range = range(1, COUNT + 1)) -> Path:
    folder.mkdir(parents=True, exist_ok=True)
    for number in reversed(numbers):
        (folder / picture_name(number)).write_bytes(encoded(noise(seed=number), "JPEG"))
    return folder


def wnids(folder: Path, labels: list[int]) -> Path:
    text = "".join(f"{imagenet_wnids()[label]}\n" for label in labels)
    return write(folder / "imagenet_2012_validation_synset_labels.txt", text)


def kaggle(folder: Path, labels: list[int]) -> Path:
    """Kaggle lists pictures in no order, with the boxes of one or more objects."""
    rows = [
        f"ILSVRC2012_val_{number:08d},{wnid} 1 2 30 40 {wnid} 5 6 7 8 \n"
        for number, label in enumerate(labels, start=1)
        for wnid in (imagenet_wnids()[label],)
    ]
    return write(
        folder / "LOC_val_solution.csv", "ImageId,PredictionString\n" + "".join(rows[::-1])
    )


def caffe(folder: Path, labels: list[int]) -> Path:
    rows = [f"{picture_name(n)} {label}\n" for n, label in enumerate(labels, start=1)]
    return write(folder / "val.txt", "".join(rows))


def devkit(folder: Path, labels: list[int]) -> Path:
    """Ids in an order of their own, as the kit has them; 1,000 classes and some above them."""
    ids = np.random.default_rng(0).permutation(1000) + 1
    synsets = np.zeros(1001, dtype=[("ILSVRC2012_ID", "O"), ("WNID", "O"), ("words", "O")])
    for row, (index, each) in enumerate(zip(range(1000), ids, strict=True)):
        synsets[row] = (float(each), imagenet_wnids()[index], "words")
    synsets[1000] = (1001.0, "n00001740", "entity")
    savemat(folder / "meta.mat", {"synsets": synsets.reshape(-1, 1)})
    text = "".join(f"{ids[label]}\n" for label in labels)
    return write(folder / "ILSVRC2012_validation_ground_truth.txt", text)


def write(file: Path, text: str) -> Path:
    file.write_text(text, encoding="utf-8", newline="\r\n")
    return file


KINDS = pytest.mark.parametrize("kind", [wnids, kaggle, caffe, devkit])
Kind = Callable[[Path, list[int]], Path]


@KINDS
@pytest.mark.parametrize("place", ["val", ".", "elsewhere"])
def test_every_kind_of_ground_truth_gives_the_class_indices(
    kind: Kind, place: str, tmp_path: Path
) -> None:
    folder = fill(tmp_path / "val")
    (tmp_path / "elsewhere").mkdir()
    file = kind(tmp_path / place, LABELS)
    option = f"?truth={file}" if place == "elsewhere" else ""
    data = load_data(f"imagenet:{folder}{option}")
    assert data.labels.tolist() == LABELS
    assert data.keys == [picture_name(number) for number in range(1, COUNT + 1)]
    assert data.card.label_space == "imagenet"
    assert data.card.class_names == imagenet_class_names()
    assert data.card.notes[0].startswith(f"labels are taken from {file.name} (")
    assert data.read(1) == (folder / picture_name(2)).read_bytes()


def test_a_ground_truth_is_known_by_its_content_and_not_by_its_name(tmp_path: Path) -> None:
    folder = fill(tmp_path / "val")
    renamed = kaggle(tmp_path, LABELS).rename(tmp_path / "val.txt")
    assert load_data(f"imagenet:{folder}?truth={renamed}").labels.tolist() == LABELS


def test_ids_of_the_kit_are_never_taken_for_class_indices(tmp_path: Path) -> None:
    """Pitfall 18: numbers alone say nothing without the kit's own table."""
    folder = fill(tmp_path / "val")
    file = devkit(tmp_path, LABELS)
    (tmp_path / "meta.mat").unlink()
    with pytest.raises(DataError, match=r"ILSVRC2012 ids, which are not class indices.*meta\.mat"):
        load_data(f"imagenet:{folder}?truth={file}")


def test_the_kits_table_needs_scipy_and_says_so(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = fill(tmp_path / "val")
    devkit(tmp_path, LABELS)
    for name in ("scipy", "scipy.io"):
        monkeypatch.delitem(sys.modules, name)
    monkeypatch.setattr(sys, "meta_path", [BuiltinImporter])  # nothing is installed
    with pytest.raises(MissingExtraError, match=r"unforeseen\[imagenet\]"):
        load_data(f"imagenet:{folder}")


@KINDS
@pytest.mark.parametrize(
    ("numbers", "message"),
    [
        (range(1, 4), r"3 pictures and 6 labels.*without a picture: 00000004, 00000005, 00000006"),
        (range(1, 8), r"7 pictures and 6 labels.*without a label: ILSVRC2012_val_00000007"),
        (range(2, 8), r"without a label: ILSVRC2012_val_00000007.*without a picture: 00000001"),
    ],
)
def test_as_many_pictures_as_labels_are_needed(
    kind: Kind, numbers: range, message: str, tmp_path: Path
) -> None:
    folder = fill(tmp_path / "val", numbers)
    kind(tmp_path, LABELS)
    with pytest.raises(DataError, match=message):
        load_data(f"imagenet:{folder}")


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "is empty"),
        ("<!DOCTYPE html>\n", "expected a WNID per line.*first line is '<!DOCTYPE html>'"),
        ("n01440764\nn00000001\n", "got 'n00000001' for picture 2"),
        ("ImageId,PredictionString\nILSVRC2012_val_00000001,\n", "got '' for picture 1"),
        ("ImageId,PredictionString\n../etc,n01440764 1 1 1 1\n", "got '../etc'"),
        ("ILSVRC2012_val_00000001.JPEG 1000\n", "line 1: expected 'name index' with 0 … 999"),
        ("ILSVRC2012_val_00000001.JPEG 3\nx.JPEG 4\n", "got 'x.JPEG'"),
        ("ILSVRC2012_val_00000001.JPEG 3\nILSVRC2012_val_00000001.JPEG 4\n", "two labels"),
        ("0\n999\n", r"which are not class indices"),
    ],
)
def test_what_is_no_ground_truth_is_refused_in_one_line(
    text: str, message: str, tmp_path: Path
) -> None:
    folder = fill(tmp_path / "val")
    file = write(tmp_path / "truth.txt", text)
    with pytest.raises(DataError, match=message) as caught:
        load_data(f"imagenet:{folder}?truth={file}")
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    "content", [b"", b"MATLAB 5.0 MAT-file, broken", b"\x80\x02cos\nsystem\n."]
)
def test_a_broken_table_of_the_kit_is_refused(content: bytes, tmp_path: Path) -> None:
    folder = fill(tmp_path / "val")
    devkit(tmp_path, LABELS)
    (tmp_path / "meta.mat").write_bytes(content)
    with pytest.raises(DataError, match=r"is no meta\.mat"):
        load_data(f"imagenet:{folder}")


def test_ids_that_the_kit_does_not_have_are_refused(tmp_path: Path) -> None:
    folder = fill(tmp_path / "val")
    write(devkit(tmp_path, LABELS), "0\n" * COUNT)
    with pytest.raises(DataError, match="line 1: 0 is no ILSVRC2012 id"):
        load_data(f"imagenet:{folder}")


def test_other_files_are_noted_and_folders_without_pictures_refused(tmp_path: Path) -> None:
    folder = fill(tmp_path / "val")
    wnids(folder, LABELS)
    (folder / "readme.txt").touch()
    (folder / "ILSVRC2012_val_00000007").touch()
    notes = load_data(f"imagenet:{folder}").card.notes
    assert notes[1] == (
        "skipped, not validation pictures: 2 files (ILSVRC2012_val_00000007, readme.txt)"
    )
    (tmp_path / "n01440764").mkdir()
    with pytest.raises(DataError, match=f"found none.*give imagefolder:{tmp_path}"):
        load_data(f"imagenet:{tmp_path}")
    with pytest.raises(DataError, match="there is no folder"):
        load_data(f"imagenet:{tmp_path / 'nowhere'}")


def test_a_missing_ground_truth_is_asked_for(tmp_path: Path) -> None:
    folder = fill(tmp_path / "val")
    with pytest.raises(DataError, match=r"found none\. Give its path: \?truth=FILE"):
        load_data(f"imagenet:{folder}")
    with pytest.raises(DataError, match=r"there is no file 'nowhere\.txt'"):
        load_data(f"imagenet:{folder}?truth=nowhere.txt")
    with pytest.raises(UserError, match="unknown option 'labels'"):
        load_data(f"imagenet:{folder}?labels=x")


def test_a_bare_flat_folder_names_the_scheme(tmp_path: Path) -> None:
    folder = fill(tmp_path / "val")
    with pytest.raises(DataError) as caught:
        load_data(folder)
    assert str(caught.value).endswith(f"Give imagenet:{folder}.")
