"""The files in which ImageNet's validation labels are passed around, told apart by their content.

* A WNID per line, in the order of the pictures (``imagenet_2012_validation_synset_labels.txt``).
* Kaggle's ``LOC_val_solution.csv``: name and ``WNID x y width height …``.
* Caffe's ``val.txt``: name and class index, 0 … 999.
* The development kit's ``ILSVRC2012_validation_ground_truth.txt``: a number per line. These are
  ILSVRC2012 ids, 1 … 1000, in an order of their own: taken for class indices they give an accuracy
  of 0.1 %. The kit's ``meta.mat``, beside it, says which WNID each stands for.
"""

__all__ = ["PICTURE_NUMBER", "Truth", "read_truth"]

import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

from unforeseen.data.label_spaces import imagenet_wnids
from unforeseen.errors import DataError
from unforeseen.extras import import_extra
from unforeseen.files.regular_files import read_regular_file

#: Group 1 is the number of a validation picture, from 1.
PICTURE_NUMBER = re.compile(r"ILSVRC2012_val_(\d{8})(?:\.JPEG)?", re.IGNORECASE)

_WNID = re.compile(r"n\d{8}")
_KAGGLE_HEADER = "ImageId,PredictionString"


class Truth(NamedTuple):
    """What a ground-truth file says.

    Attributes:
        layout: In words, for notes.
        label_of: Number of the picture, from 1 → class index.
    """

    layout: str
    label_of: Mapping[int, int]


def read_truth(file: Path) -> Truth:
    """Reads a ground-truth file.

    Raises:
        OSError: It can't be read.
        DataError: It is in none of the four layouts, or names a class that ImageNet-1k hasn't.
        MissingExtraError: It needs ``meta.mat``, and scipy isn't installed.
        UserError: Likewise, and scipy can't be imported.
    """
    text = read_regular_file(file).decode("utf-8-sig", errors="replace")
    lines = [line.strip() for line in text.splitlines()]
    lines = lines[: max((n for n, line in enumerate(lines, start=1) if line), default=0)]
    if not lines:
        raise DataError(f"{file} is empty")
    if lines[0].replace(" ", "") == _KAGGLE_HEADER:
        return Truth("Kaggle's table of WNIDs", _of_kaggle(file, lines[1:]))
    first = lines[0].split()
    if len(first) == 2 and PICTURE_NUMBER.fullmatch(first[0]):
        return Truth("names and class indices", _of_caffe(file, lines))
    if all(_WNID.fullmatch(line) for line in lines):
        return Truth("a WNID per line", _numbered(_indices(file, lines)))
    if all(line.isdecimal() and line.isascii() for line in lines):
        wnids = _wnids_of_the_kit(file, [int(line[:9]) for line in lines])
        return Truth("ILSVRC2012 ids through meta.mat", _numbered(_indices(file, wnids)))
    raise DataError(
        f"{file}: expected a WNID per line, Kaggle's LOC_val_solution.csv, lines 'name index', or "
        f"the development kit's numbers; the first line is {lines[0]!r:.80}"
    )


def _of_kaggle(file: Path, lines: Sequence[str]) -> dict[int, int]:
    names, wnids = [], []
    for line in lines:
        name, _, prediction = line.partition(",")
        names.append(name)
        wnids.append(prediction.split()[0] if prediction.split() else "")
    return _by_name(file, names, _indices(file, wnids))


def _of_caffe(file: Path, lines: Sequence[str]) -> dict[int, int]:
    names, labels = [], []
    for row, line in enumerate(lines, start=1):
        name, _, label = line.partition(" ")
        if not re.fullmatch(r"\s*[0-9]{1,3}", label):
            raise DataError(
                f"{file}, line {row}: expected 'name index' with 0 … 999, got {line!r:.80}"
            )
        names.append(name)
        labels.append(int(label))
    return _by_name(file, names, labels)


def _by_name(file: Path, names: Sequence[str], labels: Sequence[int]) -> dict[int, int]:
    label_of: dict[int, int] = {}
    for name, label in zip(names, labels, strict=True):
        found = PICTURE_NUMBER.fullmatch(name.strip())
        if found is None:
            raise DataError(
                f"{file}: expected names such as ILSVRC2012_val_00000001, got {name!r:.80}"
            )
        number = int(found[1])
        if label_of.setdefault(number, label) != label:
            raise DataError(f"{file} gives {name.strip()} two labels")
    return label_of


def _numbered(labels: Sequence[int]) -> dict[int, int]:
    return dict(enumerate(labels, start=1))


def _indices(file: Path, wnids: Sequence[str]) -> list[int]:
    index_of = {wnid: index for index, wnid in enumerate(imagenet_wnids())}
    for row, wnid in enumerate(wnids, start=1):
        if wnid not in index_of:
            raise DataError(
                f"{file}: expected WNIDs of ImageNet-1k, got {wnid!r:.80} for picture {row}"
            )
    return [index_of[wnid] for wnid in wnids]


def _wnids_of_the_kit(file: Path, ids: Sequence[int]) -> list[str]:
    meta = file.with_name("meta.mat")
    if not meta.is_file():
        raise DataError(
            f"{file} holds numbers alone. The development kit's are ILSVRC2012 ids, which are not "
            f"class indices, and need its meta.mat, which isn't beside it. Put data/meta.mat there, or "
            "give ?truth= a file of WNIDs"
        )
    wnid_of = _read_meta(meta)
    for row, each in enumerate(ids, start=1):
        if each not in wnid_of:
            raise DataError(f"{file}, line {row}: {each} is no ILSVRC2012 id of {meta.name}")
    return [wnid_of[each] for each in ids]


def _read_meta(file: Path) -> dict[int, str]:
    """ILSVRC2012 id → WNID. MATLAB's format holds data only; nothing in it is run."""
    io = import_extra("scipy.io", needed_by=str(file), package="scipy", extra="imagenet")
    try:
        synsets = io.loadmat(file, squeeze_me=True, variable_names=["synsets"])["synsets"]
        return {int(each["ILSVRC2012_ID"]): str(each["WNID"]) for each in synsets}
    except Exception as error:  # broken files raise nearly anything
        raise DataError(f"{file} is no meta.mat of ILSVRC2012's development kit") from error
