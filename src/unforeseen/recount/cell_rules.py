"""Rules about the cells of ``run.json``: each is what its id says, and what the run's options make it."""

__all__ = ["check_cell"]

import hashlib
import json
from collections.abc import Mapping
from typing import Any

from unforeseen.recount.violations import Violations
from unforeseen.rows import CLEAN
from unforeseen.run_folder.planned import PlannedRun
from unforeseen.run_folder.planned_attacks import PlannedAttackRun
from unforeseen.run_folder.planned_obfuscations import PlannedObfuscationRun
from unforeseen.run_folder.record import RECORD_FILE

#: How each search moves, as cells call it.
_MOVEMENTS = {
    "pgd": "pgd",
    "none": "pgd",
    "apgd": "apgd",
    "autoattack-lite": "apgd",
    "random": "random",
}


def check_cell(
    record: Mapping[str, Any], run: PlannedRun, cell: Mapping[str, Any], violations: Violations
) -> None:
    """Holds a cell against what it is of.

    Args:
        record: The run's.
        run: What was read from it.
        cell: One of the record's.
        violations: Where broken rules go.
    """
    _check_id(record, cell, record["model"], violations)
    _check_options(record, cell, record["model"], violations)
    if cell["transform"] == CLEAN:
        return
    if isinstance(run, PlannedObfuscationRun):
        _check_obfuscation(record, run, cell, violations)
        return
    assert isinstance(run, PlannedAttackRun)
    maker, model = cell, record["model"]
    if run.source_model is not None:
        maker, model = cell["source_cell"], record["source_model"]
        _check_id(record, maker, model, violations)
        _check_options(record, maker, model, violations)
        _check_transfer(cell, maker, violations)
    _check_settings(record, run, maker, violations)


def _check_id(
    record: Mapping[str, Any],
    cell: Mapping[str, Any],
    model: Mapping[str, Any],
    violations: Violations,
) -> None:
    """A cell's id against what it is; its model against the one that it is of."""
    where, search = _name(cell), cell.get("search")
    identity = {key: value for key, value in cell.items() if key not in ("id", "source_cell")}
    if "source_cell" in cell:
        identity.pop("steps", None)
    if isinstance(search, dict):
        steps = identity.pop("steps", None)
        if steps != search.get("steps") or search.get("seed") != record["seed"]:
            seen = {"steps": steps, "search": search}
            violations.add("a cell's steps and seed are those of its search", where, seen)
    canonical = json.dumps(identity, sort_keys=True, ensure_ascii=True)
    if hashlib.sha256(canonical.encode()).hexdigest()[:32] != cell["id"]:
        violations.add("a cell's id is the hash of what it is", where, {"id": cell["id"]})
    asked = (model.get("fingerprint"), record.get("preprocessing"))
    if (cell.get("model"), cell.get("preprocessing")) != asked:
        seen = {"model": cell.get("model"), "preprocessing": cell.get("preprocessing")}
        violations.add("a cell's model and preprocessing are the run's", where, seen)


def _check_options(
    record: Mapping[str, Any],
    cell: Mapping[str, Any],
    model: Mapping[str, Any],
    violations: Violations,
) -> None:
    """What a model's head and the number of passes make of a cell."""
    head = model.get("head")
    wanted: dict[str, object] = {
        "head": head.get("mapping") if isinstance(head, dict) else head,
        "eot": record.get("eot", 1),
    }
    said: dict[str, object] = {"head": cell.get("head"), "eot": cell.get("eot", 1)}
    _compare(cell, said, wanted, violations)


def _check_transfer(
    cell: Mapping[str, Any], maker: Mapping[str, Any], violations: Violations
) -> None:
    """A cell that judges stored pictures says the same of them as the cell that made them."""
    wanted = {name: maker.get(name) for name in ("radius", "steps")}
    _compare(cell, {name: cell.get(name) for name in wanted}, wanted, violations)
    searched = [name for name in ("search", "loss", "parameters", "attack") if name in cell]
    if searched:
        rule = "nothing is searched for where stored pictures are judged"
        violations.add(rule, _name(cell), {name: cell[name] for name in searched})


