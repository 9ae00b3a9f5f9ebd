"""``imagefolder:DIR``: one subfolder per class.

Folders named by WNIDs, alone or before words, get ImageNet's class indices, whichever of the 1,000
are there. Other folders count from 0 in the order of their names (by code point). Numeric names are
refused: sorted as text, 10 comes before 2.
"""

__all__ = ["ImageFolder", "load_imagefolder"]

import os
import re
from pathlib import Path, PurePosixPath
from typing import NamedTuple

import numpy as np

from unforeseen.data.class_labels import ClassLabels, is_number, number_classes
from unforeseen.data.dataset import SPLIT_NAMES, DataCard, Dataset
from unforeseen.data.file_names import (
    PICTURE_SUFFIXES,
    first_names,
    is_picture_name,
    portable,
    skipped_note,
)
from unforeseen.errors import DataError
from unforeseen.files.regular_files import read_regular_file
from unforeseen.obfuscated_folder.layout import RECORD_FILE
from unforeseen.uri import Uri, path_of

# Scheme → a file by which its folders are known.
_OTHER_LAYOUTS = {
    "imagenet": re.compile(r"ILSVRC2012_val_\d{8}\.JPEG", re.IGNORECASE),
    "cifar10": re.compile(r"(test_batch|data_batch_1)(\.bin)?"),
    "parquet": re.compile(r".*\.parquet"),
    "webdataset": re.compile(r".*\.tar"),
}


class _Listing(NamedTuple):
    """Names below a folder, with forward slashes, sorted; ``folders`` not descended into."""

    folders: list[str]
    pictures: list[str]
    others: list[str]


class _Skipped(NamedTuple):
    """What counts for nothing, or not for what its name says.

    Attributes:
        others: Files that are no pictures.
        misleading: Folders named like another class than the one they are in.
        empty: Class folders without pictures.
    """

    others: list[str]
    misleading: list[str]
    empty: list[str]


class ImageFolder(Dataset):
    """Picture files below class folders.

    Args:
        root: The folder of class folders.
        files: Per picture, its path below ``root`` with forward slashes.
        labels: Per picture.
        card: What is known.
    """

    def __init__(self, root: Path, files: list[str], labels: list[int], card: DataCard) -> None:
        self._root = root
        self._files = files
        self.labels = np.array(labels, dtype=np.int64)
        self.keys = [portable(file) for file in files]
        self.card = card

    def read(self, index: int) -> bytes:
        """See the base class."""
        return read_regular_file(self._root / self._files[index])


def load_imagefolder(uri: Uri) -> ImageFolder:
    """Lists the pictures; opens none.

    Raises:
        DataError: No such folder, no class folders, no pictures, or names that don't say which
            class they are.
    """
    uri.expect_options(())
    root = path_of(uri.path)
    if not uri.path or not root.is_dir():
        raise DataError(
            f"{uri.text!r}: expected a folder with one subfolder per class; there is no folder "
            f"{uri.path!r}."
        )
    if (root / RECORD_FILE).is_file():
        raise DataError(
            f"{uri.text!r}: expected one subfolder per class, but unforeseen obfuscate wrote this folder: "
            f"its subfolders are obfuscations. Give obfuscated:{uri.path}."
        )
    try:
        top = _list(root)
        if not top.folders:
            raise _no_class_folders(uri, root, top)
        _refuse_splits(uri, root, top.folders)
        labels = _label(uri, top.folders)
        files, skipped = _walk(uri, root, top.folders)
    except OSError as error:
        raise DataError(f"{uri.text!r}: can't be listed: {error}.") from error
    return ImageFolder(
        root,
        files,
        [labels.label_of[file.partition("/")[0]] for file in files],
        DataCard(
            uri=uri.text,
            label_space=labels.label_space,
            class_names=labels.class_names,
            images=len(files),
            notes=(
                *labels.notes,
                *skipped_note(top.pictures, "outside the class folders"),
                *skipped_note(sorted(top.others + skipped.others), "hidden or not pictures"),
                *(
                    f"{portable(folder)} is named like another class; its pictures count as "
                    f"{portable(folder.partition('/')[0])}"
                    for folder in skipped.misleading
                ),
                *_empty_note(skipped.empty),
            ),
        ),
    )


