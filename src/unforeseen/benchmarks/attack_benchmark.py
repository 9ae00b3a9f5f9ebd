"""A benchmark of attacks, which are optimised against the model: radii, steps, editions."""

__all__ = ["AttackBenchmark"]

from collections.abc import Collection, Mapping
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any, ClassVar, Literal, Self, final

from typing_extensions import override

from unforeseen.benchmarks.attack_setting import ATTACK_NAME, AttackSetting
from unforeseen.benchmarks.benchmark import (
    COMMON_KEYS,
    NAME,
    OPTIONAL_KEYS,
    SCHEMA,
    Benchmark,
    common_fields,
    without_none,
)
from unforeseen.benchmarks.edition import Edition
from unforeseen.errors import BenchmarkError, UnknownNameError
from unforeseen.files.table import Table


@final
@dataclass(frozen=True, kw_only=True)
class AttackBenchmark(Benchmark):
    """Attacks, radii, editions and the pictures they are meant for.

    Attributes:
        metric: ``ua2``: mean accuracy over the core attacks.
        default_edition: The edition used where none is asked for.
        editions: By name.
        attacks: By name, in the order of tables; at least one is core.
    """

    prepares_alike: ClassVar[bool] = False

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

    @override
    def without_optional(self, *, but: Collection[str] = ()) -> Self:
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

    @override
    def _record_of_kind(self) -> dict[str, Any]:
        return {
            "metric": self.metric,
            "default_edition": self.default_edition,
            "editions": {name: _settings(each) for name, each in self.editions.items()},
            "attacks": {name: _settings(each) for name, each in self.attacks.items()},
        }

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
        table = Table.of(record, origin=origin, error=BenchmarkError)
        table.expect_schema(SCHEMA)
        table.expect(
            required=(*COMMON_KEYS, "classes", "default_edition", "editions", "attacks"),
            optional=OPTIONAL_KEYS,
        )
        editions = table.table("editions").tables(NAME)
        attacks = table.table("attacks").tables(ATTACK_NAME)
        benchmark = cls(
            **common_fields(table),
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


def _settings(setting: Edition | AttackSetting) -> dict[str, Any]:
    record = without_none(asdict(setting))
    record.pop("folder", None)
    if record.get("attack") == setting.name:
        del record["attack"]
    del record["name"]
    return record