def _check_settings(
    record: Mapping[str, Any],
    run: PlannedAttackRun,
    cell: Mapping[str, Any],
    violations: Violations,
) -> None:
    """What the benchmark, the edition and the options make of an attacked cell."""
    setting, edition = (
        run.benchmark.attacks[cell["transform"]],
        run.benchmark.editions[run.edition],
    )
    search, parameters = (_table(cell.get(name)) for name in ("search", "parameters"))
    steps = record.get("steps")
    wanted: dict[str, object] = {
        "radius": setting.radii[cell["level"]],
        "attack": "user-made" if setting.user_made else setting.attack,
        "steps": run.search.updates(setting.steps if steps is None else steps),
        "search": _MOVEMENTS[run.search.name],
        "judging": "any" if run.search.visits else edition.judging,
        "restarts": run.search.restarts,
        "loss": run.search.loss,
        "geometry": edition.geometry,
        **{f"parameters.{name}": value for name, value in setting.parameters.items()},
    }
    said: dict[str, object] = {
        "radius": cell.get("radius"),
        "attack": "user-made" if "code" in cell else cell.get("attack", cell["transform"]),
        "geometry": parameters.get("geometry"),
        "search": search.get("name"),
        "loss": cell.get("loss"),
        **{name: search.get(name) for name in ("steps", "judging", "restarts")},
        **{f"parameters.{name}": parameters.get(name) for name in setting.parameters},
    }
    if _MOVEMENTS[run.search.name] == "pgd":
        wanted |= {"step_size": setting.step_size, "gradient_batch": edition.gradient_batch}
        said |= {name: search.get(name) for name in ("step_size", "gradient_batch")}
    _compare(cell, said, wanted, violations)


def _check_obfuscation(
    record: Mapping[str, Any],
    run: PlannedObfuscationRun,
    cell: Mapping[str, Any],
    violations: Violations,
) -> None:
    """What the benchmark and the options make of a cell of obfuscated pictures."""
    if run.ready_made:
        wanted: dict[str, object] = {"made": record["ready_made"].get("fingerprint")}
        _compare(cell, {"made": cell.get("made")}, wanted, violations)
        return
    obfuscation = _table(cell.get("obfuscation"))
    ranges = run.benchmark.obfuscations[cell["transform"]].ranges
    wanted = {
        "seed": record["seed"],
        "draws": run.worst_of,
        **{f"obfuscation.{name}": list(ends) for name, ends in ranges.items()},
    }
    said: dict[str, object] = {
        "seed": cell.get("seed"),
        "draws": cell.get("draws", 1),
        **{f"obfuscation.{name}": obfuscation.get(name) for name in ranges},
    }
    for kind, fingerprint in _table(cell.get("assets")).items():
        wanted[f"assets.{kind}"] = (run.assets or {}).get(kind)
        said[f"assets.{kind}"] = fingerprint
    _compare(cell, said, wanted, violations)


def _compare(
    cell: Mapping[str, Any],
    said: Mapping[str, object],
    wanted: Mapping[str, object],
    violations: Violations,
) -> None:
    seen = {
        name: f"{said[name]}, in the run's record {value}"
        for name, value in wanted.items()
        if not _same(said[name], value)
    }
    if seen:
        rule = "a cell is what the run's benchmark, edition and options make it"
        violations.add(rule, _name(cell), seen)


def _name(cell: Mapping[str, Any]) -> str:
    return f"{RECORD_FILE}, {cell['transform']} {cell.get('level') or ''}".rstrip()


def _table(value: object) -> dict[str, Any]:
    return value if isinstance(value, dict) else {}


def _same(one: object, other: object) -> bool:
    """Equal, and a truth value is no number."""
    return isinstance(one, bool) == isinstance(other, bool) and one == other
