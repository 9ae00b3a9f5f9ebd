"""What a benchmark is: plain data, read from a file and written into a run's record.

There are two kinds: of attacks, which are optimised against the model
(:class:`~unforeseen.benchmarks.attack_benchmark.AttackBenchmark`), and of obfuscations, which aren't
(:class:`~unforeseen.benchmarks.obfuscation_benchmark.ObfuscationBenchmark`).
"""

__all__ = [
    "COMMON_KEYS",
    "LONGEST_NAME",
    "NAME",
    "OPTIONAL_KEYS",
    "SCHEMA",
    "Benchmark",
    "CommonFields",
    "common_fields",
    "without_none",
]

import abc
from collections.abc import Collection, Mapping
from dataclasses import asdict, dataclass, field
from typing import Any, ClassVar, Literal, Self, TypedDict

from unforeseen.files.table import Table
from unforeseen.label_space import LABEL_SPACES, LabelSpace
from unforeseen.preprocessing import Preprocessing

#: Version of the files' layout.
SCHEMA = 1

#: Characters of a name.
LONGEST_NAME = 64

#: Form of a name.
NAME = rf"[a-z0-9][a-z0-9._-]{{0,{LONGEST_NAME - 1}}}"

#: Keys that files of all kinds have.
COMMON_KEYS = ("schema", "name", "title", "source", "image_size", "metric")
#: And those that they may have.
OPTIONAL_KEYS = ("label_space", "images", "preprocessing")


@dataclass(frozen=True, kw_only=True)
class Benchmark(abc.ABC):
    """What is done to which pictures.

    Two benchmarks are equal if they ask for the same; titles and sources don't matter.

    Attributes:
        name: As on the command line.
        title: In words.
        source: Where the numbers come from.
        label_space: Whose classes the labels are, or None for the data's own.
        classes: Number of classes; None where only the data say how many.
        images: How many pictures the benchmark's own data set has, or None where it has none.
        image_size: Side of the pictures in pixels.
        preprocessing: What happens to a picture first.
        metric: What sums the figures up; each kind has its own.
        prepares_alike: Whether its preprocessing holds for every model, whatever a model declares.
    """

    prepares_alike: ClassVar[bool]

    name: str
    title: str = field(compare=False)
    source: str = field(compare=False)
    label_space: LabelSpace | None
    classes: int | None
    images: int | None
    image_size: int
    preprocessing: Preprocessing
    metric: str

    @abc.abstractmethod
    def without_optional(self, *, but: Collection[str] = ()) -> Self:
        """The benchmark as a run asks for it that runs nothing optional but those.

        Two runs are of one benchmark if these are equal: something optional that neither of them
        runs, or that was added between them, makes no difference.
        """

    def to_record(self) -> dict[str, Any]:
        """The benchmark as JSON can hold it, in the layout of the files."""
        preprocessing = without_none(asdict(self.preprocessing))
        if self.preprocessing.crop is not None:
            preprocessing["crop"] = list(self.preprocessing.crop)
        common = {
            "schema": SCHEMA,
            "name": self.name,
            "title": self.title,
            "source": self.source,
            "label_space": self.label_space,
            "classes": self.classes,
            "images": self.images,
            "image_size": self.image_size,
            "preprocessing": preprocessing,
        }
        return without_none(common | self._record_of_kind())

    @abc.abstractmethod
    def _record_of_kind(self) -> dict[str, Any]:
        """What files of this kind say besides."""


class CommonFields(TypedDict):
    """What benchmarks of all kinds are made with."""

    name: str
    title: str
    source: str
    label_space: LabelSpace | None
    classes: int | None
    images: int | None
    image_size: int
    preprocessing: Preprocessing


def common_fields(table: Table) -> CommonFields:
    """Takes what all kinds have out of a file or record; raises BenchmarkError."""
    label_space = _label_space(table)
    return CommonFields(
        name=table.text("name", pattern=NAME),
        title=table.text("title"),
        source=table.text("source"),
        label_space=label_space,
        classes=_classes(table, label_space),
        images=table.optional_integer("images", minimum=1),
        image_size=table.integer("image_size", minimum=32),
        preprocessing=(
            _preprocessing(table.table("preprocessing"))
            if "preprocessing" in table
            else Preprocessing()
        ),
    )


def without_none(record: Mapping[str, Any]) -> dict[str, Any]:
    """What there is; a file leaves out what there isn't."""
    return {key: value for key, value in record.items() if value is not None}


def _label_space(table: Table) -> LabelSpace | None:
    if "label_space" not in table:
        return None
    chosen: LabelSpace | Literal["own"] = table.choice("label_space", (*LABEL_SPACES, "own"))
    return None if chosen == "own" else chosen


def _classes(table: Table, label_space: LabelSpace | None) -> int | None:
    classes = table.optional_integer("classes", minimum=2)
    if label_space is not None and classes != LABEL_SPACES[label_space]:
        table.reject(
            "classes",
            f"{LABEL_SPACES[label_space]}, the number of {label_space}'s classes (for classes of "
            'your own: label_space = "own")',
            "none" if classes is None else str(classes),
        )
    return classes


def _preprocessing(table: Table) -> Preprocessing:
    table.expect(optional=("resize", "crop", "interpolation", "exif_rotation"))
    defaults = Preprocessing()
    return Preprocessing(
        resize=(
            table.sides("resize")
            if isinstance(table.content.get("resize"), list | tuple)
            else table.optional_integer("resize", minimum=1)
        ),
        crop=table.sides("crop") if "crop" in table else None,
        interpolation=(
            table.choice("interpolation", ("bilinear", "bicubic", "nearest", "lanczos"))
            if "interpolation" in table
            else defaults.interpolation
        ),
        exif_rotation=(
            table.boolean("exif_rotation") if "exif_rotation" in table else defaults.exif_rotation
        ),
    )
