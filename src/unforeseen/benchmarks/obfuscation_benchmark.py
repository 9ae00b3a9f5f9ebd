"""A benchmark of obfuscations, which are drawn at random and never see the model."""

__all__ = ["ObfuscationBenchmark"]

from collections.abc import Collection, Mapping
from dataclasses import dataclass, replace
from typing import Any, ClassVar, Literal, Self, final

from typing_extensions import override

from unforeseen.benchmarks.benchmark import (
    COMMON_KEYS,
    OPTIONAL_KEYS,
    SCHEMA,
    Benchmark,
    common_fields,
)
from unforeseen.benchmarks.obfuscation_setting import (
    OBFUSCATION_NAME,
    ObfuscationGroup,
    ObfuscationSetting,
)
from unforeseen.errors import BenchmarkError, UnknownNameError
from unforeseen.files.table import Table


@final
@dataclass(frozen=True, kw_only=True)
class ObfuscationBenchmark(Benchmark):
    """Obfuscations, and the pictures they are meant for.

    Its preprocessing holds for every model, as obfuscations depend on the size of the picture
    (*Benchmarking Robustness to Adversarial Image Obfuscations*, section 3).

    Attributes:
        metric: ``worst_case``: a picture counts if it is classified right under every one of a set of
            obfuscations; the headline's set is the hold-outs.
        obfuscations: By name, in the order of tables.
    """

    prepares_alike: ClassVar[bool] = True

    metric: Literal["worst_case"]
    obfuscations: Mapping[str, ObfuscationSetting]

    def names(self, group: ObfuscationGroup) -> tuple[str, ...]:
        """Names of the obfuscations of a group, in the order of tables."""
        return tuple(name for name, each in self.obfuscations.items() if each.group == group)

    def obfuscation(self, name: str) -> ObfuscationSetting:
        """The setting of that name, whatever the case of its letters; raises UnknownNameError."""
        by_lower_case = {known.lower(): known for known in self.obfuscations}
        known = by_lower_case.get(name.lower())
        if known is None:
            raise UnknownNameError(f"obfuscation of {self.name}", name, self.obfuscations)
        return self.obfuscations[known]

    @override
    def without_optional(self, *, but: Collection[str] = ()) -> Self:
        """See the base class: each obfuscation stands for itself, so that others may come to a run."""
        kept = {name: each for name, each in self.obfuscations.items() if name in but}
        return replace(self, obfuscations=kept)

    @override
    def _record_of_kind(self) -> dict[str, Any]:
        return {
            "metric": self.metric,
            "obfuscations": {name: each.to_record() for name, each in self.obfuscations.items()},
        }

    @classmethod
    def from_record(cls, record: object, *, origin: str = "the record") -> Self:
        """Checks every key and value of a file or record.

        Args:
            record: What a TOML or JSON reader returned.
            origin: Where it came from, for messages.

        Raises:
            BenchmarkError: A key is unknown or missing, or a value has the wrong type or range.
        """
        table = Table.of(record, origin=origin, error=BenchmarkError)
        table.expect_schema(SCHEMA)
        table.expect(required=(*COMMON_KEYS, "obfuscations"), optional=("classes", *OPTIONAL_KEYS))
        obfuscations = table.table("obfuscations").tables(OBFUSCATION_NAME)
        return cls(
            **common_fields(table),
            metric=table.choice("metric", ("worst_case",)),
            obfuscations={
                name: ObfuscationSetting.from_table(name, each)
                for name, each in obfuscations.items()
            },
        )
