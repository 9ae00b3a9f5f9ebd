"""What a run of obfuscations was to do, by its record."""

__all__ = ["PlannedObfuscationRun"]

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal, Self, final

from unforeseen.benchmarks import ObfuscationBenchmark
from unforeseen.rows import CLEAN
from unforeseen.run_folder.planned import (
    PlannedCell,
    PlannedRun,
    cell_id,
    common_of,
    expect_each_once,
)
from unforeseen.run_folder.recorded import count_of, taken, unexpected


@final
@dataclass(frozen=True, kw_only=True)
class PlannedObfuscationRun(PlannedRun):
    """A run of obfuscations.

    Attributes:
        worst_of: How often each obfuscation is drawn for a picture, of which the worst is kept.
        made_by: Whose pictures these are: of this program, made on the fly or before, or those that
            were published. Figures on the ones aren't comparable with figures on the others.
        ready_made: Whether the pictures were obfuscated before.
        assets: Fingerprint of the photos, icons … that obfuscations take; None where pictures are
            ready-made.
    """

    benchmark: ObfuscationBenchmark
    worst_of: int
    made_by: Literal["unforeseen", "published"]
    ready_made: bool
    assets: str | None

    @property
    def obfuscations(self) -> tuple[str, ...]:
        """Names of those that are run, in the benchmark's order."""
        names = {cell.transform for cell in self.cells}
        return tuple(name for name in self.benchmark.obfuscations if name in names)

    @classmethod
    def from_record(cls, record: Mapping[str, Any], benchmark: ObfuscationBenchmark) -> Self:
        """Checks a record's content.

        Args:
            record: The run's.
            benchmark: The one in it.

        Raises:
            RunError: Something is missing, of another type, or contradicts the benchmark.
        """
        cells = tuple(_cell(each, benchmark) for each in taken(record, "cells", list))
        expect_each_once(cells)
        worst_of = count_of(record, "worst_of")
        if worst_of < 1:
            raise unexpected("worst_of", "at least 1", worst_of)
        made_by: Literal["unforeseen", "published"] = "unforeseen"
        made = record.get("ready_made")
        if made is not None:
            who = taken(taken(record, "ready_made", dict), "made_by", str)
            if who not in ("unforeseen", "published"):
                raise unexpected("ready_made.made_by", "unforeseen or published", who)
            made_by = "published" if who == "published" else "unforeseen"
        assets = None
        if record.get("assets") is not None:
            assets = taken(taken(record, "assets", dict), "fingerprint", str)
        return cls(
            **common_of(record),
            benchmark=benchmark,
            cells=cells,
            worst_of=worst_of,
            made_by=made_by,
            ready_made=made is not None,
            assets=assets,
        )


def _cell(content: object, benchmark: ObfuscationBenchmark) -> PlannedCell:
    if not isinstance(content, dict):
        raise unexpected("cells", "objects", content)
    transform, level = taken(content, "transform", str), content.get("level")
    if transform != CLEAN and transform not in benchmark.obfuscations:
        raise unexpected("cells", f"obfuscations of {benchmark.name} or {CLEAN}", transform)
    if level not in ("", None):
        raise unexpected("cells", "no level, as obfuscations have none", level)
    return PlannedCell(
        id=cell_id(content), transform=transform, level=None, steps=None, radius=None
    )
