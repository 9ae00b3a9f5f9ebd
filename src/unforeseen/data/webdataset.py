"""``webdataset:SHARDS``: tar files in which files of one name are one sample.

Source: the WebDataset format. ``0001.jpg`` and ``0001.cls`` belong together: a key reaches up to the
first dot of the file's name, in its folder; what follows is the extension. Labels stand in ``.cls``
or ``.cls.txt``, or under ``label`` or ``cls`` in ``.json``; ``?label=NAME`` names another
extension or another key of the JSON, ``?image=EXTENSION`` one of several pictures.
"""

__all__ = ["load_webdataset"]

import json
import re
from bisect import bisect_right
from dataclasses import dataclass, field
from itertools import accumulate
from pathlib import Path

from unforeseen.data.class_labels import Labels, read_labels
from unforeseen.data.dataset import DataCard, Dataset
from unforeseen.data.file_names import is_picture_name, portable, skipped_note
from unforeseen.data.shards import find_files
from unforeseen.data.tar_index import Member, TarIndex, index_tar
from unforeseen.errors import DataError
from unforeseen.files.regular_files import read_part
from unforeseen.uri import Uri

# webdataset's own rule: the key is the folder and the name up to its first dot.
_KEY_AND_EXTENSION = re.compile(r"((?:.*/)?[^./][^./]*)\.([^/]+)", re.DOTALL)
_META = re.compile(r"__[^/]*__($|/)")
_USUAL_LABELS = ("cls", "label")
_MOST_LABEL_BYTES = 2**20


@dataclass(slots=True)
class _Sample:
    """Files of one key: extension, in lower case → member."""

    key: str
    files: dict[str, Member] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class _Picture:
    """A sample with a picture: its name in the shard, and what its label is said to be."""

    member: Member
    label: int | str | None


class WebDataset(Dataset):
    """Pictures in tar files, read one by one from where they lie.

    Args:
        shards: The tar files.
        pictures: Per shard.
        labels: Over all shards.
        card: What is known.
    """

    def __init__(
        self, shards: list[Path], pictures: list[list[Member]], labels: Labels, card: DataCard
    ) -> None:
        self._shards = shards
        self._members = [member for part in pictures for member in part]
        self._starts = [0, *accumulate(map(len, pictures))]
        self.labels = labels.labels
        self.keys = [
            portable(f"{shard.name}/{member.name}")
            for shard, part in zip(shards, pictures, strict=True)
            for member in part
        ]
        self.card = card

    def read(self, index: int) -> bytes:
        """See the base class."""
        member = self._members[index]
        shard = self._shards[bisect_right(self._starts, index) - 1]
        return read_part(shard, member.offset, member.size)


def load_webdataset(uri: Uri) -> WebDataset:
    """Reads the shards' headers and the labels; decodes no picture.

    Raises:
        UserError: An option that there isn't.
        DataError: No such file, a compressed or broken one, no pictures, or pictures without labels.
    """
    uri.expect_options(("image", "label"))
    shards = find_files(uri, ".tar")
    pictures: list[list[_Picture]] = []
    others: list[str] = []
    unpictured: list[str] = []
    unended: list[str] = []
    for shard in shards:
        try:
            index = index_tar(shard)
            samples = _samples(index)
            pictures.append(
                [_picture(uri, shard, sample) for sample in samples if _extensions(uri, sample)]
            )
        except DataError as error:
            raise DataError(f"{uri.text!r}: {error}.") from error
        others += index.others
        unpictured += [sample.key for sample in samples if not _extensions(uri, sample)]
        unended += [] if index.ended else [shard.name]
    every = [picture for part in pictures for picture in part]
    if not every:
        raise DataError(f"{uri.text!r}: expected samples with a picture (0001.jpg …), found none.")
    labels = read_labels(
        uri,
        [picture.label for picture in every],
        "labels (.cls, .cls.txt, or label or cls in .json; ?label=NAME for others)",
        lambda row: every[row].member.name,
    )
    return WebDataset(
        shards,
        [[picture.member for picture in part] for part in pictures],
        labels,
        DataCard(
            uri=uri.text,
            label_space=labels.label_space,
            class_names=labels.class_names,
            images=len(every),
            notes=(
                *labels.notes,
                *skipped_note(others, "links, devices and names that lead outside", "member"),
                *skipped_note(unpictured, "without a picture", "sample"),
                *(
                    f"{name} has no end mark: whoever wrote it may not have finished"
                    for name in unended
                ),
            ),
        ),
    )


def _samples(index: TarIndex) -> list[_Sample]:
    samples: dict[str, _Sample] = {}
    for member in index.members:
        found = _KEY_AND_EXTENSION.fullmatch(member.name)
        if found is None or _META.match(member.name):
            continue
        key, extension = found[1], found[2].lower()
        sample = samples.setdefault(key, _Sample(key))
        if extension in sample.files:
            raise DataError(f"the member {portable(member.name)} is there twice")
        sample.files[extension] = member
    return list(samples.values())


def _extensions(uri: Uri, sample: _Sample) -> list[str]:
    """Those of the sample's files that are pictures, or the one that the user chose."""
    asked = uri.options.get("image")
    if asked is not None:
        return [each for each in sample.files if each == asked.lower()]
    return [each for each in sample.files if is_picture_name(f".{each}")]


def _picture(uri: Uri, shard: Path, sample: _Sample) -> _Picture:
    extensions = _extensions(uri, sample)
    # "seg.png" beside "jpg" is something else about the picture.
    plain = [each for each in extensions if "." not in each] or extensions
    if len(plain) > 1:
        raise DataError(
            f"{portable(sample.key)} has several pictures: {', '.join(extensions)}. Choose one with "
            f"?image=, for example ?image={plain[0]}"
        )
    return _Picture(sample.files[plain[0]], _label(uri, shard, sample))


def _label(uri: Uri, shard: Path, sample: _Sample) -> int | str | None:
    asked = uri.options.get("label")
    names = _USUAL_LABELS if asked is None else (asked,)
    for name in names:
        for extension in (name.lower(), f"{name.lower()}.txt"):
            if extension in sample.files:
                return _read_label(shard, sample.files[extension]).strip()
    if "json" not in sample.files:
        return None
    try:
        content = json.loads(_read_label(shard, sample.files["json"]))
    except (ValueError, RecursionError):
        content = None
    if not isinstance(content, dict):
        raise DataError(f"{portable(sample.files['json'].name)} is no JSON object")
    values = [content[name] for name in reversed(names) if name in content]
    value = values[0] if values else None
    return value if isinstance(value, int | str) and not isinstance(value, bool) else None


def _read_label(shard: Path, member: Member) -> str:
    if member.size > _MOST_LABEL_BYTES:
        raise DataError(f"{portable(member.name)} is too large for a label: {member.size:,} bytes")
    return read_part(shard, member.offset, member.size).decode("utf-8", errors="replace")
