"""Reading the published obfuscated ImageNet: a folder of TensorFlow Datasets, without TensorFlow.

Source: *Benchmarking Robustness to Adversarial Image Obfuscations*, and the guide of TensorFlow
Datasets to its folders. Splits are called ``validation_Clean``, ``validation_SwirlWarp`` …; a picture's
``file_name`` is the same in all of them.
"""

__all__ = ["PublishedObfuscations", "find_version", "load_published"]

import hashlib
import json
import re
from collections.abc import Mapping, Sequence
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from typing_extensions import override

from unforeseen.data.class_labels import declared_labels
from unforeseen.data.dataset import DataCard, Dataset
from unforeseen.data.file_names import portable
from unforeseen.data.label_spaces import imagenet_class_names
from unforeseen.data.obfuscated_dataset import MadeBy, ObfuscatedDataset
from unforeseen.data.published_shards import FoundPicture, Split, find_splits, pictures_by_name
from unforeseen.data.tf_example import parse_example
from unforeseen.data.tfrecord import read_record
from unforeseen.errors import DataError, UnknownNameError
from unforeseen.files.regular_files import read_regular_file
from unforeseen.obfuscated_folder.layout import CLEAN
from unforeseen.uri import Uri

_FEATURES_FILE = "features.json"
_LABELS_FILE = "label.labels.txt"

_IMAGENET_CLASSES = 1000
_LARGEST_FILE = 2**24
_DIGITS = 32


class SplitPictures(Dataset):
    """The pictures of one split, in the order of the clean ones.

    Args:
        shards: The split's.
        found: Per picture; None where the split lacks it.
        labels: Per picture.
        keys: Likewise.
        card: What is known.
    """

    def __init__(
        self,
        shards: Sequence[Path],
        found: Sequence[FoundPicture | None],
        labels: NDArray[np.int64],
        keys: Sequence[str],
        card: DataCard,
    ) -> None:
        self._shards = shards
        self.found = found
        self.labels = labels
        self.keys = keys
        self.card = card

    @override
    def read(self, index: int) -> bytes:
        found = self.found[index]
        if found is None:
            raise OSError("the published data lack this picture under this obfuscation")
        content = read_record(self._shards[found.shard], found.record)
        try:
            images = parse_example(content).get("image", [])
        except DataError as error:
            raise OSError(str(error)) from error
        if len(images) != 1 or not isinstance(images[0], bytes):
            raise OSError("the record holds no picture")
        return images[0]


class PublishedObfuscations(ObfuscatedDataset[SplitPictures]):
    """One split of all obfuscations; the shards of one are gone through when it is asked for.

    Args:
        splits: By obfuscation, without the clean one.
        clean: The clean pictures.
        file_names: Of the clean pictures.
        fingerprint: Of the publication and its clean pictures.
    """

    made_by: MadeBy = "published"

    def __init__(
        self,
        splits: Mapping[str, Split],
        clean: SplitPictures,
        file_names: Sequence[str],
        fingerprint: str,
    ) -> None:
        super().__init__(clean)
        self._splits = splits
        self._file_names = file_names
        self.obfuscations = tuple(splits)
        self.fingerprint = fingerprint
        self.files = {name: _digest(json.dumps(split.sizes)) for name, split in splits.items()}
        self.example_ids = [_digest(name) for name in file_names]

    @override
    def parameters(self, name: str, index: int) -> str | None:
        found = self.obfuscated(name).found[index]
        return None if found is None else found.parameters

    @override
    def _open(self, name: str) -> SplitPictures:
        split = self._splits[name]
        by_name = pictures_by_name(self.card.uri, split)
        found = [by_name.get(each) for each in self._file_names]
        for clean, other in zip(self._clean.found, found, strict=True):
            if clean is not None and other is not None and clean.label != other.label:
                raise DataError(
                    f"{self.card.uri!r}: expected the same label of {clean.file_name} in every split, "
                    f"got {clean.label} clean and {other.label} in {split.name}. Fetch it again."
                )
        return SplitPictures(split.shards, found, self.labels, self.keys, self.card)


def find_version(folder: Path) -> Path | None:
    """The folder of a version of a data set: this one, or the only one one or two levels below.

    Raises:
        DataError: There are several.
    """
    for pattern in (_FEATURES_FILE, f"*/{_FEATURES_FILE}", f"*/*/{_FEATURES_FILE}"):
        found = sorted(file.parent for file in folder.glob(pattern))
        if len(found) > 1:
            raise DataError(
                f"{folder}: expected one version of one data set, got {found[0]} and {found[1]}. "
                "Name one of them."
            )
        if found:
            return found[0]
    return None


