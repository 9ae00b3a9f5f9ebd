"""What a benchmark is: plain data, read from a file and written into a run's record."""

__all__ = ["LABEL_SPACES", "LONGEST_NAME", "OF_IMAGENET", "SCHEMA", "Benchmark", "LabelSpace"]

from collections.abc import Collection, Mapping
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from types import MappingProxyType
from typing import Any, Literal, Self

from unforeseen.benchmarks.attack_setting import ATTACK_NAME, AttackSetting
from unforeseen.benchmarks.edition import Edition
from unforeseen.benchmarks.table import Table
from unforeseen.errors import UnknownNameError
from unforeseen.preprocessing import Preprocessing

LabelSpace = Literal["imagenet", "imagenet100", "imagenet16", "cifar10"]

#: Number of classes of each label space.
LABEL_SPACES: Mapping[LabelSpace, int] = MappingProxyType(
    {"imagenet": 1000, "imagenet100": 100, "imagenet16": 16, "cifar10": 10}
)

#: Those that a model of ImageNet's 1,000 outputs can answer.
OF_IMAGENET: frozenset[LabelSpace] = frozenset({"imagenet", "imagenet100", "imagenet16"})

#: Version of the files' layout.
SCHEMA = 1

#: Characters of a name.
LONGEST_NAME = 64

_NAME = rf"[a-z0-9][a-z0-9._-]{{0,{LONGEST_NAME - 1}}}"


@dataclass(frozen=True, kw_only=True)
class Benchmark:
    """Attacks, radii, editions and the pictures they are meant for.

    Two benchmarks are equal if they ask for the same; titles and sources don't matter.

    Attributes:
        name: As on the command line.
        title: In words.
        source: Where the numbers come from.
        label_space: Whose classes the labels are, or None for the data's own.
        classes: Number of classes.
        images: How many pictures the benchmark's own data set has, or None where it has none.
        image_size: Side of the pictures in pixels.
        preprocessing: Used where the model declares none.
        metric: ``ua2``: mean accuracy over the core attacks.
        default_edition: The edition used where none is asked for.
        editions: By name.
        attacks: By name, in the order of tables; at least one is core.
    """

    name: str
    title: str = field(compare=False)
    source: str = field(compare=False)
    label_space: LabelSpace | None
    classes: int
    images: int | None
    image_size: int
    preprocessing: Preprocessing
    metric: Literal["ua2"]
    default_edition: str
    editions: Mapping[str, Edition]
    attacks: Mapping[str, AttackSetting]

    @property
    def core(self) -> tuple[str, ...]:
        """Names of the attacks that UA2 is the mean over."""
        return tuple(name for name, setting in self.attacks.items() if setting.group == "core")

    @property
    def usual(self) -> tuple[str, ...]:
        """Names of the attacks that are run where none are named: all but the optional ones."""
        return tuple(name for name, setting in self.attacks.items() if setting.group != "optional")

    def without_optional(self, *, but: Collection[str] = ()) -> Self:
        """The benchmark as a run asks for it that runs no optional attack but those.

        Two runs are of one benchmark if these are equal: an optional attack that neither of them
        runs, or that was added between them, makes no difference.
        """
        kept = {
            name: setting
            for name, setting in self.attacks.items()
            if setting.group != "optional" or name in but
        }
        return replace(self, attacks=kept)

    def edition(self, name: str | None = None) -> Edition:
        """The edition of that name, or the default one; raises UnknownNameError."""
        name = self.default_edition if name is None else name
        if name not in self.editions:
            raise UnknownNameError(f"edition of {self.name}", name, self.editions)
        return self.editions[name]

    def attack(self, name: str) -> AttackSetting:
        """The setting of that name; raises UnknownNameError."""
        if name not in self.attacks:
            raise UnknownNameError(f"attack of {self.name}", name, self.attacks)
        return self.attacks[name]

    def to_record(self) -> dict[str, Any]:
        """The benchmark as JSON can hold it, in the layout of the files."""
        record = asdict(self)
        record["editions"] = {name: _settings(each) for name, each in self.editions.items()}
        record["attacks"] = {name: _settings(each) for name, each in self.attacks.items()}
        record["preprocessing"] = _without_none(asdict(self.preprocessing))
        if self.preprocessing.crop is not None:
            record["preprocessing"]["crop"] = list(self.preprocessing.crop)
        return {"schema": SCHEMA} | _without_none(record)

    @classmethod
    def from_record(
        cls, record: object, *, origin: str = "the record", folder: Path | None = None
    ) -> Self:
        """Checks every key and value of a file or record.

        Args:
            record: What a TOML or JSON reader returned.
            origin: Where it came from, for messages.
            folder: Where it lies, if it is a file that the user named: attacks in the user's code
                are looked for there. None where no code may be run.

        Raises:
            BenchmarkError: A key is unknown or missing, or a value has the wrong type or range.
        """
        table = Table.of(record, origin=origin)
        table.expect_schema(SCHEMA)
        table.expect(
            required=(
                *("schema", "name", "title", "source", "classes", "image_size", "metric"),
                *("default_edition", "editions", "attacks"),
            ),
            optional=("label_space", "images", "preprocessing"),
        )
        editions = table.table("editions").tables(_NAME)
        attacks = table.table("attacks").tables(ATTACK_NAME)
        label_space = _label_space(table)
        benchmark = cls(
            name=table.text("name", pattern=_NAME),
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
            metric=table.choice("metric", ("ua2",)),
            default_edition=table.choice("default_edition", tuple(editions)),
            editions={name: Edition.from_table(name, each) for name, each in editions.items()},
            attacks={
                name: AttackSetting.from_table(name, each, folder=folder)
                for name, each in attacks.items()
            },
        )
        if not benchmark.core:
            table.reject(
                "attacks", 'at least one with group = "core", which UA2 is made of', "none"
            )
        return benchmark


def _label_space(table: Table) -> LabelSpace | None:
    if "label_space" not in table:
        return None
    chosen: LabelSpace | Literal["own"] = table.choice("label_space", (*LABEL_SPACES, "own"))
    return None if chosen == "own" else chosen


def _classes(table: Table, label_space: LabelSpace | None) -> int:
    classes = table.integer("classes", minimum=2)
    if label_space is not None and classes != LABEL_SPACES[label_space]:
        table.reject(
            "classes",
            f"{LABEL_SPACES[label_space]}, the number of {label_space}'s classes (for classes of "
            'your own: label_space = "own")',
            str(classes),
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


def _settings(setting: Edition | AttackSetting) -> dict[str, Any]:
    record = _without_none(asdict(setting))
    record.pop("folder", None)
    if record.get("attack") == setting.name:
        del record["attack"]
    del record["name"]
    return record


def _without_none(record: Mapping[str, Any]) -> dict[str, Any]:
    return {key: value for key, value in record.items() if value is not None}
