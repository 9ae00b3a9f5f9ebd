"""``imagefolder:DIR``: one subfolder per class.

Folders named by WNIDs get ImageNet's class indices, whichever of the 1,000 are there. Other
folders count from 0 in the order of their names (by code point). Numeric names are refused:
sorted as text, 10 comes before 2.
"""

__all__ = ["load_imagefolder"]

import os
import re
import unicodedata
from pathlib import Path
from typing import NamedTuple

import numpy as np

from unforeseen.data.dataset import SPLIT_NAMES, DataCard, Dataset, LabelSpace
from unforeseen.data.label_spaces import (
    CIFAR10_CLASSES,
    imagenet_class_names,
    imagenet_wnids,
)
from unforeseen.errors import DataError
from unforeseen.uri import Uri, path_of

_SUFFIXES = (".jpg", ".jpeg", ".png", ".bmp", ".webp", ".gif", ".tif", ".tiff", ".ppm")
_WNID = re.compile(r"n\d{8}")
_NAMED_IN_A_MESSAGE = 3


class _ClassLabels(NamedTuple):
    label_space: LabelSpace | None
    class_names: tuple[str, ...]
    label_of: dict[str, int]


class _Listing(NamedTuple):
    """Names below a folder, with forward slashes, sorted; ``folders`` not descended into."""

    folders: list[str]
    pictures: list[str]
    others: list[str]


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
        self.keys = [_portable(file) for file in files]
        self.card = card

    def read(self, index: int) -> bytes:
        """See the base class."""
        return (self._root / self._files[index]).read_bytes()


def load_imagefolder(uri: Uri) -> ImageFolder:
    """Lists the pictures; opens none.

    Raises:
        DataError: No such folder, no class folders, a class without pictures, or names that
            don't say which class they are.
    """
    uri.expect_options(())
    root = path_of(uri.path)
    if not uri.path or not root.is_dir():
        raise DataError(
            f"{uri.text!r}: expected a folder with one subfolder per class; there is no folder "
            f"{uri.path!r}."
        )
    try:
        top = _list(root)
        if not top.folders:
            raise _no_class_folders(uri, top)
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
                *_note(top.pictures, "outside the class folders"),
                *_note(sorted(top.others + skipped), "hidden or not pictures"),
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
            elif entry.name.lower().endswith(_SUFFIXES) and (entry.is_file() or entry.is_symlink()):
                listing.pictures.append(name)
            else:
                listing.others.append(name)
    for names in listing:
        names.sort(key=_portable)
    return listing


def _walk(uri: Uri, root: Path, classes: list[str]) -> tuple[list[str], list[str]]:
    """Pictures in the order of the sorted classes, and what else lies there."""
    files: list[str] = []
    skipped: list[str] = []
    empty: list[str] = []
    for name in classes:
        before = len(files)
        folders, seen = [name], set[str]()
        while folders:
            folder = folders.pop()
            real = os.path.realpath(root / folder)
            if real in seen:  # a link to a folder above would be followed for ever
                continue
            seen.add(real)
            listing = _list(root / folder, prefix=f"{folder}/")
            folders.extend(reversed(listing.folders))
            files.extend(listing.pictures)
            skipped.extend(listing.others)
        if len(files) == before:
            empty.append(name)
    if empty:
        raise DataError(
            f"{uri.text!r}: expected pictures ({' '.join(_SUFFIXES)}) in every class folder, found "
            f"none in {_first_names(empty)}. Add pictures or remove the folder."
        )
    return files, skipped


def _label(uri: Uri, folders: list[str]) -> _ClassLabels:
    wnids = [name for name in folders if _WNID.fullmatch(name)]
    if wnids:
        return _label_wnids(uri, wnids, [name for name in folders if name not in set(wnids)])
    numeric = [name for name in folders if name.isdecimal()]
    if numeric:
        raise DataError(
            f"{uri.text!r}: class folders with numeric names ({_first_names(numeric)}) are "
            "refused, because sorted as text 10 comes before 2 and labels would be wrong. Expected "
            "folders named by WNIDs (n01440764) or by words (cat): rename them, or put the "
            "pictures into a parquet file with a label column (parquet:FILE)."
        )
    names = tuple(_portable(name) for name in folders)
    return _ClassLabels(
        "cifar10" if names == CIFAR10_CLASSES else None,
        names,
        {name: label for label, name in enumerate(folders)},
    )


def _label_wnids(uri: Uri, wnids: list[str], others: list[str]) -> _ClassLabels:
    if others:
        raise DataError(
            f"{uri.text!r}: expected class folders named either all by WNIDs or none; besides "
            f"{_first_names(wnids)} there are {_first_names(others)}. Move the latter elsewhere."
        )
    index_of = {wnid: index for index, wnid in enumerate(imagenet_wnids())}
    strangers = [name for name in wnids if name not in index_of]
    if strangers:
        raise DataError(
            f"{uri.text!r}: not among the 1,000 classes of ImageNet-1k: "
            f"{_first_names(strangers)}. Remove these folders, or name the classes by words to number "
            "them from 0."
        )
    return _ClassLabels("imagenet", imagenet_class_names(), {n: index_of[n] for n in wnids})


def _refuse_splits(uri: Uri, root: Path, folders: list[str]) -> None:
    """Refuses a data set's top folder, given instead of its split."""
    splits = [name for name in folders if name.lower() in SPLIT_NAMES]
    if len(splits) < len(folders) or not all(_list(root / name).folders for name in splits):
        return
    choices = " or ".join(f"imagefolder:{root / name}" for name in splits)
    raise DataError(
        f"{uri.text!r}: expected one subfolder per class, found only {_first_names(splits)}. "
        f"Give {choices}."
    )


def _no_class_folders(uri: Uri, top: _Listing) -> DataError:
    root = Path(uri.path)
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


def _note(names: list[str], what: str) -> tuple[str, ...]:
    if not names:
        return ()
    noun = "file" if len(names) == 1 else "files"
    return (f"skipped, {what}: {len(names)} {noun} ({_first_names(names)})",)


def _first_names(names: list[str]) -> str:
    shown = ", ".join(_portable(name) for name in names[:_NAMED_IN_A_MESSAGE])
    rest = len(names) - _NAMED_IN_A_MESSAGE
    return f"{shown} and {rest} more" if rest > 0 else shown


def _portable(name: str) -> str:
    """The same text on every file system: macOS decomposes accents; Linux allows any bytes."""
    return unicodedata.normalize("NFC", name).encode(errors="backslashreplace").decode()