def load_published(uri: Uri, folder: Path) -> PublishedObfuscations:
    """Opens a split of a version.

    Args:
        uri: As typed; ``?split=`` validation (the default where it is there) or train.
        folder: Of the version.

    Raises:
        DataError: No clean pictures, shards missing or damaged, something else than pictures with
            label and file name, or other classes than those of the publication.
        MissingExtraError: The package for checksums isn't installed.
    """
    part, splits = _chosen(uri, find_splits(uri, folder))
    clean_split = splits.pop(CLEAN, None)
    if clean_split is None:
        raise DataError(
            f"{uri.text!r}: expected the split {part}_{CLEAN} among others, as every figure needs the "
            f"clean pictures; got {', '.join(each.name for each in splits.values())}. Fetch it as well."
        )
    found = [*pictures_by_name(uri.text, clean_split).values()]
    if not found:
        raise DataError(f"{uri.text!r}: expected pictures in {clean_split.name}, found none.")
    features = _read_json(uri, folder / _FEATURES_FILE)
    numbers = np.array([each.label for each in found], dtype=np.int64)
    labels, card = _labelled(uri, folder, features, numbers)
    clean = SplitPictures(
        clean_split.shards, found, labels, [portable(each.file_name) for each in found], card
    )
    said = json.dumps([part, features, clean_split.sizes], sort_keys=True)
    return PublishedObfuscations(splits, clean, [each.file_name for each in found], _digest(said))


def _chosen(uri: Uri, splits: Mapping[str, dict[str, Split]]) -> tuple[str, dict[str, Split]]:
    """The part that is asked for, or the usual one."""
    if not splits:
        raise DataError(
            f"{uri.text!r}: expected files named like obfuscated_imagenet-validation_Clean"
            ".tfrecord-00000-of-00005, found none."
        )
    asked = uri.options.get("split")
    if asked is None:
        asked = "validation" if "validation" in splits or len(splits) > 1 else next(iter(splits))
    if asked not in splits:
        raise UnknownNameError("split", asked, splits)
    return asked, splits[asked]


def _labelled(
    uri: Uri, folder: Path, features: object, numbers: NDArray[np.int64]
) -> tuple[NDArray[np.int64], DataCard]:
    """Labels as the folder declares them; without names they are ImageNet's. Of others nobody published."""
    names = _class_names(folder)
    classes = _number_of_classes(features) or len(names) or _IMAGENET_CLASSES
    declared = declared_labels(numbers, names)
    known = not names or declared.label_space == "imagenet"
    if classes != _IMAGENET_CLASSES or not known or int(numbers.max()) >= classes:
        raise DataError(
            f"{uri.text!r}: expected ImageNet's {_IMAGENET_CLASSES:,} classes, as in the published data, got "
            f"{classes:,}, labels up to {numbers.max():,} and {len(names):,} names"
            f"{'' if known else ' that are not those of ImageNet'}. Fetch the published data again."
        )
    card = DataCard(
        uri=uri.text,
        label_space="imagenet",
        class_names=declared.class_names or imagenet_class_names(),
        images=len(numbers),
        notes=declared.notes,
    )
    return declared.labels, card


def _class_names(folder: Path) -> tuple[str, ...]:
    try:
        content = read_regular_file(folder / _LABELS_FILE, at_most=_LARGEST_FILE)
    except OSError:
        return ()
    return tuple(content.decode(errors="replace").splitlines())


def _number_of_classes(features: object) -> int | None:
    place = features
    for key in ("featuresDict", "features", "label", "classLabel", "numClasses"):
        place = place.get(key) if isinstance(place, dict) else None
    return int(place) if isinstance(place, str) and re.fullmatch(r"[1-9]\d{0,8}", place) else None


def _read_json(uri: Uri, file: Path) -> object:
    try:
        return json.loads(read_regular_file(file, at_most=_LARGEST_FILE))
    except OSError as error:
        raise DataError(
            f"{uri.text!r}: {file} can't be read: {error.strerror or error}."
        ) from error
    except (ValueError, RecursionError) as error:
        raise DataError(f"{uri.text!r}: {file} is no JSON. Fetch it again.") from error


def _digest(text: str) -> str:
    return hashlib.sha256(text.encode(errors="surrogateescape")).hexdigest()[:_DIGITS]
