"""What a run's record says was to be run, checked: records may come from strangers."""

__all__ = ["PlannedCell", "PlannedRun"]

import re
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Self, TypeVar

from unforeseen.benchmarks import LEVELS, Benchmark, Level
from unforeseen.errors import RunError
from unforeseen.rows import CLEAN

_Value = TypeVar("_Value", int, str, dict[str, Any], list[Any])

_KINDS = {int: "a whole number", str: "text", dict: "an object", list: "a list"}


@dataclass(frozen=True, kw_only=True)
class PlannedCell:
    """One transform at one level.

    Attributes:
        id: The cell's id.
        transform: An attack of the benchmark, or ``clean``.
        level: None for ``clean``.
        steps: What it was run with, or None where the record doesn't say.
        radius: Likewise.
    """

    id: str
    transform: str
    level: Level | None
    steps: int | None
    radius: float | None

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
        model: The model's URI.
        data: The data's URI.
        images: How many pictures were chosen.
        available: How many the data has, or None where the record doesn't say.
        classes: The data's own class names, where its labels aren't the benchmark's; else empty.
        cells: What is run, no two of one transform and level.
    """

    benchmark: Benchmark
    edition: str
    seed: int
    model: str
    data: str
    images: int
    available: int | None
    classes: tuple[str, ...]
    cells: tuple[PlannedCell, ...]

    @classmethod
    def from_record(cls, record: Mapping[str, Any]) -> Self:
        """Checks a record's content.

        Raises:
            RunError: Something is missing, of another type, or contradicts the benchmark.
            BenchmarkError: The benchmark can't be used.
        """
        benchmark = Benchmark.from_record(
            _taken(record, "benchmark", dict), origin="the run's record"
        )
        edition = _taken(record, "edition", str)
        if edition not in benchmark.editions:
            raise _unexpected("edition", " or ".join(benchmark.editions), edition)
        model = _taken(record, "model", dict)
        data = _taken(record, "data", dict)
        cells = tuple(_cell(each, benchmark) for each in _taken(record, "cells", list))
        images = _taken(data, "chosen", int)
        if images < 1:
            raise _unexpected("data.chosen", "at least 1 picture", images)
        names = [cell.name for cell in cells]
        if len(set(names)) < len(names):
            raise _unexpected("cells", "each transform and level once", sorted(names))
        return cls(
            benchmark=benchmark,
            edition=edition,
            seed=_taken(record, "seed", int),
            model=_taken(model, "uri", str),
            data=_taken(data, "uri", str),
            images=images,
            available=_taken(data, "images", int) if data.get("images") is not None else None,
            classes=tuple(map(str, data["classes"]))
            if isinstance(data.get("classes"), list)
            else (),
            cells=cells,
        )


def _cell(content: object, benchmark: Benchmark) -> PlannedCell:
    if not isinstance(content, dict):
        raise _unexpected("cells", "objects", content)
    transform, level = _taken(content, "transform", str), content.get("level")
    level = None if level == "" else level
    if transform != CLEAN and transform not in benchmark.attacks:
        raise _unexpected("cells", f"attacks of {benchmark.name} or {CLEAN}", transform)
    if level not in ((None,) if transform == CLEAN else LEVELS):
        raise _unexpected("cells", f"{', '.join(LEVELS)} as the level of an attack", level)
    identity = _taken(content, "id", str)
    if not re.fullmatch(r"[0-9a-f]{1,64}", identity):
        raise _unexpected("cells", "ids of hexadecimal digits", identity)
    radius = content.get("radius")
    if radius is not None and not (
        isinstance(radius, int | float)
        and not isinstance(radius, bool)
        and abs(radius) <= sys.float_info.max
    ):
        raise _unexpected("cells", "numbers as radii", radius)
    return PlannedCell(
        id=identity,
        transform=transform,
        level=level,
        steps=_taken(content, "steps", int) if content.get("steps") is not None else None,
        radius=radius,
    )


def _taken(content: Mapping[str, Any], key: str, kind: type[_Value]) -> _Value:
    value = content.get(key)
    if isinstance(value, bool) or not isinstance(value, kind):
        raise _unexpected(key, _KINDS[kind], value)
    return value


def _unexpected(key: str, expected: str, got: object) -> RunError:
    shown = ascii(got)
    shown = shown if len(shown) <= 80 else f"{shown[:80]}…"
    return RunError(f"the run's record: {key}: expected {expected}, got {shown}.")
