"""Reads a run folder once more and holds it against what it claims."""

__all__ = ["Recount", "recount"]

import hashlib
import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from unforeseen.bounded_parquet import Allowance
from unforeseen.errors import RunError
from unforeseen.picture_list import PICTURES_FILE, read_picture_list
from unforeseen.planned import PlannedCell, PlannedRun
from unforeseen.record import RECORD_FILE, read_json, read_record
from unforeseen.recount.figures import Figures, Tally, figures_of
from unforeseen.recount.rule import CleanAnswer, Expected
from unforeseen.recount.rules import check_row
from unforeseen.recount.summaries import Difference, claimed_figures, differences
from unforeseen.recount.violations import Violation, Violations
from unforeseen.rowfile import DamagedFileError, cell_of, read_rows, row_files
from unforeseen.rows import CLEAN
from unforeseen.summary import SUMMARY_FILE, summarise_folder


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


def recount(folder: Path | str) -> Recount:
    """Counts a run's figures again and checks its rows. Changes nothing, needs no model.

    Args:
        folder: The run's.

    Raises:
        RunError: It is no run folder, or holds something else than rows.
        BenchmarkError: The record's benchmark can't be used.
    """
    folder = Path(folder)
    record = read_record(folder)
    run = PlannedRun.from_record(record)
    violations = Violations()
    _check_cells(record, violations)
    labels = read_picture_list(folder)
    if labels is None:
        violations.add("the run's pictures are listed", f"{PICTURES_FILE} is missing or damaged")

    clean: dict[str, CleanAnswer] = {}
    tallies = {cell.name: Tally() for cell in run.cells}
    allowance = Allowance()
    for cell in sorted(run.cells, key=lambda cell: cell.transform != CLEAN):
        content = next(each for each in record["cells"] if each["id"] == cell.id)
        expected = Expected(
            cell=cell,
            seed=run.seed,
            judging=run.benchmark.editions[run.edition].judging,
            restarts=_number(content.get("search"), "restarts"),
            eot=_number(content, "eot"),
            clean=None if cell.transform == CLEAN else clean,
            labels=labels,
        )
        for row in _rows(folder, cell, allowance, violations):
            check_row(row, expected, violations)
            tallies[cell.name].add(row)
            if cell.transform == CLEAN:
                clean[row["example_id"]] = CleanAnswer.of(row)
    _check_choice(record, run, clean, violations)
    return _compared(folder, run, tallies, violations)


def _compared(
    folder: Path, run: PlannedRun, tallies: Mapping[str, Tally], violations: Violations
) -> Recount:
    figures = figures_of(run, tallies)
    words: Figures = {}
    found: list[Difference] = []
    notes: list[str] = []
    try:
        today = claimed_figures(summarise_folder(folder).to_record())
    except RunError as error:
        violations.add("results can be counted from the rows", str(error))
    else:
        # Why a run is partial is said in words, which nobody counts: the two must say the same.
        words["partial"] = today.pop("partial")
        found += differences(figures, today, "results")
    path = folder / SUMMARY_FILE
    if path.exists():
        claimed = claimed_figures(read_json(path))
        if not words:
            claimed.pop("partial", None)
        found += differences(figures | words, claimed, SUMMARY_FILE)
    else:
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


def _check_cells(record: Mapping[str, Any], violations: Violations) -> None:
    """Holds each cell of the record against its id and against the rest of the record."""
    model = record["model"].get("fingerprint")
    for cell in record["cells"]:
        where = f"{RECORD_FILE}, {cell['transform']} {cell.get('level') or ''}".rstrip()
        identity = {key: value for key, value in cell.items() if key != "id"}
        search = cell.get("search")
        if isinstance(search, dict):
            steps = identity.pop("steps", None)
            if steps != search.get("steps") or search.get("seed") != record["seed"]:
                seen = {"steps": steps, "search": search}
                violations.add("a cell's steps and seed are those of its search", where, seen)
        canonical = json.dumps(identity, sort_keys=True, ensure_ascii=True)
        if hashlib.sha256(canonical.encode()).hexdigest()[:32] != cell["id"]:
            violations.add("a cell's id is the hash of what it is", where, {"id": cell["id"]})
        if (cell.get("model"), cell.get("preprocessing")) != (model, record.get("preprocessing")):
            seen = {"model": cell.get("model"), "preprocessing": cell.get("preprocessing")}
            violations.add("a cell's model and preprocessing are the run's", where, seen)


def _check_choice(
    record: Mapping[str, Any],
    run: PlannedRun,
    clean: Mapping[str, CleanAnswer],
    violations: Violations,
) -> None:
    """Where all chosen pictures have clean rows, they must be those that were chosen."""
    subset = hashlib.sha256("\n".join(sorted(clean)).encode()).hexdigest()[:32]
    if len(clean) > run.images:
        seen = {"rows": len(clean), "chosen": run.images}
        violations.add("there are no more pictures than were chosen", RECORD_FILE, seen)
    elif len(clean) == run.images and subset != record["data"].get("subset"):
        violations.add("the pictures are those that were chosen", RECORD_FILE, {"subset": subset})


def _number(content: object, key: str) -> int:
    """A whole number of a cell's record, from 1; it is left out where it is 1."""
    value = content.get(key, 1) if isinstance(content, dict) else 1
    return value if isinstance(value, int) and value >= 1 else 1
