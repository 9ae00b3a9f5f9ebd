"""What a run of obfuscations was to do, by its record."""

__all__ = ["PlannedObfuscationRun"]

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple, Self, final, get_args

from unforeseen.benchmarks import ObfuscationBenchmark
from unforeseen.data.obfuscated_dataset import MadeBy
from unforeseen.rows import CLEAN
from unforeseen.run_folder.planned import (
    PlannedCell,
    PlannedRun,
    cell_id,
    common_of,
    expect_each_once,
)
from unforeseen.run_folder.recorded import count_of, taken, unexpected
from unforeseen.run_folder.recorded_assets import RecordedAssets

#: What a cell's record says that is the model's business alone.
_WHO_JUDGES = frozenset({"id", "model", "head", "eot"})


@final
@dataclass(frozen=True, kw_only=True)
class PlannedObfuscationRun(PlannedRun):
    """A run of obfuscations.

    Attributes:
        worst_of: How often each obfuscation is drawn for a picture, of which the worst is kept.
        made_by: Whose pictures these are: of this program, made on the fly or before, or those that
            were published. Figures on the ones aren't comparable with figures on the others.
        made: Fingerprint of how ready-made pictures were made; None of others.
        encoding: How ready-made pictures were encoded, in words; None of others, or where nobody says.
        assets: Fingerprint of each kind of photos, icons … that obfuscations take; None where pictures
            are ready-made.
        folders: By kind, the pack that it was taken from as it was typed at last; None of the one that
            ships. Empty where pictures are ready-made.
        own_assets: Whether some of these photos, icons … aren't those that ship.
        own_kinds: Of which kinds these are, in the record's order; empty where pictures are ready-made, of which
            nobody says it.
        how: By transform, what the record says of how its pictures are made, whoever judges them.
    """

    benchmark: ObfuscationBenchmark
    worst_of: int
    made_by: MadeBy
    made: str | None
    encoding: str | None
    assets: Mapping[str, str] | None
    folders: Mapping[str, str | None]
    own_assets: bool
    own_kinds: tuple[str, ...]
    how: Mapping[str, Mapping[str, Any]]

    @property
    def ready_made(self) -> bool:
        """Whether the pictures were obfuscated before."""
        return self.made is not None

    @property
    def other_assets(self) -> str:
        """Which assets aren't those that ship, in words; empty where all are."""
        if not self.own_assets:
            return ""
        *most, last = self.own_kinds or ("assets",)
        return f"{', '.join(most)}{' and ' if most else ''}{last} of another pack"

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
        content = taken(record, "cells", list)
        cells = tuple(_cell(each, benchmark) for each in content)
        expect_each_once(cells)
        how = {
            each["transform"]: {key: each[key] for key in each.keys() - _WHO_JUDGES}
            for each in content
        }
        kinds = {
            kind for each in content if "assets" in each for kind in taken(each, "assets", dict)
        }
        worst_of = count_of(record, "worst_of")
        if worst_of < 1:
            raise unexpected("worst_of", "at least 1", worst_of)
        made = _MADE_ON_THE_FLY
        if record.get("ready_made") is not None:
            made = _ReadyMade.from_record(taken(record, "ready_made", dict))
        assets = None
        own_kinds: tuple[str, ...] = ()
        if record.get("assets") is not None:
            assets = RecordedAssets.from_record(taken(record, "assets", dict))
            own_kinds = tuple(kind for kind in assets.own if kind in kinds)
        return cls(
            **common_of(record),
            benchmark=benchmark,
            cells=cells,
            worst_of=worst_of,
            made_by=made.by,
            made=made.fingerprint,
            encoding=made.encoding,
            assets=None if assets is None else assets.fingerprints,
            folders={} if assets is None else assets.folders,
            own_assets=made.own_assets if assets is None else bool(own_kinds),
            own_kinds=own_kinds,
            how=how,
        )


class _ReadyMade(NamedTuple):
    """What a record says of pictures that were obfuscated before."""

    by: MadeBy = "unforeseen"
    fingerprint: str | None = None
    encoding: str | None = None
    own_assets: bool = False

    @classmethod
    def from_record(cls, content: Mapping[str, Any]) -> Self:
        """Checks what a record says; raises RunError."""
        said = taken(content, "made_by", str)
        by: MadeBy | None = next((each for each in get_args(MadeBy) if each == said), None)
        if by is None:
            raise unexpected("ready_made.made_by", "unforeseen or published", said)
        return cls(
            by=by,
            fingerprint=taken(content, "fingerprint", str),
            encoding=None if content.get("encoding") is None else taken(content, "encoding", str),
            own_assets=content.get("own_assets") is True,
        )


_MADE_ON_THE_FLY = _ReadyMade()


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
