"""``obfuscated.json``: how the pictures of a folder were made, and of which."""

__all__ = ["ENCODINGS", "LARGEST_SEED", "Encoding", "MadeRecord", "read_made_record"]

import hashlib
import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass, fields, replace
from pathlib import Path
from typing import Any, Literal, Self, get_args

from unforeseen._version import __version__
from unforeseen.errors import DataError, shown
from unforeseen.files.json_file import CHANGED, read_json, write_json
from unforeseen.files.table import Table
from unforeseen.label_space import LABEL_SPACES, LabelSpace
from unforeseen.obfuscated_folder.layout import CLEAN, FORMATS, RECORD_FILE, Format
from unforeseen.preprocessing import Interpolation, Preprocessing

Encoding = Literal["png", "jpeg"]

ENCODINGS: tuple[Encoding, ...] = get_args(Encoding)

#: 1 held a hash of the whole pack where 2 has one of the kinds that are taken.
_SCHEMA = 2
#: Of runs too.
LARGEST_SEED = 2**63 - 1

_MAY_BE_NULL = ("label_space", "limit", "assets", "quality")
_NAME = r"[A-Za-z][A-Za-z0-9]{0,39}"


@dataclass(frozen=True, kw_only=True)
class MadeRecord:
    """How the pictures of a folder are made; all but the last two fields are settled beforehand.

    Attributes:
        data: URI of the pictures that they are made of.
        pictures: How many these are.
        pictures_hash: 32 hex digits that tell these from others.
        label_space: What their labels count, where the data say.
        classes: How many classes there are at least: one more than the highest label.
        class_names: Label → words; may be empty.
        seed: Of every draw and of the choice of pictures.
        limit: How many pictures were asked for; None takes all.
        size: Side of the square pictures: their shorter side is resized to it, the centre is cut out.
        interpolation: How they are resized.
        exif_rotation: Whether a camera's rotation tag is obeyed.
        obfuscations: Name → its version, and what its parameters are drawn from, as JSON.
        assets: Fingerprint of the kinds of assets that its obfuscations take, where they take any.
        format: How the pictures lie.
        encoding: How they are encoded.
        quality: Of JPEG.
        batch: How many pictures are one batch, or shard.
        complete: Whether all is there.
        unreadable: How many of the pictures couldn't be read.
    """

    data: str
    pictures: int
    pictures_hash: str
    label_space: LabelSpace | None
    classes: int
    class_names: tuple[str, ...]
    seed: int
    limit: int | None
    size: int
    interpolation: Interpolation
    exif_rotation: bool
    obfuscations: Mapping[str, Mapping[str, Any]]
    assets: str | None
    format: Format
    encoding: Encoding
    quality: int | None
    batch: int
    complete: bool = False
    unreadable: int = 0

    @property
    def fingerprint(self) -> str:
        """32 hex digits of what decides, besides the pictures that they are made of, how pictures look."""
        said = {
            "seed": self.seed,
            "preprocessing": asdict(self.preprocessing),
            "obfuscations": self.obfuscations,
            "assets": self.assets,
            "encoding": self.encoding,
            "quality": self.quality,
        }
        return hashlib.sha256(json.dumps(said, sort_keys=True).encode()).hexdigest()[:32]

    @property
    def preprocessing(self) -> Preprocessing:
        """What happens to a picture before it is obfuscated."""
        return Preprocessing(
            resize=self.size,
            crop=(self.size, self.size),
            interpolation=self.interpolation,
            exif_rotation=self.exif_rotation,
        )

    @property
    def batches(self) -> int:
        """How many batches there are."""
        return -(-self.pictures // self.batch)

    @property
    def names(self) -> tuple[str, ...]:
        """``Clean`` and the obfuscations, in order."""
        return CLEAN, *self.obfuscations

    @property
    def declared_names(self) -> tuple[str, ...]:
        """The classes' names as other programs want them declared: all there are, all different."""
        names = tuple(" ".join(name.split()) for name in self.class_names)
        usable = len(names) >= self.classes and len(set(names)) == len(names) and all(names)
        return names if usable else ()

    def to_json(self) -> dict[str, Any]:
        """The content of the file."""
        return {
            "schema": _SCHEMA,
            "version": __version__,
            "fingerprint": self.fingerprint,
            **asdict(self),
            "class_names": list(self.class_names),
        }

    def write(self, folder: Path) -> None:
        """Writes the file; raises RunError."""
        write_json(folder / RECORD_FILE, self.to_json())

    def settled(self) -> Self:
        """What has to be the same when a folder is gone on with."""
        return replace(self, complete=False, unreadable=0)


def read_made_record(folder: Path) -> MadeRecord:
    """Reads the file, which may be a stranger's.

    Raises:
        DataError: It is missing or isn't one.
    """
    path = folder / RECORD_FILE
    content = read_json(path, written_by="unforeseen obfuscate", schema=_SCHEMA, error=DataError)
    try:
        return _from_table(Table.of(content, origin=str(path), error=DataError))
    except DataError as error:
        raise DataError(f"{error} {CHANGED}") from error


def _from_table(table: Table) -> MadeRecord:
    keys = [field.name for field in fields(MadeRecord)]
    table.expect(required=("schema", "version", "fingerprint", *keys))
    nothing = {key for key in _MAY_BE_NULL if table.content[key] is None}
    given = replace(table, content={k: v for k, v in table.content.items() if k not in nothing})
    obfuscations = table.table("obfuscations").tables(_NAME)
    record = MadeRecord(
        data=given.text("data"),
        pictures=given.integer("pictures", minimum=1),
        pictures_hash=given.text("pictures_hash"),
        label_space=given.choice("label_space", tuple(LABEL_SPACES))
        if "label_space" in given
        else None,
        classes=given.integer("classes", minimum=1),
        class_names=_class_names(table),
        seed=_seed(table),
        limit=given.optional_integer("limit", minimum=1),
        size=given.integer("size", minimum=1),
        interpolation=given.choice("interpolation", get_args(Interpolation)),
        exif_rotation=given.boolean("exif_rotation"),
        obfuscations={name: dict(each.content) for name, each in obfuscations.items()},
        assets=given.text("assets") if "assets" in given else None,
        format=given.choice("format", FORMATS),
        encoding=given.choice("encoding", ENCODINGS),
        quality=given.optional_integer("quality", minimum=1),
        batch=given.integer("batch", minimum=1),
        complete=given.boolean("complete"),
        unreadable=given.integer("unreadable", minimum=0),
    )
    if given.text("fingerprint") != record.fingerprint:
        table.reject(
            "fingerprint", "that of what the file says", shown(table.content["fingerprint"])
        )
    if CLEAN in record.obfuscations:
        table.reject("obfuscations", "names of obfuscations", CLEAN)
    return record


def _class_names(table: Table) -> tuple[str, ...]:
    names = table.content["class_names"]
    if not isinstance(names, list) or not all(isinstance(name, str) for name in names):
        table.reject("class_names", "a list of texts", shown(names))
    return tuple(names)


def _seed(table: Table) -> int:
    value = table.content["seed"]
    if isinstance(value, bool) or not isinstance(value, int) or not 0 <= value <= LARGEST_SEED:
        table.reject("seed", f"a whole number from 0 to {LARGEST_SEED}", shown(value))
    return value
