"""What must be the same for a run to be continued, and the record that says so."""

__all__ = [
    "asked_record",
    "changed_codes",
    "changes_to_tell",
    "choice_seed_of",
    "make_record",
    "merged",
    "previous_record",
    "refuse_other_run",
    "was_deterministic",
    "with_nondeterministic",
    "without_cells",
]

import json
from collections.abc import Collection, Iterable, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

from unforeseen._version import __version__
from unforeseen.benchmarks.kinds import benchmark_of, expect_attacks
from unforeseen.check.result import CheckResult
from unforeseen.data.dataset import DataCard
from unforeseen.data.identity import subset_hash
from unforeseen.errors import RunError, one_line
from unforeseen.files.occupied import refuse_occupied
from unforeseen.models.cards import ModelCard
from unforeseen.models.classifier import Predictor
from unforeseen.rows import SCHEMA_VERSION
from unforeseen.run_folder.planned_kinds import read_planned_run
from unforeseen.run_folder.record import RECORD_FILE
from unforeseen.run_folder.recorded import count_of
from unforeseen.run_folder.recorded_assets import RecordedAssets
from unforeseen.running.environment import environment_of
from unforeseen.running.plan import Plan
from unforeseen.search.settings import SearchSettings

#: What must be the same for a run to be continued, beside the benchmark: what it is called, the
#: keys that lead to it in a record, and the option that sets it.
_IDENTITY = (
    ("edition", ("edition",), "--edition"),
    ("seed", ("seed",), "--seed"),
    ("steps", ("steps",), "--steps"),
    ("eot", ("eot",), "--eot"),
    ("search", ("search",), "--search, --loss, --restarts and --draws"),
    ("model", ("model", "fingerprint"), "--model"),
    ("head", ("model", "head", "mapping"), "--head"),
    ("pictures", ("ready_made", "fingerprint"), "--data"),
    ("preprocessing", ("preprocessing",), "preprocessing"),
    ("worst of", ("worst_of",), "--worst-of"),
    ("source model", ("source_model", "fingerprint"), "--source"),
    ("source model's head", ("source_model", "head", "mapping"), "--source-head"),
)

#: What these are called in a record.
_NAMES = {
    "model": ("model", "uri"),
    "head": ("model", "head", "name"),
    "source model": ("source_model", "uri"),
    "source model's head": ("source_model", "head", "name"),
}

#: How another one of these is called.
_OTHERS = {"pictures": "pictures obfuscated in another way"}

#: In what runs of several models may differ that stand side by side, as parts of a cell too.
_OF_THE_MODEL = ("model", "head", "preprocessing")

#: What a record means that was written before these could be chosen.
_ABSENT: dict[str, Any] = {"eot": 1, "search": SearchSettings().to_record()}


def asked_record(plan: Plan, card: ModelCard) -> dict[str, Any]:
    """The part of a record that :func:`refuse_other_run` compares.

    Args:
        plan: What is to be run.
        card: On what.
    """
    return {
        "benchmark": plan.benchmark.to_record(),
        "seed": plan.seed,
        "eot": plan.eot,
        **plan.options(),
        "model": card.to_record(),
        "preprocessing": asdict(plan.preprocessing),
        "cells": [cell.to_record() for cell in plan.cells],
    }


def make_record(
    plan: Plan,
    classifier: Predictor,
    data: DataCard,
    *,
    ids: Sequence[str],
    limit: int | None,
    choice_seed: int | None = None,
    batch_size: int,
    deterministic: bool = False,
    check: CheckResult | None = None,
) -> dict[str, Any]:
    """Everything that makes a run again, as ``run.json`` holds it.

    Args:
        plan: What is run.
        classifier: On what.
        data: With which pictures.
        ids: Those that were chosen.
        limit: Why not more.
        choice_seed: Seed by which they were chosen; None takes the plan's.
        batch_size: How many the model sees at once.
        deterministic: Whether torch was asked to be.
        check: What was found before the run, or None where nobody looked.
    """
    return {
        "schema": SCHEMA_VERSION,
        "unforeseen": __version__,
        **asked_record(plan, classifier.card),
        "data": {
            "uri": data.uri,
            "label_space": data.label_space,
            "classes": list(data.class_names) if data.label_space is None else None,
            "images": data.images,
            "chosen": len(ids),
            "limit": None if limit is None else int(limit),  # numpy's are no JSON
            "choice_seed": plan.seed if choice_seed is None else choice_seed,
            "subset": subset_hash(ids),
        },
        "check": None if check is None else check.to_record(),
        "batch_size": batch_size,
        "environment": environment_of(classifier.device)
        | {"deterministic": deterministic, "nondeterministic": None},
    }


