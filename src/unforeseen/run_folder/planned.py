"""What a run's record says was to be run, checked: records may come from strangers."""

__all__ = ["PlannedCell", "PlannedRun"]

import re
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Self, get_args

from unforeseen.benchmarks import LEVELS, AttackBenchmark, Level
from unforeseen.benchmarks.kinds import benchmark_of, expect_attacks
from unforeseen.check.result import CheckResult
from unforeseen.rows import CLEAN
from unforeseen.run_folder.recorded import count_of, taken, unexpected
from unforeseen.search.settings import SEARCHES, LossName, SearchName, SearchSettings


@dataclass(frozen=True, kw_only=True)
class PlannedCell:
    """One transform at one level.

    Attributes:
        id: The cell's id.
        transform: An attack of the benchmark, or ``clean``.
        level: None for ``clean``.
        steps: What it was run with, or None where the record doesn't say.
        radius: Likewise.
        unseen_updates: How many of the steps are after the picture that is judged.
        start_is_projected: Whether already the start lies in its ball.
        needs_donor: Whether each picture takes from another one.
        source: Of a target of a transfer: id of the source model's cell that made the pictures.
    """

    id: str
    transform: str
    level: Level | None
    steps: int | None
    radius: float | None
    unseen_updates: int = 0
    start_is_projected: bool = True
    needs_donor: bool = False
    source: str | None = None

    @property
    def updates(self) -> int | None:
        """Updates that the last picture of a start has had; None where nothing says."""
        return None if self.steps is None else max(0, self.steps - self.unseen_updates)

    @property
    def name(self) -> str:
        """For people: ``wood medium``, ``clean``."""
        return self.transform if self.level is None else f"{self.transform} {self.level}"


@dataclass(frozen=True, kw_only=True)
class PlannedRun:
    """The part of ``run.json`` that figures depend on.

    Attributes:
        benchmark: What is run.
        edition: One of the benchmark's.
        seed: The run's.
        steps: Overrides the benchmark's number of steps, or None.
        eot: Forward passes that every evaluation takes the mean of.
        model: The model's URI.
        network: Which one it is, whatever it is called: its fingerprint, and that of its head, or
            None where it has none.
        data: The data's URI.
        images: How many pictures were chosen.
        pictures: A hash of which ones, or None where the record doesn't say.
        available: How many the data has, or None where the record doesn't say.
        classes: The data's own class names, where its labels aren't the benchmark's; else empty.
        search: Which search it was asked for.
        cells: What is run, no two of one transform and level.
        check: What was found before the run, or None where nobody looked.
        source_model: URI of the model that the pictures were made against, where this is a target's
            run of a transfer.
        source_network: Which one that is, likewise.
        head: Name of what maps the model's outputs to classes; None where they are the classes.
    """

    benchmark: AttackBenchmark
    edition: str
    seed: int
    steps: int | None
    eot: int
    model: str
    network: tuple[str, str | None]
    data: str
    images: int
    pictures: str | None
    available: int | None
    classes: tuple[str, ...]
    search: SearchSettings
    cells: tuple[PlannedCell, ...]
    check: CheckResult | None = None
    source_model: str | None = None
    source_network: tuple[str, str | None] | None = None
    head: str | None = None

    @classmethod
    def from_record(cls, record: Mapping[str, Any]) -> Self:
        """Checks a record's content.

        Raises:
            RunError: Something is missing, of another type, or contradicts the benchmark.
            BenchmarkError: The benchmark can't be used.
        """
        benchmark = expect_attacks(
            benchmark_of(taken(record, "benchmark", dict), origin="the run's record")
        )
        edition = taken(record, "edition", str)
        if edition not in benchmark.editions:
            raise unexpected("edition", " or ".join(benchmark.editions), edition)
        model = taken(record, "model", dict)
        data = taken(record, "data", dict)
        cells = tuple(_cell(each, benchmark) for each in taken(record, "cells", list))
        source = None
        if record.get("source_model") is not None:
            source = taken(record, "source_model", dict)
        head = None if model.get("head") is None else taken(model, "head", dict)
        for cell in cells:
            if cell.transform != CLEAN and (cell.source is None) != (source is None):
                expected = "cells of one's own" if source is None else "cells of the source model"
                raise unexpected("cells", expected, cell.name)
        images = count_of(data, "chosen")
        if images < 1:
            raise unexpected("data.chosen", "at least 1 picture", images)
        names = [cell.name for cell in cells]
        if len(set(names)) < len(names):
            raise unexpected("cells", "each transform and level once", sorted(names))
        return cls(
            benchmark=benchmark,
            edition=edition,
            seed=count_of(record, "seed"),
            steps=None if record.get("steps") is None else count_of(record, "steps"),
            eot=_eot(record),
            model=taken(model, "uri", str),
            network=_network(model),
            data=taken(data, "uri", str),
            images=images,
            pictures=None if data.get("subset") is None else taken(data, "subset", str),
            available=count_of(data, "images") if data.get("images") is not None else None,
            classes=tuple(map(str, data["classes"]))
            if isinstance(data.get("classes"), list)
            else (),
            search=_search(record.get("search")),
            cells=cells,
            check=CheckResult.from_record(taken(record, "check", dict))
            if record.get("check") is not None
            else None,
            source_model=None if source is None else taken(source, "uri", str),
            source_network=None if source is None else _network(source),
            head=None if head is None else taken(head, "name", str),
        )


def _network(model: Mapping[str, Any]) -> tuple[str, str | None]:
    fingerprint, head = taken(model, "fingerprint", str), model.get("head")
    return fingerprint, None if head is None else taken(taken(model, "head", dict), "mapping", str)


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


def _eot(record: Mapping[str, Any]) -> int:
    """Records of before there was a choice mean one pass."""
    eot = count_of(record, "eot") if "eot" in record else 1
    if eot < 1:
        raise unexpected("eot", "at least 1 pass per evaluation", eot)
    return eot


def _cell(content: object, benchmark: AttackBenchmark) -> PlannedCell:
    if not isinstance(content, dict):
        raise unexpected("cells", "objects", content)
    transform, level = taken(content, "transform", str), content.get("level")
    level = None if level == "" else level
    if transform != CLEAN and transform not in benchmark.attacks:
        raise unexpected("cells", f"attacks of {benchmark.name} or {CLEAN}", transform)
    if level not in ((None,) if transform == CLEAN else LEVELS):
        raise unexpected("cells", f"{', '.join(LEVELS)} as the level of an attack", level)
    identity = _id(content)
    source = None
    if "source" in content or "source_cell" in content:
        made = taken(content, "source_cell", dict)
        source = _id(made)
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


def _id(cell: Mapping[str, Any]) -> str:
    identity = taken(cell, "id", str)
    if not re.fullmatch(r"[0-9a-f]{1,64}", identity):
        raise unexpected("cells", "ids of hexadecimal digits", identity)
    return identity
