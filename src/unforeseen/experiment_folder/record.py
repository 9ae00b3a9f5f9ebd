"""``experiment.json``: which runs, in which folders, make up an experiment.

An experiment is a folder of ordinary run folders. Its record says no more than where they lie and
which value each of them stands for; all that is known of a run stands in the run's own record.
Records may come from strangers: what they say is checked, and nothing outside the experiment's
folder is ever reached through them.
"""

__all__ = [
    "EXPERIMENTS",
    "EXPERIMENT_FILE",
    "Experiment",
    "ExperimentName",
    "ExperimentRun",
    "begun_runs",
    "can_be_folder",
    "is_experiment",
    "previous_experiment",
    "read_experiment",
    "run_path",
    "write_experiment",
]

import os.path
import re
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from types import MappingProxyType
from typing import Any, Literal, NamedTuple, Self

from unforeseen._version import __version__
from unforeseen.errors import RunError
from unforeseen.files.json_file import read_json, write_json
from unforeseen.files.occupied import refuse_occupied
from unforeseen.rows import SCHEMA_VERSION
from unforeseen.run_folder.record import RECORD_FILE
from unforeseen.run_folder.recorded import recorded_in, taken, unexpected

EXPERIMENT_FILE = "experiment.json"

ExperimentName = Literal["steps", "radii", "step-sizes", "seeds", "transfer"]

#: What each experiment varies from run to run.
EXPERIMENTS: Mapping[ExperimentName, str] = MappingProxyType(
    {
        "steps": "the number of steps",
        "radii": "multiples of the benchmark's radii",
        "step-sizes": "multiples of the benchmark's step sizes",
        "seeds": "the seed of every draw",
        "transfer": "the model that judges what was made against another",
    }
)

_Values = Literal["whole", "positive", "none"]
_VALUES: Mapping[ExperimentName, _Values] = MappingProxyType(
    {
        "steps": "whole",
        "radii": "positive",
        "step-sizes": "positive",
        "seeds": "whole",
        "transfer": "none",
    }
)
_EXPECTED: Mapping[_Values, str] = MappingProxyType(
    {
        "whole": "a whole number from 0 that fits into 63 bits",
        "positive": "a number above 0 and below 2⁶³",
        "none": "null",
    }
)

#: One part of a folder's path: no hidden file, no way up, no drive, nothing that a shell or a
#: terminal would take for something else. No dot at its end, which Windows leaves out.
_PART = re.compile(r"[A-Za-z0-9]([A-Za-z0-9._-]{0,98}[A-Za-z0-9_-])?")
_MOST_PARTS = 3
#: What a part can't be: devices to Windows, whatever the ending, and the experiment's own files.
_RESERVED = re.compile(
    r"((con|prn|aux|nul|com\d|lpt\d)(\..*)?)|experiment\.json|table\.csv|plot\.png", re.IGNORECASE
)


class ExperimentRun(NamedTuple):
    """One of an experiment's runs.

    Attributes:
        folder: Where it lies below the experiment's folder, parts joined by ``/``; those of one
            model have all but the last part in common.
        value: What it was run with, in the unit of :data:`EXPERIMENTS`; None where runs differ in
            something that is no number.
    """

    folder: str
    value: float | None

    @property
    def group(self) -> str:
        """What the folders of runs have in common that differ in their value only."""
        return self.folder.rpartition("/")[0]


@dataclass(frozen=True, kw_only=True)
class Experiment:
    """What ``experiment.json`` says.

    Attributes:
        name: Which experiment.
        runs: Its runs in the order of its table: model by model, values rising.
    """

    name: ExperimentName
    runs: tuple[ExperimentRun, ...]

    def to_record(self) -> dict[str, Any]:
        """The content of ``experiment.json``."""
        return {
            "schema": SCHEMA_VERSION,
            "unforeseen": __version__,
            "experiment": self.name,
            "runs": [{"folder": run.folder, "value": run.value} for run in self.runs],
        }

    @classmethod
    @recorded_in(EXPERIMENT_FILE)
    def from_record(cls, record: Mapping[str, Any]) -> Self:
        """Checks a record's content.

        Raises:
            RunError: Something is missing, of another type, twice there, or leads outside.
        """
        said = record.get("experiment")
        name: ExperimentName | None = next((each for each in EXPERIMENTS if each == said), None)
        if name is None:
            raise unexpected("experiment", f"one of {', '.join(EXPERIMENTS)}", said)
        runs = tuple(_run(each, name) for each in taken(record, "runs", list))
        if not runs:
            raise unexpected("runs", "at least one", [])
        # Some file systems don't tell capitals from small letters.
        folders = [run.folder.casefold() for run in runs]
        if len(set(folders)) < len(folders):
            raise unexpected("runs", "each folder once", sorted(folders))
        points = [(run.group, run.value) for run in runs if run.value is not None]
        if len(set(points)) < len(points):
            raise unexpected("runs", "each value of a model once", sorted(points))
        return cls(name=name, runs=runs)


