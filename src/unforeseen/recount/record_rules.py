"""Rules about ``run.json``: its parts must say the same of the run."""

__all__ = ["check_record"]

import json
from collections.abc import Mapping
from dataclasses import asdict
from typing import Any

from unforeseen._version import __version__
from unforeseen.benchmarks import BENCHMARKS, load_benchmark
from unforeseen.check.result import CHECK_VERSION
from unforeseen.preprocessing import Preprocessing
from unforeseen.recount.cell_rules import check_cell
from unforeseen.recount.violations import Violations
from unforeseen.run_folder.planned import PlannedRun
from unforeseen.run_folder.planned_attacks import PlannedAttackRun
from unforeseen.run_folder.planned_obfuscations import PlannedObfuscationRun
from unforeseen.run_folder.record import RECORD_FILE


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
        check_cell(record, run, cell, violations)
    _check_model(record, run, violations)
    _check_data(record, run, violations)
    check = run.check
    if check and check.version == CHECK_VERSION and record["check"] != check.to_record():
        violations.add("the check's verdict is that of its findings", RECORD_FILE)
    return _check_benchmark(record, run, violations)


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


def _canonical(value: object) -> str:
    return json.dumps(value, sort_keys=True)
