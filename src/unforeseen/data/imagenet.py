"""``imagenet:DIR``: ImageNet's validation pictures in one folder, labelled by a ground-truth file.

The archive ILSVRC2012_img_val.tar unpacks into 50,000 pictures without class folders. Which class
each has stands in one of several files; see :mod:`unforeseen.data.imagenet_truth`.
"""

__all__ = ["load_imagenet"]

import os
from pathlib import Path

import numpy as np

from unforeseen.data.dataset import DataCard, Dataset
from unforeseen.data.file_names import first_names, skipped_note
from unforeseen.data.imagenet_truth import PICTURE_NUMBER, Truth, read_truth
from unforeseen.data.label_spaces import imagenet_class_names
from unforeseen.errors import DataError
from unforeseen.files.regular_files import read_regular_file
from unforeseen.uri import Uri, path_of

# What people call them; WNIDs first, because they need nothing else.
_USUAL_TRUTHS = (
    "imagenet_2012_validation_synset_labels.txt",
    "ILSVRC2012_validation_synset_labels.txt",
    "validation_synset_labels.txt",
    "synset_labels.txt",
    "LOC_val_solution.csv",
    "val.txt",
    "ILSVRC2012_validation_ground_truth.txt",
)
_USUAL_FOLDERS = (".", "..", "../data", "../ILSVRC2012_devkit_t12/data")


class ImageNetValidation(Dataset):
    """Flat validation pictures.

    Args:
        root: Their folder.
        files: Names of the files by number.
        truth: Labels by number.
        card: What is known.
    """

    def __init__(self, root: Path, files: dict[int, str], truth: Truth, card: DataCard) -> None:
        self._root = root
        self._files = [files[number] for number in sorted(files)]
        self.labels = np.array([truth.label_of[number] for number in sorted(files)], dtype=np.int64)
        self.keys = self._files
        self.card = card

    def read(self, index: int) -> bytes:
        """See the base class."""
        return read_regular_file(self._root / self._files[index])


def load_imagenet(uri: Uri) -> ImageNetValidation:
    """Lists the pictures and reads the ground truth; opens no picture.

    Raises:
        UserError: An option that there isn't.
        DataError: No such pictures, no ground truth, or one that doesn't fit them.
        MissingExtraError: The ground truth needs scipy.
    """
    uri.expect_options(("truth",))
    root = path_of(uri.path)
    if not uri.path or not root.is_dir():
        raise DataError(
            f"{uri.text!r}: expected the folder of ImageNet's flat validation pictures; there is no "
            f"folder {uri.path!r}."
        )
    files, others = _list(uri, root)
    file = _find_truth(uri, root)
    try:
        truth = read_truth(file)
    except DataError as error:
        raise DataError(f"{uri.text!r}: {error}.") from error
    _check_counts(uri, files, file, truth)
    return ImageNetValidation(
        root,
        files,
        truth,
        DataCard(
            uri=uri.text,
            label_space="imagenet",
            class_names=imagenet_class_names(),
            images=len(files),
            notes=(
                f"labels are taken from {file.name} ({truth.layout})",
                *skipped_note(others, "not validation pictures"),
            ),
        ),
    )


def _list(uri: Uri, root: Path) -> tuple[dict[int, str], list[str]]:
    files: dict[int, str] = {}
    others = []
    for name in sorted(os.listdir(root)):  # noqa: PTH208 - names are all that is needed of 50,000 files
        found = PICTURE_NUMBER.fullmatch(name)
        if found is None or "." not in name:
            if name not in _USUAL_TRUTHS:
                others.append(name)
        elif int(found[1]) in files:
            raise DataError(
                f"{uri.text!r}: {files[int(found[1])]} and {name} have the same number."
            )
        else:
            files[int(found[1])] = name
    if not files:
        raise DataError(
            f"{uri.text!r}: expected pictures named ILSVRC2012_val_00000001.JPEG …, found none. Where "
            f"they lie in class folders, give imagefolder:{root}."
        )
    return files, others


def _find_truth(uri: Uri, root: Path) -> Path:
    if "truth" in uri.options:
        file = path_of(uri.options["truth"])
        # What is typed is below the working folder; names alone may mean the pictures' own.
        found = [each for each in (file, root / file) if each.is_file()]
        if not found:
            raise DataError(f"{uri.text!r}: there is no file {uri.options['truth']!r}.")
        return found[0]
    places = [root / folder for folder in _USUAL_FOLDERS]
    for place in places:
        for name in _USUAL_TRUTHS:
            if (place / name).is_file():
                return place / name
    raise DataError(
        f"{uri.text!r}: expected a ground-truth file ({', '.join(_USUAL_TRUTHS[-4:])}) in the folder "
        f"itself or in {', '.join(_USUAL_FOLDERS[1:])}, found none. Give its path: ?truth=FILE"
    )


def _check_counts(uri: Uri, files: dict[int, str], truth_file: Path, truth: Truth) -> None:
    if files.keys() == truth.label_of.keys():
        return
    unlabelled = [files[number] for number in sorted(files.keys() - truth.label_of.keys())]
    absent = [f"{number:08d}" for number in sorted(truth.label_of.keys() - files.keys())]
    details = [
        text
        for names, text in (
            (unlabelled, f"without a label: {first_names(unlabelled)}"),
            (absent, f"without a picture: {first_names(absent)}"),
        )
        if names
    ]
    raise DataError(
        f"{uri.text!r}: expected as many pictures as labels; there are {len(files):,} pictures and "
        f"{len(truth.label_of):,} labels in {truth_file.name} ({'; '.join(details)}). Complete the "
        "folder, and take fewer pictures with a limit."
    )
