"""Rules about ``run.json``: its parts must say the same of the run, and each cell is what its id says."""

__all__ = ["check_record"]

import hashlib
import json
from collections.abc import Mapping
from dataclasses import asdict
from typing import Any

from unforeseen._version import __version__
from unforeseen.benchmarks import BENCHMARKS, load_benchmark
from unforeseen.check.result import CHECK_VERSION
from unforeseen.preprocessing import Preprocessing
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


def check_record(record: Mapping[str, Any], run: PlannedRun, violations: Violations) -> list[str]:
    """Holds the parts of a run's record against each other.

    Args:
        record: Its content.
        run: What was read from it.
        violations: Where broken rules go.

    Returns:
        What couldn't be compared, in words.
    """
    for cell in record["cells"]:
        _check_id(record, cell, record["model"], violations)
        _check_options(record, cell, record["model"], violations)
        if isinstance(run, PlannedObfuscationRun):
            if cell["transform"] != CLEAN:
                _check_obfuscation(record, run, cell, violations)
            continue
        assert isinstance(run, PlannedAttackRun)
        maker, model = cell, record["model"]
        if run.source_model is not None and cell["transform"] != CLEAN:
            maker, model = cell["source_cell"], record["source_model"]
            _check_id(record, maker, model, violations)
            _check_options(record, maker, model, violations)
            _check_transfer(cell, maker, violations)
        if cell["transform"] != CLEAN:
            _check_settings(record, run, maker, violations)
    _check_model(record, run, violations)
    _check_data(record, run, violations)
    check = run.check
    if check and check.version == CHECK_VERSION and record["check"] != check.to_record():
        violations.add("the check's verdict is that of its findings", RECORD_FILE)
    return _check_benchmark(record, run, violations)


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
    if "assets" in cell:
        wanted["assets"], said["assets"] = run.assets, cell["assets"]
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


def _check_model(record: Mapping[str, Any], run: PlannedRun, violations: Violations) -> None:
    model, benchmark = record["model"], run.benchmark
    wanted: dict[str, object] = asdict(benchmark.preprocessing)
    maker = model
    if isinstance(run, PlannedObfuscationRun):
        # Alike for all models.
        maker = {}
        wanted = asdict(Preprocessing()) if run.ready_made else wanted
    elif isinstance(run, PlannedAttackRun) and run.source_model is not None:
        # A target of a transfer sees what the source does.
        maker = record["source_model"]
    if isinstance(maker.get("preprocessing"), dict) and benchmark.preprocessing.changes_size:
        wanted = maker["preprocessing"] | {"exif_rotation": wanted["exif_rotation"]}
    if _canonical(wanted) != _canonical(record.get("preprocessing")):
        seen = {"preprocessing": record.get("preprocessing")}
        violations.add("preprocessing is the model's own, or the benchmark's", RECORD_FILE, seen)
    space, classes = record["data"].get("label_space"), model.get("classes")
    known = space is not None and space == benchmark.label_space and classes is not None
    if known and classes != benchmark.classes:
        seen = {"classes": classes, "label_space": space}
        violations.add("the model has the classes of the benchmark", RECORD_FILE, seen)


def _check_data(record: Mapping[str, Any], run: PlannedRun, violations: Violations) -> None:
    data = record["data"]
    limit = data.get("limit")
    if run.available is not None and (limit is None or type(limit) is int):
        most = run.available if limit is None else min(limit, run.available)
        if run.images != most:
            seen = {"chosen": run.images, "images": run.available, "limit": limit}
            violations.add(
                "as many pictures are chosen as there are and as the limit allows",
                RECORD_FILE,
                seen,
            )
    space, meant = data.get("label_space"), run.benchmark.label_space
    if space is not None and meant is not None and space != meant:
        rule = "the data's labels are those that the benchmark is for"
        violations.add(rule, RECORD_FILE, {"label_space": space, "benchmark": meant})


def _check_benchmark(
    record: Mapping[str, Any], run: PlannedRun, violations: Violations
) -> list[str]:
    """A benchmark that is called like one of ours must be ours; of other releases that isn't known."""
    name, attacks = run.benchmark.name, {cell.transform for cell in run.cells}
    if name not in BENCHMARKS:
        return []
    ours, theirs = (
        each.without_optional(but=attacks) for each in (load_benchmark(name), run.benchmark)
    )
    if ours == theirs:
        return []
    release = record.get("unforeseen")
    if release == __version__:
        violations.add(f"a benchmark called {name} is the one of that name", RECORD_FILE)
        return []
    return [f"its {name} isn't this release's, and the release that wrote it is another"]


def _name(cell: Mapping[str, Any]) -> str:
    return f"{RECORD_FILE}, {cell['transform']} {cell.get('level') or ''}".rstrip()


def _table(value: object) -> dict[str, Any]:
    return value if isinstance(value, dict) else {}


def _same(one: object, other: object) -> bool:
    """Equal, and a truth value is no number."""
    return isinstance(one, bool) == isinstance(other, bool) and one == other


def _canonical(value: object) -> str:
    return json.dumps(value, sort_keys=True)