def previous_record(folder: Path) -> dict[str, Any] | None:
    """The record of the run that a folder holds, or None where it is new or empty.

    Raises:
        RunError: The folder holds something else.
    """
    if not refuse_occupied(folder, kind="run folder", marker=RECORD_FILE):
        return None
    return read_planned_run(folder).record


def refuse_other_run(
    folder: Path, there: dict[str, Any], asked: dict[str, Any], *, of_any_model: bool = False
) -> None:
    """Raises RunError where two records differ in what changes results; says in what.

    Args:
        folder: Where the first one lies.
        there: It.
        asked: Another, or the part of it that :func:`asked_record` makes.
        of_any_model: Whether they may be of two models.
    """
    # As benchmarks: two that differ in their title or source only ask for the same, and so do two
    # that differ in optional attacks of which the folder has no results.
    run_there = {cell["transform"] for cell in there["cells"]}
    old_benchmark, new_benchmark = (
        benchmark_of(record["benchmark"]).without_optional(but=run_there)
        for record in (there, asked)
    )
    if old_benchmark != new_benchmark:
        raise _other_run(folder, "was made with another benchmark", "the same benchmark, unedited,")
    meant = {key: value for key, value in _ABSENT.items() if key in asked} | there
    for name, path, option in _IDENTITY:
        old, new = _at(meant, path), _at(asked, path)
        if _canonical(old) == _canonical(new) or (of_any_model and name in _OF_THE_MODEL):
            continue
        if name in ("edition", "seed", "steps", "eot", "worst of"):
            shown = f"has {_shown(old, name)}; asked for was {_shown(new)}"
        elif name in _OTHERS:
            shown = f"was made with {_OTHERS[name]}"
        else:
            shown = f"was made with another {name}{_difference(there, asked, name)}"
        left_out = old is None and name in ("steps", "head", "source model's head")
        raise _other_run(folder, shown, f"leave {option} out" if left_out else f"the same {option}")
    _refuse_other_assets(folder, there, asked)
    asked_cells = {(cell["transform"], cell["level"]): cell for cell in asked["cells"]}
    for cell in there["cells"]:
        wanted = asked_cells.get((cell["transform"], cell.get("level")), cell)
        if _made_of(wanted, of_any_model) != _made_of(cell, of_any_model):
            if _code_of(wanted) != _code_of(cell):
                attack = expect_attacks(new_benchmark).attacks[cell["transform"]].attack
                raise RunError(
                    f"{folder} holds results of {cell['transform']} by other code: what "
                    f"{attack} names has changed since. Use another --out, or restore the file to "
                    "go on."
                )
            raise RunError(
                f"{folder} holds results of {cell['transform']} by another version of unforeseen "
                f"({there.get('unforeseen')}). Use another --out, or that version to go on."
            )


def changed_codes(there: dict[str, Any], asked: dict[str, Any]) -> tuple[str, ...]:
    """Ids of the cells that a record has of a user-made attack whose file has changed since."""
    codes = {(cell["transform"], cell["level"]): cell.get("code") for cell in asked["cells"]}
    changed = []
    for cell in there["cells"]:
        old, new = cell.get("code"), codes.get((cell["transform"], cell.get("level")))
        if old is not None and new is not None and old != new:
            changed.append(cell["id"])
    return tuple(changed)


def without_cells(record: dict[str, Any], ids: Collection[str]) -> dict[str, Any]:
    """A record that has forgotten some cells."""
    return record | {"cells": [cell for cell in record["cells"] if cell["id"] not in ids]}


def changes_to_tell(
    folder: Path, there: dict[str, Any] | None, asked: dict[str, Any]
) -> tuple[str, ...]:
    """What differs between two records of one run and is the user's to judge, in sentences."""
    if there is None:
        return ()
    old, new = (_at(record, ("model", "code")) for record in (there, asked))
    if old is None or new is None or old == new:
        return ()
    note = (
        f"the code of {asked['model']['uri']} has changed since {folder} was begun; by its version "
        "its answers have not, so rows of before and after stand side by side."
    )
    return (note,)


