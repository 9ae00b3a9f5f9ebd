"""Tables of obfuscation runs for reading: on a terminal and as Markdown. Percent, one decimal."""

__all__ = ["obfuscations_to_markdown", "obfuscations_to_rich"]

from collections import Counter
from collections.abc import Iterable

from rich.console import Group, RenderableType
from rich.text import Text

from unforeseen.report.grids import (
    escaped,
    fitting,
    grid,
    markdown_table,
    percent,
    plain,
    whole,
)
from unforeseen.report.obfuscation_tables import ObfuscationTable
from unforeseen.run_folder.obfuscation_figures import Weighting


def obfuscations_to_rich(
    tables: Iterable[ObfuscationTable], weighting: Weighting, *, width: int
) -> RenderableType:
    """Makes something a :class:`rich.console.Console` prints.

    Args:
        tables: As made by :func:`unforeseen.report.obfuscation_tables.obfuscation_tables`.
        weighting: Which figures are shown.
        width: Of the terminal in characters; names that leave runs no room beside each other become letters, and
            runs that find no room even so go on below.
    """
    parts: list[RenderableType] = []
    for table in tables:
        shown = _side_by_side(table, weighting, width)
        parts.append(Text(plain(table.title(weighting)), style="bold"))
        for line, name, short in zip(
            _headlines(table, weighting), table.columns, shown.columns, strict=True
        ):
            parts.append(Text(plain(line if name == short else f"{short} = {line}"), style="bold"))
        parts += [Text(plain(note), style="yellow") for note in (shown.origin, *shown.notes)]
        parts += [grid(cells) for cells in fitting(_cells(shown, weighting), width)]
        parts.append(Text(_about_intervals(weighting)))
    return Group(*parts)


def obfuscations_to_markdown(tables: Iterable[ObfuscationTable], weighting: Weighting) -> str:
    """Writes tables in GitHub's Markdown, each under a heading, its headlines and its notes."""
    blocks = []
    for table in tables:
        blocks.append(f"### {escaped(table.title(weighting))}")
        blocks += [f"**{escaped(line)}**" for line in _headlines(table, weighting)]
        blocks += map(escaped, (table.origin, *table.notes))
        blocks.append(markdown_table(_cells(table, weighting)))
        blocks.append(escaped(_about_intervals(weighting)))
    return "\n\n".join(blocks) + "\n"


def _side_by_side(table: ObfuscationTable, weighting: Weighting, width: int) -> ObfuscationTable:
    """The table, with letters for names that leave runs no room beside each other."""
    lettered = table.lettered()
    parts, fewer = (len(fitting(_cells(each, weighting), width)) for each in (table, lettered))
    return lettered if fewer < parts else table


def _headlines(table: ObfuscationTable, weighting: Weighting) -> Iterable[str]:
    """The figure that sums each run up, before all else."""
    for name, figure in table.headlines(weighting):
        shown = "not run" if figure is None else percent(figure, interval=True, n=True)
        yield f"{name} {shown}"


def _cells(table: ObfuscationTable, weighting: Weighting) -> list[list[str]]:
    """Heading and lines: a figure a line, with its interval, and n where it isn't the run's."""
    usual = [_pictures(table, column, weighting) for column in range(len(table.columns))]
    cells = [["", *table.columns], ["Pictures", *map(whole, usual)]]
    for line in table.lines:
        figures = [each.by(weighting) for each in line.figures]
        shown = [
            percent(figure, interval=True, n=figure is not None and figure.n != n)
            for figure, n in zip(figures, usual, strict=True)
        ]
        cells.append([line.heading, *shown])
    return cells


def _pictures(table: ObfuscationTable, column: int, weighting: Weighting) -> int | None:
    """How many pictures most figures of a column are of."""
    figures = [line.figures[column].by(weighting) for line in table.lines]
    numbers = Counter(each.n for each in figures if each is not None)
    return numbers.most_common(1)[0][0] if numbers else None


def _about_intervals(weighting: Weighting) -> str:
    drawn = "pictures drawn again within their class; Wilson's where these are all alike"
    if weighting == "unweighted":
        drawn = "Wilson's, those of means from pictures drawn again"
    return f"Percent, with 95 % intervals ({drawn})."
