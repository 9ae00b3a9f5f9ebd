"""One obfuscation of a benchmark: which, in which group, and what its parameters are drawn from."""

__all__ = ["OBFUSCATION_NAME", "ObfuscationGroup", "ObfuscationSetting"]

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal, Self

from unforeseen.files.table import Table

ObfuscationGroup = Literal["training", "hold-out"]

#: As published: ``SwirlWarp``.
OBFUSCATION_NAME = r"[A-Z][A-Za-z0-9]{0,39}"


@dataclass(frozen=True, kw_only=True)
class ObfuscationSetting:
    """One obfuscation as a benchmark runs it.

    Attributes:
        name: In the table of obfuscations.
        group: What nobody may train on is a ``hold-out``; the headline is of these.
        ranges: Lowest and highest value that a parameter is drawn from, where the benchmark says other
            ones than the obfuscation; checked where it is made.
    """

    name: str
    group: ObfuscationGroup
    ranges: Mapping[str, tuple[float, float]] = field(default_factory=dict)

    @classmethod
    def from_table(cls, name: str, table: Table) -> Self:
        """Checks one ``[obfuscations.NAME]``; raises BenchmarkError."""
        table.expect(required=("group",), optional=("ranges",))
        return cls(
            name=name,
            group=table.choice("group", ("training", "hold-out")),
            ranges=table.table("ranges").ranges() if "ranges" in table else {},
        )

    def to_record(self) -> dict[str, Any]:
        """As JSON can hold it, in the layout of the files."""
        record: dict[str, Any] = {"group": self.group}
        if self.ranges:
            record["ranges"] = {name: list(each) for name, each in self.ranges.items()}
        return record