def merged(previous: dict[str, Any] | None, record: dict[str, Any]) -> dict[str, Any]:
    """The record of all that a folder will hold: cells of both, the larger set of pictures."""
    if previous is None:
        return record
    ids = {cell["id"] for cell in previous["cells"]}
    cells = [*previous["cells"], *(cell for cell in record["cells"] if cell["id"] not in ids)]
    larger = max(previous["data"], record["data"], key=lambda data: data["chosen"])
    deterministic = record["environment"]["deterministic"] and was_deterministic(previous)
    environment = record["environment"] | {"deterministic": deterministic}
    if deterministic:
        environment["nondeterministic"] = _at(previous, ("environment", "nondeterministic"))
    # A folder holds one model on one data set: what was found stands where nobody looked again.
    check = record["check"] or previous.get("check")
    changed = {"cells": cells, "data": larger, "environment": environment, "check": check}
    if previous.get("assets") and record.get("assets"):
        old, new = (RecordedAssets.from_record(each["assets"]) for each in (previous, record))
        changed["assets"] = old.and_then(new).to_record()
    return record | changed


def choice_seed_of(record: dict[str, Any]) -> int:
    """The seed by which a run's pictures were chosen: its own, where its record says no other.

    Raises:
        RunError: The record says something that is no seed.
    """
    data = record["data"]
    return count_of(data, "choice_seed") if "choice_seed" in data else count_of(record, "seed")


def was_deterministic(record: dict[str, Any]) -> bool:
    """Whether everybody who wrote into a folder asked torch to be deterministic."""
    return _at(record, ("environment", "deterministic")) is True


def with_nondeterministic(record: dict[str, Any], names: Iterable[str]) -> dict[str, Any]:
    """The record of a run that met these operations, beside those it met before."""
    if not was_deterministic(record):
        return record
    before = _at(record, ("environment", "nondeterministic"))
    known = {str(name) for name in before} if isinstance(before, list) else set()
    return record | {
        "environment": record["environment"] | {"nondeterministic": sorted(known.union(names))}
    }


def _refuse_other_assets(folder: Path, there: dict[str, Any], asked: dict[str, Any]) -> None:
    """Raises RunError where kinds that a folder's cells took aren't the same in what is asked for."""
    if not there.get("assets") or not asked.get("assets"):
        return
    old, new = (RecordedAssets.from_record(each["assets"]) for each in (there, asked))
    used = {kind for cell in there["cells"] for kind in cell.get("assets") or {}}
    used &= old.fingerprints.keys()
    other = sorted(
        kind
        for kind in used & new.fingerprints.keys()
        if old.fingerprints[kind] != new.fingerprints[kind]
    )
    if not other:
        return
    changed = ", ".join(f"{kind} of {_pack(old.folders[kind])}" for kind in other)
    difference = f"was made with another pack of assets ({changed}; asked for was {_pack(new.folders[other[0]])})"
    remedy = "the same --assets"
    if len({old.folders[kind] for kind in used}) > 1:
        remedy += " with the obfuscations that took it (one pack for all of them: unforeseen assets combine)"
    raise _other_run(folder, difference, remedy)


def _pack(folder: str | None) -> str:
    return "the pack that ships" if folder is None else one_line(folder, longest=80)


def _made_of(cell: dict[str, Any], of_any_model: bool) -> str:
    """What must be the same in two cells: all that their ids are hashes of, perhaps but the model."""
    if not of_any_model:
        return str(cell["id"])
    return _canonical(
        {key: value for key, value in cell.items() if key not in ("id", *_OF_THE_MODEL)}
    )


def _code_of(cell: dict[str, Any]) -> object:
    """Hash of the code that made a cell's pictures; None where it is this program's."""
    return _at(cell, ("code",)) or _at(cell, ("source_cell", "code"))


def _other_run(folder: Path, difference: str, remedy: str) -> RunError:
    return RunError(
        f"{folder} holds a run that {difference}. Use another --out, or {remedy} to go on."
    )


def _shown(value: object, name: str = "") -> str:
    """An option's value; where it was left out, what then holds."""
    return "the benchmark's number of steps" if value is None else f"{name} {value!r:.80}".lstrip()


def _difference(there: dict[str, Any], asked: dict[str, Any], name: str) -> str:
    """What two records call their models or heads, as the end of a sentence; else nothing."""
    if name not in _NAMES:
        return ""
    old, new = (_at(record, _NAMES[name]) for record in (there, asked))
    if old == new:
        return f": both are called {one_line(str(old), longest=80)}, but they aren't the same"
    old, new = ("none" if each is None else one_line(str(each), longest=80) for each in (old, new))
    return f": {old}; asked for was {new}"


def _at(record: dict[str, Any], path: tuple[str, ...]) -> Any:
    value: Any = record
    for key in path:
        value = value.get(key) if isinstance(value, dict) else None
    return value


def _canonical(value: Any) -> str:
    """As text, because tuples become lists on their way through a file."""
    return json.dumps(value, sort_keys=True)
