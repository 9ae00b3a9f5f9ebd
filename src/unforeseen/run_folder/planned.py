"""What a run's record says was to be run, checked: records may come from strangers."""

__all__ = [
    "CommonOfRuns",
    "PlannedCell",
    "PlannedRun",
    "cell_id",
    "common_of",
    "expect_each_once",
    "network_of",
]

import abc
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypedDict

from unforeseen.benchmarks import Benchmark, Level
from unforeseen.check.result import CheckResult
from unforeseen.run_folder.recorded import count_of, taken, unexpected


@dataclass(frozen=True, kw_only=True)
class PlannedCell:
    """One transform at one level.

    Attributes:
        id: The cell's id.
        transform: An attack or obfuscation of the benchmark, or ``clean``.
        level: An attack's; else None.
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
class PlannedRun(abc.ABC):
    """The part of ``run.json`` that figures depend on; there is a kind for each kind of benchmark.

    Attributes:
        benchmark: What is run.
        seed: The run's.
        eot: Forward passes that every evaluation takes the mean of.
        model: The model's URI.
        network: Which one it is, whatever it is called: its fingerprint, and that of its head, or
            None where it has none.
        data: The data's URI.
        images: How many pictures were chosen.
        pictures: A hash of which ones, or None where the record doesn't say.
        available: How many the data has, or None where the record doesn't say.
        classes: The data's own class names, where its labels aren't the benchmark's; else empty.
        cells: What is run, no two of one transform and level.
        check: What was found before the run, or None where nobody looked.
        head: Name of what maps the model's outputs to classes; None where they are the classes.
        groups: What the head calls its classes; empty where it doesn't, or the record doesn't say.
    """

    benchmark: Benchmark
    seed: int
    eot: int
    model: str
    network: tuple[str, str | None]
    data: str
    images: int
    pictures: str | None
    available: int | None
    classes: tuple[str, ...]
    cells: tuple[PlannedCell, ...]
    check: CheckResult | None = None
    head: str | None = None
    groups: tuple[str, ...] = ()


class CommonOfRuns(TypedDict):
    """What runs of all kinds have in common, but for benchmark and cells."""

    seed: int
    eot: int
    model: str
    network: tuple[str, str | None]
    data: str
    images: int
    pictures: str | None
    available: int | None
    classes: tuple[str, ...]
    check: CheckResult | None
    head: str | None
    groups: tuple[str, ...]


def common_of(record: Mapping[str, Any]) -> CommonOfRuns:
    """Takes what all kinds have out of a record; raises RunError."""
    model, data = taken(record, "model", dict), taken(record, "data", dict)
    head = None if model.get("head") is None else taken(model, "head", dict)
    images = count_of(data, "chosen")
    if images < 1:
        raise unexpected("data.chosen", "at least 1 picture", images)
    return CommonOfRuns(
        seed=count_of(record, "seed"),
        eot=_eot(record),
        model=taken(model, "uri", str),
        network=network_of(model),
        data=taken(data, "uri", str),
        images=images,
        pictures=None if data.get("subset") is None else taken(data, "subset", str),
        available=count_of(data, "images") if data.get("images") is not None else None,
        classes=tuple(map(str, data["classes"])) if isinstance(data.get("classes"), list) else (),
        check=CheckResult.from_record(taken(record, "check", dict))
        if record.get("check") is not None
        else None,
        head=None if head is None else taken(head, "name", str),
        groups=tuple(map(str, taken(head, "class_names", list)))
        if head is not None and "class_names" in head
        else (),
    )


def network_of(model: Mapping[str, Any]) -> tuple[str, str | None]:
    """A recorded model's fingerprint, and its head's; raises RunError."""
    fingerprint, head = taken(model, "fingerprint", str), model.get("head")
    return fingerprint, None if head is None else taken(taken(model, "head", dict), "mapping", str)


def cell_id(cell: Mapping[str, Any]) -> str:
    """A recorded cell's id; raises RunError."""
    identity = taken(cell, "id", str)
    if not re.fullmatch(r"[0-9a-f]{1,64}", identity):
        raise unexpected("cells", "ids of hexadecimal digits", identity)
    return identity


def expect_each_once(cells: Sequence[PlannedCell]) -> None:
    """Raises RunError where two cells are of one transform and level."""
    names = [cell.name for cell in cells]
    if len(set(names)) < len(names):
        raise unexpected("cells", "each transform and level once", sorted(names))


def _eot(record: Mapping[str, Any]) -> int:
    """Records of before there was a choice mean one pass."""
    eot = count_of(record, "eot") if "eot" in record else 1
    if eot < 1:
        raise unexpected("eot", "at least 1 pass per evaluation", eot)
    return eot
