"""Reads a run folder once more and holds it against what it claims."""

__all__ = ["Recount", "recount"]

import hashlib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from unforeseen.errors import RunError
from unforeseen.files.bounded_parquet import Allowance
from unforeseen.files.json_file import read_json
from unforeseen.recount.figures import Figures, Tally
from unforeseen.recount.obfuscation_figures import all_values
from unforeseen.recount.picture_rules import check_choice, listed_labels
from unforeseen.recount.record_rules import check_record
from unforeseen.recount.rule import CleanAnswer, Expected
from unforeseen.recount.rules import check_row
from unforeseen.recount.run_kinds import RecountedRun, recounted
from unforeseen.recount.summaries import Difference, differences, unknown_keys
from unforeseen.recount.violations import Violation, Violations
from unforeseen.rows import CLEAN, SCHEMA_VERSION
from unforeseen.run_folder.picture_list import read_picture_list
from unforeseen.run_folder.planned import PlannedCell, PlannedRun
from unforeseen.run_folder.planned_kinds import read_planned_run
from unforeseen.run_folder.read_run import SUMMARY_FILE, read_run
from unforeseen.run_folder.rowfile import DamagedFileError, cell_of, read_rows, row_files


@dataclass(frozen=True, kw_only=True)
class Recount:
    """What came of a recount.

    Attributes:
        figures: How many figures were counted.
        rows: From how many rows.
        differences: Figures that ``summary.json`` or today's ``results`` give otherwise.
        violations: Rules that rows and record break.
        notes: What couldn't be compared, in words.
    """

    figures: int
    rows: int
    differences: tuple[Difference, ...]
    violations: tuple[Violation, ...]
    notes: tuple[str, ...]

    @property
    def agrees(self) -> bool:
        """Nothing differs, and nothing contradicts anything else."""
        return not self.differences and not self.violations


def recount(folder: Path | str, *, assets: Path | None = None) -> Recount:
    """Counts a run's figures again and checks its rows. Changes nothing, needs no model.

    Args:
        folder: The run's.
        assets: Folder of the pack that it obfuscated with, to draw parameters again that name photos,
            icons …; None takes the one that ships. What the record names isn't opened.

    Raises:
        RunError: It is no run folder, or holds something else than rows.
        BenchmarkError: The record's benchmark can't be used.
        AssetError: ``assets`` is no pack.
    """
    folder = Path(folder)
    record, run = read_planned_run(folder)
    violations = Violations()
    notes = check_record(record, run, violations)
    of_kind = recounted(run, assets)
    notes += of_kind.notes
    tallies, clean = _tallied(folder, record, run, of_kind, violations)
    check_choice(record, run, clean, violations)
    _check_files(folder, run, violations)
    figures = of_kind.figures(tallies, {name: answer.label for name, answer in clean.items()})
    found = _differences(folder, of_kind, figures, violations)
    if not (folder / SUMMARY_FILE).exists():
        notes.append(
            f"{SUMMARY_FILE} isn't there yet: run the same command again to finish the run"
        )
    return Recount(
        figures=len(figures),
        rows=sum(tally.rows for tally in tallies.values()),
        differences=tuple(found),
        violations=violations.found(),
        notes=tuple(notes),
    )


def _tallied(
    folder: Path,
    record: Mapping[str, Any],
    run: PlannedRun,
    of_kind: RecountedRun,
    violations: Violations,
) -> tuple[dict[str, Tally], dict[str, CleanAnswer]]:
    """Reads and checks all rows: what each cell's add up to, and what the clean ones say by picture."""
    labels = listed_labels(record, run, read_picture_list(folder), violations)
    clean: dict[str, CleanAnswer] = {}
    tallies = {cell.name: Tally(of=of_kind.decides) for cell in run.cells}
    allowance = Allowance()
    for cell in sorted(run.cells, key=lambda cell: cell.transform != CLEAN):
        content = next(each for each in record["cells"] if each["id"] == cell.id)
        common = Expected(
            cell=cell,
            seed=run.seed,
            restarts=_number(content.get("search"), "restarts"),
            eot=_number(content, "eot"),
            classes=_classes(record, run),
            function=_is_function(record["model"]),
            clean=None if cell.transform == CLEAN else clean,
            labels=labels,
        )
        expected = of_kind.expected(common)
        for row in _rows(folder, cell, allowance, violations):
            check_row(row, expected, violations)
            tallies[cell.name].add(row)
            if cell.transform == CLEAN:
                clean[row["example_id"]] = CleanAnswer.of(row)
    return tallies, clean


