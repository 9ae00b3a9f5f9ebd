"""What was timed of a benchmark's attacks, as ``cost.json`` holds it."""

__all__ = [
    "BASELINE",
    "COST_FILE",
    "AttackTimes",
    "CostTimes",
    "Pair",
    "is_cost",
    "read_times",
    "write_times",
]

import os.path
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, NamedTuple, Self

from unforeseen._version import __version__
from unforeseen.files.json_file import read_json, write_json
from unforeseen.rows import SCHEMA_VERSION
from unforeseen.run_folder.recorded import count_of, recorded_in, taken, unexpected, whole_count

COST_FILE = "cost.json"
#: What a cost is a ratio to.
BASELINE = "pgd"
#: Seconds; a stranger's record may hold numbers that no ratio can be made of.
_LONGEST = 1e9


class Pair(NamedTuple):
    """Seconds that one full batch took under an attack, and under PGD right before or after it.

    Without steps a search draws scene and start, and evaluates the judged picture twice: as it is,
    and rounded to 8 bits. With steps it makes :attr:`CostTimes.timed_steps` before that.
    """

    without_steps: float
    with_steps: float
    pgd_without_steps: float
    pgd_with_steps: float


@dataclass(frozen=True, kw_only=True)
class AttackTimes:
    """What was timed of one attack.

    Attributes:
        attack: Its name in the benchmark.
        updates: How many the benchmark gives it.
        rounds: One pair for each round that has come to it.
    """

    attack: str
    updates: int
    rounds: tuple[Pair, ...] = ()


@dataclass(frozen=True, kw_only=True)
class CostTimes:
    """One measurement, perhaps unfinished.

    Attributes:
        benchmark: Its name.
        edition: Whose geometry the attacks have.
        level: Of the attacks.
        model: The model's URI.
        data: The pictures' URI; None where they were made.
        picture_size: Height and width in pixels.
        batch_size: Pictures at once.
        timed_steps: Steps of the searches with steps.
        rounds: How many were asked for.
        environment: On what it was measured; see :func:`unforeseen.running.environment`.
        attacks: In the benchmark's order. :data:`BASELINE` is one of them: how far its ratio is from
            1 shows how steady the machine was.
    """

    benchmark: str
    edition: str
    level: str
    model: str
    data: str | None
    picture_size: tuple[int, int]
    batch_size: int
    timed_steps: int
    rounds: int
    environment: Mapping[str, Any]
    attacks: tuple[AttackTimes, ...]

    @property
    def finished_rounds(self) -> int:
        """Rounds in which every attack was timed."""
        return min(len(attack.rounds) for attack in self.attacks)

    def to_record(self) -> dict[str, Any]:
        """The content of ``cost.json``."""
        about = {"schema": SCHEMA_VERSION, "unforeseen": __version__, "experiment": "cost"}
        attacks = [
            {
                "attack": each.attack,
                "updates": each.updates,
                "rounds": [pair._asdict() for pair in each.rounds],
            }
            for each in self.attacks
        ]
        return about | asdict(self) | {"attacks": attacks}

    @classmethod
    @recorded_in(COST_FILE)
    def from_record(cls, record: Mapping[str, Any]) -> Self:
        """Checks the content of a ``cost.json``; raises RunError."""
        if record.get("experiment") != "cost":
            raise unexpected("experiment", "cost", record.get("experiment"))
        size = taken(record, "picture_size", list)
        if len(size) != 2:
            raise unexpected("picture_size", "height and width", size)
        height, width = (whole_count("picture_size", side) for side in size)
        attacks = tuple(_times(each) for each in taken(record, "attacks", list))
        names = [each.attack for each in attacks]
        if BASELINE not in names or len(set(names)) < len(names):
            raise unexpected("attacks", f"each once, {BASELINE} among them", names)
        for key in ("batch_size", "timed_steps"):
            if count_of(record, key) < 1:
                raise unexpected(key, "at least 1", record[key])
        return cls(
            benchmark=taken(record, "benchmark", str),
            edition=taken(record, "edition", str),
            level=taken(record, "level", str),
            model=taken(record, "model", str),
            data=None if record.get("data") is None else taken(record, "data", str),
            picture_size=(height, width),
            batch_size=count_of(record, "batch_size"),
            timed_steps=count_of(record, "timed_steps"),
            rounds=count_of(record, "rounds"),
            environment=taken(record, "environment", dict),
            attacks=attacks,
        )


def write_times(folder: Path, times: CostTimes) -> None:
    """Writes ``cost.json``, making the folder where needed; raises RunError."""
    write_json(folder / COST_FILE, times.to_record())


def is_cost(folder: Path | str) -> bool:
    """Whether a folder holds what ``unforeseen cost`` wrote."""
    return os.path.lexists(Path(folder) / COST_FILE)


def read_times(folder: Path) -> CostTimes:
    """Reads ``cost.json``.

    Raises:
        RunError: It is missing, damaged, or of another layout.
    """
    return CostTimes.from_record(
        read_json(folder / COST_FILE, written_by="unforeseen cost", schema=SCHEMA_VERSION)
    )


def _times(content: object) -> AttackTimes:
    if not isinstance(content, dict):
        raise unexpected("attacks", "objects", content)
    return AttackTimes(
        attack=taken(content, "attack", str),
        updates=count_of(content, "updates"),
        rounds=tuple(_pair(each) for each in taken(content, "rounds", list)),
    )


def _pair(content: object) -> Pair:
    if not isinstance(content, dict) or set(content) != set(Pair._fields):
        raise unexpected("rounds", f"objects of {', '.join(Pair._fields)}", content)
    for key, value in content.items():
        number = isinstance(value, int | float) and not isinstance(value, bool)
        if not number or not 0 <= value <= _LONGEST:
            raise unexpected(key, f"seconds from 0 to {_LONGEST:g}", value)
    return Pair(**content)
