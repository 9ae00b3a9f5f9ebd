"""What a run of attacks was to do, by its record."""

__all__ = ["PlannedAttackRun"]

import sys
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Self, final, get_args

from unforeseen.benchmarks import LEVELS, AttackBenchmark
from unforeseen.rows import CLEAN
from unforeseen.run_folder.planned import (
    PlannedCell,
    PlannedRun,
    cell_id,
    common_of,
    expect_each_once,
    network_of,
)
from unforeseen.run_folder.recorded import count_of, taken, unexpected
from unforeseen.search.settings import SEARCHES, LossName, SearchName, SearchSettings


@final
@dataclass(frozen=True, kw_only=True)
class PlannedAttackRun(PlannedRun):
    """A run of attacks.

    Attributes:
        edition: One of the benchmark's.
        steps: Overrides the benchmark's number of steps, or None.
        search: Which search it was asked for.
        source_model: URI of the model that the pictures were made against, where this is a target's
            run of a transfer.
        source_network: Which one that is, as ``network``.
    """

    benchmark: AttackBenchmark
    edition: str
    steps: int | None
    search: SearchSettings
    source_model: str | None = None
    source_network: tuple[str, str | None] | None = None

    @classmethod
    def from_record(cls, record: Mapping[str, Any], benchmark: AttackBenchmark) -> Self:
        """Checks a record's content.

        Args:
            record: The run's.
            benchmark: The one in it.

        Raises:
            RunError: Something is missing, of another type, or contradicts the benchmark.
        """
        edition = taken(record, "edition", str)
        if edition not in benchmark.editions:
            raise unexpected("edition", " or ".join(benchmark.editions), edition)
        cells = tuple(_cell(each, benchmark) for each in taken(record, "cells", list))
        source = None
        if record.get("source_model") is not None:
            source = taken(record, "source_model", dict)
        for cell in cells:
            if cell.transform != CLEAN and (cell.source is None) != (source is None):
                expected = "cells of one's own" if source is None else "cells of the source model"
                raise unexpected("cells", expected, cell.name)
        expect_each_once(cells)
        return cls(
            **common_of(record),
            benchmark=benchmark,
            edition=edition,
            steps=None if record.get("steps") is None else count_of(record, "steps"),
            search=_search(record.get("search")),
            cells=cells,
            source_model=None if source is None else taken(source, "uri", str),
            source_network=None if source is None else network_of(source),
        )


def _search(content: object) -> SearchSettings:
    """Records of before there was a choice mean projected gradient descent."""
    if content is None:
        return SearchSettings()
    if not isinstance(content, dict):
        raise unexpected("search", "an object", content)
    name, loss = taken(content, "name", str), taken(content, "loss", str)
    restarts = count_of(content, "restarts")
    draws = None if content.get("draws") is None else count_of(content, "draws")
    named: SearchName | None = next((each for each in SEARCHES if each == name), None)
    climbed: LossName | None = next((each for each in get_args(LossName) if each == loss), None)
    if named is None or climbed is None or restarts < 1 or draws == 0:
        raise unexpected("search", "a search of this release", content)
    return SearchSettings(name=named, loss=climbed, restarts=restarts, draws=draws)


def _cell(content: object, benchmark: AttackBenchmark) -> PlannedCell:
    if not isinstance(content, dict):
        raise unexpected("cells", "objects", content)
    transform, level = taken(content, "transform", str), content.get("level")
    level = None if level == "" else level
    if transform != CLEAN and transform not in benchmark.attacks:
        raise unexpected("cells", f"attacks of {benchmark.name} or {CLEAN}", transform)
    if level not in ((None,) if transform == CLEAN else LEVELS):
        raise unexpected("cells", f"{', '.join(LEVELS)} as the level of an attack", level)
    identity = cell_id(content)
    source = None
    if "source" in content or "source_cell" in content:
        made = taken(content, "source_cell", dict)
        source = cell_id(made)
        if any(made.get(key) != content.get(key) for key in ("transform", "level")):
            raise unexpected("cells", f"as source_cell that of {transform} {level}", made)
        if content.get("source") != source:
            raise unexpected(
                "cells", f"as source the id of source_cell, {source}", content.get("source")
            )
    radius = content.get("radius")
    if radius is not None and not (
        isinstance(radius, int | float)
        and not isinstance(radius, bool)
        and abs(radius) <= sys.float_info.max
    ):
        raise unexpected("cells", "numbers as radii", radius)
    return PlannedCell(
        id=identity,
        transform=transform,
        level=level,
        steps=count_of(content, "steps") if content.get("steps") is not None else None,
        radius=radius,
        unseen_updates=count_of(content, "unseen_updates") if "unseen_updates" in content else 0,
        start_is_projected=content.get("start_is_projected") is not False,
        needs_donor=content.get("needs_donor") is True,
        source=source,
    )
