"""One transform at one level in several run folders: each picture is searched for once, for all."""

__all__ = ["run_cells"]

from collections.abc import Sequence

from torch import Tensor

from unforeseen.rows import Row
from unforeseen.run_folder.runlog import RunLog
from unforeseen.running.cell_kinds import AttackedCell
from unforeseen.running.cell_run import CellRun
from unforeseen.running.open_run import OpenCell
from unforeseen.running.reporter import Reporter


def run_cells(
    cells: Sequence[OpenCell],
    chosen: Sequence[tuple[int, str]],
    made: CellRun,
    *,
    log: RunLog,
    reporter: Reporter,
) -> int:
    """Runs what is missing of one transform at one level, in all folders.

    Args:
        cells: One of each folder.
        chosen: Index and id of every picture.
        made: Makes rows.
        log: Where all clean rows are.
        reporter: Who watches.

    Returns:
        How many judged pictures of rows that were there aren't kept, though they should be.
    """
    names = [name for _, name in chosen]
    for cell in cells:
        cell.take_from(cells, names)
    cells = sorted(cells, key=lambda cell: -cell.steps)
    # A picture's trajectory is as long as the longest search that it has no row of.
    missing: dict[OpenCell, list[tuple[int, str]]] = {}
    for index, name in chosen:
        longest = next((cell for cell in cells if cell.lacks(name)), None)
        if longest is not None:
            missing.setdefault(longest, []).append((index, name))
    for longest in [cell for cell in cells if cell in missing] or cells[:1]:
        reporter.cell_begins(longest.cell, total=len(chosen), done=longest.verdicts(names))
        if longest in missing:
            _run_trajectory(longest, cells, missing[longest], made, log, reporter)
        reporter.cell_ends()
    return sum(cell.unsaved for cell in cells)


def _run_trajectory(
    longest: OpenCell,
    cells: Sequence[OpenCell],
    items: Sequence[tuple[int, str]],
    made: CellRun,
    log: RunLog,
    reporter: Reporter,
) -> None:
    """Runs one cell on pictures that it lacks; the shorter ones get their rows on the way."""
    shorter = {
        cell.steps: cell.cell
        for cell in cells
        if isinstance(cell.cell, AttackedCell)
        and cell.steps < longest.steps
        and any(cell.lacks(name) for _, name in items)
    }

    def keep(row: Row, picture: Tensor) -> None:
        for cell in cells:
            cell.keep(row, picture)

    rows = made.rows(longest.cell, items, log, shorter=[*shorter.values()], keep=keep)
    for row in rows:
        taken = [cell for cell in cells if cell.take(row)]
        if longest in taken:
            reporter.row(row)
    for cell in cells:
        cell.close()
