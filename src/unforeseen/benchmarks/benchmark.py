"""What a benchmark is: plain data, read from a file and written into a run's record."""

__all__ = [
    "ATTACK_NAME",
    "LABEL_SPACES",
    "LEVELS",
    "LONGEST_NAME",
    "PYTHON",
    "SCHEMA",
    "AttackSetting",
    "Benchmark",
    "Edition",
    "Geometry",
    "Group",
    "LabelSpace",
    "Level",
    "Parameter",
    "level_named",
]

from collections.abc import Collection, Mapping
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from types import MappingProxyType
from typing import Any, Literal, Self

from unforeseen.benchmarks.table import Table
from unforeseen.errors import UnknownNameError, shown
from unforeseen.preprocessing import Preprocessing
from unforeseen.python_files import PythonName
from unforeseen.search.judging import Judging

Level = Literal["low", "medium", "high"]
Geometry = Literal["published", "centred"]
Group = Literal["core", "baseline", "extra", "optional"]
LabelSpace = Literal["imagenet", "imagenet100", "cifar10"]
Parameter = int | float | str | bool

LEVELS: tuple[Level, ...] = ("low", "medium", "high")
#: Number of classes of each label space.
LABEL_SPACES: Mapping[LabelSpace, int] = MappingProxyType(
    {"imagenet": 1000, "imagenet100": 100, "cifar10": 10}
)

#: Version of the files' layout.
SCHEMA = 1

#: Characters of a name.
LONGEST_NAME = 64

#: Not what rows call the unattacked picture, nor what stands for several attacks.
ATTACK_NAME = r"(?!(?:clean|core|all)$)[a-z][a-z0-9_]{0,39}"
#: How the name of a user-made attack begins.
PYTHON = "py:"

_NAME = rf"[a-z0-9][a-z0-9._-]{{0,{LONGEST_NAME - 1}}}"


@dataclass(frozen=True, kw_only=True)
class Edition:
    """How attacks sample and how their result is judged; nothing more.

    Attributes:
        name: As in ``--edition``.
        geometry: ``published``: the coordinates the paper's tables were made with; ``centred``:
            a correct sampler's.
        judging: ``last``: the last iterate counts; ``any``: no visited point may fool the model.
        gradient_batch: The constant N that gradients of L2 steps are divided by before they are
            normalised; None normalises each exactly.
    """

    name: str
    geometry: Geometry
    judging: Judging
    gradient_batch: int | None = None

    @classmethod
    def from_table(cls, name: str, table: Table) -> Self:
        """Checks one ``[editions.NAME]``; raises BenchmarkError."""
        table.expect(required=("geometry", "judging"), optional=("gradient_batch",))
        return cls(
            name=name,
            geometry=table.choice("geometry", ("published", "centred")),
            judging=table.choice("judging", ("last", "any")),
            gradient_batch=table.optional_integer("gradient_batch", minimum=1),
        )


@dataclass(frozen=True, kw_only=True)
class AttackSetting:
    """One attack as a benchmark runs it.

    Attributes:
        name: What the benchmark calls it.
        attack: The attack's name in the table of attacks, usually the same; or ``py:WHERE:CLASS``,
            a class in the user's code.
        group: ``core`` attacks make up UA2; ``baseline`` and ``extra`` stand beside it; what is
            ``optional`` is run only where it is named.
        steps: Updates.
        step_size: Length of an update, in the unit of the attack's latents.
        radii: ε of each level, in the same unit.
        parameters: What else the attack is made with; checked where it is made.
        folder: Where the file lies that the user named, which code may be run for; None for a
            setting out of a run's record, which runs none.
    """

    name: str
    attack: str
    group: Group
    steps: int
    step_size: float
    radii: Mapping[Level, float]
    parameters: Mapping[str, Parameter] = field(default_factory=dict)
    folder: Path | None = field(default=None, compare=False)

    @property
    def user_made(self) -> bool:
        """Whether it is a class in the user's code."""
        return self.attack.startswith(PYTHON)

    @classmethod
    def from_table(cls, name: str, table: Table, *, folder: Path | None = None) -> Self:
        """Checks one ``[attacks.NAME]``; raises BenchmarkError."""
        table.expect(
            required=("group", "steps", "step_size", "radii"), optional=("attack", "parameters")
        )
        radii = table.table("radii")
        radii.expect(required=LEVELS)
        return cls(
            name=name,
            attack=_attack(table) if "attack" in table else name,
            group=table.choice("group", ("core", "baseline", "extra", "optional")),
            steps=table.integer("steps", minimum=0),
            step_size=table.positive("step_size"),
            radii={level: radii.positive(level) for level in LEVELS},
            parameters=table.table("parameters").scalars() if "parameters" in table else {},
            folder=folder,
        )


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


def level_named(name: str) -> Level:
    """The level of that name; raises UnknownNameError."""
    for level in LEVELS:
        if level == name:
            return level
    raise UnknownNameError("level", name, LEVELS)


def _attack(table: Table) -> str:
    if not str(table.content["attack"]).startswith(PYTHON):
        return table.text("attack", pattern=ATTACK_NAME)
    text = table.text("attack")
    if PythonName.parse(text.removeprefix(PYTHON)) is None:
        expected = "py:path/to/file.py:CLASS or py:package.module:CLASS"
        table.reject("attack", expected, shown(text, longest=60))
    return text


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