def is_experiment(folder: Path | str) -> bool:
    """Whether a folder holds an experiment rather than a run."""
    return os.path.lexists(Path(folder) / EXPERIMENT_FILE)


def read_experiment(folder: Path | str) -> Experiment:
    """Reads ``experiment.json``.

    Raises:
        RunError: It is missing, isn't what this release writes, or leads outside the folder.
    """
    path = Path(folder) / EXPERIMENT_FILE
    try:
        return Experiment.from_record(
            read_json(
                path,
                written_by="unforeseen sweep, transfer or run --seeds",
                schema=SCHEMA_VERSION,
            )
        )
    except RunError as error:
        raise RunError(f"{folder} holds no experiment that can be read: {error}") from error


def previous_experiment(folder: Path, name: ExperimentName) -> Experiment | None:
    """The experiment that a folder holds and that is to be continued; None where it is new or empty.

    Raises:
        RunError: The folder holds something else, or another experiment.
    """
    if not refuse_occupied(folder, kind="experiment", marker=EXPERIMENT_FILE):
        return None
    there = read_experiment(folder)
    if there.name != name:
        raise RunError(
            f"{folder} holds an experiment over {there.name}; asked for was {name}. Use another "
            "--out."
        )
    return there


def write_experiment(folder: Path, experiment: Experiment) -> None:
    """Writes ``experiment.json``, making the folder where needed.

    Raises:
        RunError: It can't be written; what was there is as it was.
    """
    write_json(folder / EXPERIMENT_FILE, experiment.to_record())


def can_be_folder(name: str) -> bool:
    """Whether a folder of an experiment can be called so, on every system."""
    return _PART.fullmatch(name) is not None and _RESERVED.fullmatch(name) is None


def run_path(folder: Path | str, run: ExperimentRun) -> Path:
    """Where a run of an experiment lies.

    Args:
        folder: The experiment's, which the user named; it may be a link.
        run: One of its runs.

    Raises:
        RunError: A folder on the way is a link: the record may be a stranger's, and a link leads
            anywhere.
    """
    path = Path(folder)
    for part in run.folder.split("/"):
        path /= part
        if path.is_symlink():
            raise RunError(
                f"{path} is a link; the runs of an experiment lie in its own folder. Put the "
                "folder itself in its place."
            )
    return path


def begun_runs(
    folder: Path | str, experiment: Experiment
) -> tuple[tuple[ExperimentRun, Path], ...]:
    """The runs of an experiment that were begun, in its order, and where they lie; at least one.

    Raises:
        RunError: None was, or as in :func:`run_path`.
    """
    paths = [(run, run_path(folder, run)) for run in experiment.runs]
    begun = tuple((run, path) for run, path in paths if (path / RECORD_FILE).exists())
    if not begun:
        raise RunError(f"{folder} holds an experiment of which no run was begun; run it first.")
    return begun


def _run(content: object, name: ExperimentName) -> ExperimentRun:
    if not isinstance(content, dict):
        raise unexpected("runs", "objects", content)
    folder, value = content.get("folder"), content.get("value")
    parts = folder.split("/") if isinstance(folder, str) else []
    if not (0 < len(parts) <= _MOST_PARTS and all(map(can_be_folder, parts))):
        raise unexpected(
            "folder",
            f"up to {_MOST_PARTS} names of letters, digits, '.', '_' and '-' joined by '/', of which "
            "none is reserved",
            folder,
        )
    return ExperimentRun("/".join(parts), _value(value, name))


def _value(value: object, name: ExperimentName) -> float | None:
    kind = _VALUES[name]
    if not isinstance(value, bool):  # which is a number elsewhere in Python
        if kind == "whole" and isinstance(value, int) and 0 <= value < 2**63:
            return value
        if kind == "positive" and isinstance(value, int | float) and 0 < value < 2**63:
            return float(value)
        if kind == "none" and value is None:
            return None
    raise unexpected("value", _EXPECTED[kind], value)