def _list(folder: Path, prefix: str = "") -> _Listing:
    listing = _Listing([], [], [])
    with os.scandir(folder) as entries:
        for entry in entries:
            name = prefix + entry.name
            if entry.name.startswith(".") or entry.name == "__MACOSX":
                listing.others.append(name)
            elif entry.is_dir():
                listing.folders.append(name)
            # Not pipes or devices: reading one may wait for ever. Links that lead nowhere are
            # pictures that can't be read.
            elif is_picture_name(entry.name) and (entry.is_file() or entry.is_symlink()):
                listing.pictures.append(name)
            else:
                listing.others.append(name)
    for names in listing:
        names.sort(key=portable)
    return listing


def _walk(uri: Uri, root: Path, classes: list[str]) -> tuple[list[str], _Skipped]:
    """Pictures in the order of the sorted classes, and what is worth saying of the rest."""
    files: list[str] = []
    others: list[str] = []
    misleading: list[str] = []
    empty: list[str] = []
    class_at: dict[str, str] = {}
    for name in classes:
        before = len(files)
        folders = [name]
        while folders:
            folder = folders.pop()
            real = os.path.realpath(root / folder)
            owner = class_at.setdefault(real, folder)
            if owner is not folder:  # seen before, through a link
                _refuse_second_class(uri, owner, folder)
                continue
            if folder != name and PurePosixPath(folder).name in classes:
                misleading.append(folder)
            listing = _list(root / folder, prefix=f"{folder}/")
            folders.extend(reversed(listing.folders))
            files.extend(listing.pictures)
            others.extend(listing.others)
        if len(files) == before:
            empty.append(name)
    if not files:
        raise DataError(
            f"{uri.text!r}: expected pictures ({' '.join(PICTURE_SUFFIXES)}) in the class folders, "
            f"found none in {first_names(empty)}. Add pictures."
        )
    return files, _Skipped(others, misleading, empty)


def _empty_note(empty: list[str]) -> tuple[str, ...]:
    """Without pictures a class keeps its number, as the model has it."""
    if not empty:
        return ()
    return (f"no pictures in {first_names(empty)}; every class folder has a number all the same",)


def _refuse_second_class(uri: Uri, one: str, other: str) -> None:
    """Refuses pictures that links bring into two classes; twice in one class they count once."""
    if one.partition("/")[0] != other.partition("/")[0]:
        raise DataError(
            f"{uri.text!r}: {portable(one)} and {portable(other)} are the same folder, by a link, so "
            "its pictures would count under two classes. Remove the link."
        )


def _label(uri: Uri, folders: list[str]) -> ClassLabels:
    numeric = [name for name in folders if is_number(name)]
    if numeric:
        raise DataError(
            f"{uri.text!r}: class folders with numeric names ({first_names(numeric)}) are "
            "refused, because sorted as text 10 comes before 2 and labels would be wrong. Expected "
            "folders named by WNIDs (n01440764) or by words (cat): rename them, or list the "
            "pictures with their labels in a table (table:FILE.csv)."
        )
    return number_classes(uri, folders, "class folders")


def _refuse_splits(uri: Uri, root: Path, folders: list[str]) -> None:
    """Refuses a data set's top folder, given instead of its split."""
    splits = [name for name in folders if name.lower() in SPLIT_NAMES]
    if len(splits) < len(folders) or not all(_list(root / name).folders for name in splits):
        return
    choices = " or ".join(f"imagefolder:{root / name}" for name in splits)
    raise DataError(
        f"{uri.text!r}: expected one subfolder per class, found only {first_names(splits)}. "
        f"Give {choices}."
    )


def _no_class_folders(uri: Uri, root: Path, top: _Listing) -> DataError:
    for scheme, name in _OTHER_LAYOUTS.items():
        found = [each for each in top.pictures + top.others if name.fullmatch(each)]
        if found:
            return DataError(
                f"{uri.text!r}: expected one subfolder per class, found none, but {found[0]}. Give "
                f"{scheme}:{root}."
            )
    if top.pictures:
        return DataError(
            f"{uri.text!r}: expected one subfolder per class, found {len(top.pictures)} pictures "
            "and no subfolder, so nothing says their classes. If this is the folder of one class, "
            f"give the folder above: imagefolder:{root.absolute().parent}."
        )
    return DataError(
        f"{uri.text!r}: expected one subfolder per class with pictures in it; the folder has no "
        "subfolders."
    )
