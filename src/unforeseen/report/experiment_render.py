"""Tables of experiments for reading: on a terminal and as Markdown. Percent, one decimal.

Of a sweep attacks go down and values across; of seeds each is a line, below them the mean and the
standard deviation.
"""

__all__ = ["about_intervals", "experiments_to_markdown", "experiments_to_rich"]

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from rich.console import Group, RenderableType
from rich.text import Text

from unforeseen.metrics import Estimate, Spread
from unforeseen.report.experiment_tables import Block, ExperimentTable, Line
from unforeseen.report.grids import (
    NOT_RUN,
    escaped,
    fitting,
    grid,
    markdown_table,
    percent,
    plain,
)

_Cells = list[list[str]]

MEAN, DEVIATION = "mean", "standard deviation"


class _Part(NamedTuple):
    """A heading, empty where none is needed, and the lines below it."""

    heading: str
    cells: _Cells


def experiments_to_rich(tables: Iterable[ExperimentTable], *, width: int) -> RenderableType:
    """Makes something a :class:`rich.console.Console` prints.

    Args:
        tables: As made by :func:`unforeseen.report.experiment_tables.experiment_tables`.
        width: Of the terminal in characters; what is wider goes on below.
    """
    parts: list[RenderableType] = []
    for table in tables:
        parts.append(Text(plain(table.title), style="bold"))
        parts += [Text(plain(note), style="yellow") for note in table.notes]
        for part in _parts(table):
            if part.heading:
                parts.append(Text(f"\n{plain(part.heading)}", style="bold"))
            parts += [grid(cells) for cells in fitting(part.cells, width)]
        parts.append(Text(plain(_about_intervals(table))))
    return Group(*parts)


def experiments_to_markdown(tables: Iterable[ExperimentTable]) -> str:
    """Writes tables in GitHub's Markdown, each under a heading and its notes."""
    blocks = []
    for table in tables:
        blocks.append(f"### {escaped(table.title)}")
        blocks += map(escaped, table.notes)
        for part in _parts(table):
            blocks += [escaped(part.heading)] * bool(part.heading)
            blocks.append(markdown_table(part.cells))
        blocks.append(escaped(_about_intervals(table)))
    return "\n\n".join(blocks) + "\n"


def about_intervals(figures: Iterable[Estimate | None]) -> str:
    """How far intervals reach at most, for which a table of many columns has no room.

    Args:
        figures: All of the table's; None where one wasn't run.
    """
    furthest = max(
        (
            max(each.high - each.value, each.value - each.low)
            for each in figures
            if each is not None
        ),
        default=None,
    )
    if furthest is None:
        return "Nothing was measured yet."
    return (
        f"Percent. 95 % intervals, by the choice of pictures, reach up to {100 * furthest:.1f} points "
        "from their figure; each is in --format csv and json."
    )


def _parts(table: ExperimentTable) -> list[_Part]:
    cells = _of_seeds if table.experiment == "seeds" else _of_sweep
    parts = [_Part(_heading(table, block), cells(table, block)) for block in table.blocks]
    if table.choices:
        parts.insert(1, _chosen(table))
    return parts


def _heading(table: ExperimentTable, block: Block) -> str:
    if len(table.blocks) == 1:
        return ""
    return block.model or f"Mean over {len(table.models)} models"


def _of_sweep(table: ExperimentTable, block: Block) -> _Cells:
    lines = [[table.unit, *table.headings]]
    lines += [[line.heading, *map(percent, line.figures)] for line in block.lines]
    return lines


def _of_seeds(table: ExperimentTable, block: Block) -> _Cells:
    lines = sorted(block.lines, key=lambda line: ("clean", "mean", "attack").index(line.kind))
    cells = [[table.unit, *(line.heading for line in lines)]]
    for index, heading in enumerate(table.headings):
        cells.append([heading, *(percent(line.figures[index]) for line in lines)])
    cells.append(
        [MEAN, *(NOT_RUN if s is None else f"{100 * s.mean:.2f}" for s in _spreads(lines))]
    )
    cells.append([DEVIATION, *map(_deviation, _spreads(lines))])
    return cells


def _spreads(lines: Sequence[Line]) -> list[Spread | None]:
    return [line.spread for line in lines]


def _deviation(found: Spread | None) -> str:
    return NOT_RUN if found is None or found.deviation is None else f"{100 * found.deviation:.2f}"


def _chosen(table: ExperimentTable) -> _Part:
    if table.experiment == "steps":
        heading = "Smallest number of steps within 10 % of the lowest accuracy (appendix A)"
    else:
        heading = "Step size with the lowest accuracy"
    cells = [["", table.unit, "accuracy", "lowest"]]
    for each in table.choices:
        value = table.headings[table.values.index(each.value)]
        if each.at_the_end:
            value += " (at the end of those run; accuracy may fall further)"
        cells.append([each.heading, value, percent(each.accuracy), percent(each.lowest)])
    return _Part(heading, cells)


def _about_intervals(table: ExperimentTable) -> str:
    return about_intervals(
        figure for block in table.blocks for line in block.lines for figure in line.figures
    )