def _differences(
    folder: Path, run: RecountedRun, figures: Figures, violations: Violations
) -> list[Difference]:
    """Holds figures against what ``results`` says, and both against ``summary.json`` where it is there.

    Args:
        folder: The run's.
        run: What of it is compared, and how.
        figures: Counted again.
        violations: Where broken rules go.
    """
    words: Figures = {}
    found: list[Difference] = []
    keys: Mapping[str, Any] = {}
    try:
        keys = read_run(folder).summary.to_record()
        today = run.claimed(keys)
    except RunError as error:
        violations.add("results can be counted from the rows", str(error))
    else:
        # Why a run is partial is said in words, which nobody counts: the two must say the same.
        words["partial"] = today.pop("partial")
        found += differences(figures, today, "results")
    path = folder / SUMMARY_FILE
    if not path.exists():
        return found
    content = read_json(path, written_by="unforeseen run", schema=SCHEMA_VERSION)
    claimed = run.claimed(content)
    if not words:
        claimed.pop("partial", None)
    found += differences(figures | words, claimed, SUMMARY_FILE)
    found += unknown_keys(content, keys, SUMMARY_FILE)
    if words and not run.all_counted:
        found += differences(all_values(keys), all_values(content), SUMMARY_FILE)
    return found


def _rows(
    folder: Path, cell: PlannedCell, allowance: Allowance, violations: Violations
) -> Iterator[Mapping[str, Any]]:
    """A cell's rows, each picture's first; a second one must be a mere copy."""
    first: dict[str, str] = {}
    for file in row_files(folder / "rows"):
        if cell_of(file) != cell.id:
            continue
        try:
            frame = read_rows(file)
            allowance.take(file, frame)
        except DamagedFileError as error:
            violations.add("row files are whole", f"{file.name}: {error}")
            continue
        except OSError as error:
            raise RunError(f"{file} can't be read: {error.strerror or error}.") from error
        here: set[str] = set()
        for row in frame.iter_rows(named=True):
            name = row["example_id"]
            digest = hashlib.sha256(repr(sorted(row.items())).encode()).hexdigest()
            where = f"{cell.name}, picture {name[:60]}, {file.name}"
            if name in here:
                violations.add("a file has one row of each picture", where)
            elif name in first and first[name] != digest:
                # A kill while files are put together leaves the same rows twice.
                violations.add("rows of one picture in one cell are the same", where)
            here.add(name)
            if name not in first:
                first[name] = digest
                yield row


def _check_files(folder: Path, run: PlannedRun, violations: Violations) -> None:
    known = {cell.id for cell in run.cells}
    for file in row_files(folder / "rows"):
        if cell_of(file) not in known:
            violations.add("row files are of the run's cells", file.name)


def _number(content: object, key: str) -> int:
    """A whole number of a cell's record, from 1; it is left out where it is 1."""
    value = content.get(key, 1) if isinstance(content, dict) else 1
    return value if isinstance(value, int) and value >= 1 else 1


def _classes(record: Mapping[str, Any], run: PlannedRun) -> int | None:
    """How many classes the model tells apart, or None where nothing says so."""
    classes, space = record["model"].get("classes"), run.benchmark.label_space
    if type(classes) is int and classes >= 1:
        return classes
    # Where the labels are the benchmark's, a run refuses models of another number.
    return run.benchmark.classes if space and space == record["data"].get("label_space") else None


def _is_function(model: Mapping[str, Any]) -> bool:
    """Whether a record's model is a plain function, by its name or as it has a version."""
    return model.get("code") is not None or model["uri"].startswith("function:")
