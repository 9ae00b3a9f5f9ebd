"""The shards of the published obfuscated ImageNet: which there are, and which pictures they hold."""

__all__ = ["FoundPicture", "Split", "find_splits", "pictures_by_name"]

import json
import re
from collections.abc import Mapping
from pathlib import Path
from typing import NamedTuple

import numpy as np

from unforeseen.data.file_names import portable
from unforeseen.data.tf_example import LEFT_OUT, Values, parse_example
from unforeseen.data.tfrecord import Record, records_in
from unforeseen.errors import DataError
from unforeseen.obfuscated_folder.layout import CLEAN
from unforeseen.uri import Uri

#: Names of the publication that the paper's text spells otherwise.
_ALSO_CALLED = {CLEAN.lower(): CLEAN, "stylize": "StyleTransfer"}
_SHARD = re.compile(
    r"obfuscated_imagenet-([A-Za-z0-9]+)_([A-Za-z0-9]+)\.tfrecord-(\d{5,9})-of-(\d{5,9})"
)
#: Features that are the picture's own; the others are the obfuscation's parameters.
_OF_THE_PICTURE = ("image", "label", "file_name")
_LONGEST_VALUE = 1000
_MOST_VALUES = 1000


class Split(NamedTuple):
    """The shards of one split, and what it is called."""

    name: str
    shards: list[Path]

    @property
    def sizes(self) -> list[tuple[str, int]]:
        """Name and bytes of each shard: whose files these are, as far as can be told without reading."""
        return [(shard.name, shard.stat().st_size) for shard in self.shards]


class FoundPicture(NamedTuple):
    """A picture in a shard.

    Attributes:
        shard: Number of the shard.
        record: Where its record lies.
        label: What the record says.
        file_name: Likewise.
        parameters: JSON of the other features; None where there are none.
    """

    shard: int
    record: Record
    label: int
    file_name: str
    parameters: str | None


def find_splits(uri: Uri, folder: Path) -> dict[str, dict[str, Split]]:
    """Finds the splits of a folder by the names of its files.

    Args:
        uri: As typed, for messages.
        folder: Of a version of the data set.

    Returns:
        ``validation`` or ``train`` → obfuscation, or ``Clean`` → its split.

    Raises:
        DataError: Shards of a split are missing, or of two writings.
    """
    shards: dict[tuple[str, str], dict[int, Path]] = {}
    counts: dict[tuple[str, str], int] = {}
    for file in sorted(folder.iterdir()):
        found = _SHARD.fullmatch(file.name)
        if found is None or not file.is_file():
            continue
        split = (found[1], found[2])
        if counts.setdefault(split, int(found[4])) != int(found[4]):
            raise DataError(
                f"{uri.text!r}: expected shards of one writing, got {file.name} besides others of "
                f"{counts[split]}. Remove either."
            )
        shards.setdefault(split, {})[int(found[3])] = file
    splits: dict[str, dict[str, Split]] = {}
    for (part, name), files in shards.items():
        count = counts[part, name]
        if len(files) != count or max(files) >= count:
            raise DataError(
                f"{uri.text!r}: expected {count:,} shards of {part}_{name}, got {len(files):,}. Fetch "
                "the others as well, or take these out."
            )
        known = _ALSO_CALLED.get(name.lower(), name)
        splits.setdefault(part, {})[known] = Split(f"{part}_{name}", list(files.values()))
    return splits


def pictures_by_name(text: str, split: Split) -> dict[str, FoundPicture]:
    """Goes through the shards of a split.

    Args:
        text: The URI as typed, for messages.
        split: Which.

    Returns:
        File name → picture, in the order of the shards.

    Raises:
        DataError: A shard is damaged, or holds something else; says where.
    """
    pictures: dict[str, FoundPicture] = {}
    for number, shard in enumerate(split.shards):
        try:
            for record, content in records_in(shard):
                found = _found(number, shard, record, content)
                if pictures.setdefault(found.file_name, found) is not found:
                    raise _second(shard, found)
        except OSError as error:
            raise DataError(
                f"{text!r}: {shard.name} can't be read: {error.strerror or error}."
            ) from error
        except DataError as error:
            raise DataError(f"{text!r}: {error}.") from error
    return pictures


def _found(number: int, shard: Path, record: Record, content: bytes) -> FoundPicture:
    try:
        features = parse_example(content, longest=_LONGEST_VALUE)
    except DataError as error:
        raise DataError(f"{shard.name}: the record at byte {record.begin:,}: {error}") from error
    label, name = features.get("label", []), features.get("file_name", [])
    if len(label) != 1 or not isinstance(label[0], int) or label[0] < 0:
        problem = "a label from 0"
    elif len(name) != 1 or not isinstance(name[0], bytes) or name[0] in (b"", LEFT_OUT):
        problem = f"a file_name of at most {_LONGEST_VALUE} bytes"
    elif "image" not in features:
        problem = "an image"
    else:
        parameters = _parameters(features)
        return FoundPicture(number, record, label[0], name[0].decode(errors="replace"), parameters)
    raise DataError(f"{shard.name}: the record at byte {record.begin:,}: expected {problem}")


def _second(shard: Path, found: FoundPicture) -> DataError:
    return DataError(
        f"{shard.name}: {portable(found.file_name)} is there a second time, in the record at byte "
        f"{found.record.begin:,}"
    )


def _parameters(features: Mapping[str, Values]) -> str | None:
    """What is known of how a picture was made, as JSON."""
    others = {
        name: _plain(values)
        for name, values in sorted(features.items())
        if name not in _OF_THE_PICTURE
    }
    return json.dumps(others, separators=(",", ":")) if others else None


def _plain(values: Values) -> object:
    """Values as JSON holds them; one of them stands for itself."""
    if len(values) > _MOST_VALUES:
        return f"{len(values):,} values"
    plain = [_plain_value(each) for each in values]
    return plain[0] if len(plain) == 1 else plain


def _plain_value(value: bytes | float) -> object:
    if isinstance(value, bytes):
        if value == LEFT_OUT:
            return f"more than {_LONGEST_VALUE} bytes"
        return value.decode(errors="backslashreplace")
    if isinstance(value, float):
        # The shortest number that is this one in 32 bits.
        return float(str(np.float32(value))) if np.isfinite(value) else str(value)
    return value
