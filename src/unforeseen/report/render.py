"""Tables for reading: on a terminal and as Markdown. Percent, one decimal, 95 % intervals."""

__all__ = ["to_markdown", "to_rich"]

from collections.abc import Iterable, Sequence
from typing import Literal

from rich import box
from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from unforeseen.metrics import Estimate
from unforeseen.report.grids import (
    BETWEEN_COLUMNS,
    EDGES,
    escaped,
    filled,
    grid,
    markdown_table,
    percent,
    plain,
    whole,
)
from unforeseen.report.tables import ResultTable

#: From this width on a run is a line with its name; below, figures go down and runs across while
#: they fit, and beyond that runs are numbered.
_WIDE = 132
_WIDTH_OF_RUN = 28
_WIDTH_OF_FIGURE = 5


def to_rich(tables: Iterable[ResultTable], *, width: int) -> RenderableType:
    """Makes something a :class:`rich.console.Console` prints.

    Args:
        tables: As made by :func:`unforeseen.report.tables.result_tables`.
        width: Of the terminal in characters; it decides how a table is laid out.
    """
    parts: list[RenderableType] = []
    for table in tables:
        legend = [Text(plain(line)) for line in _legend(table)]
        parts.append(Text(plain(table.title), style="bold"))
        parts += [Text(plain(note), style="yellow") for note in table.notes]
        numbered = width < _WIDE and len(table.rows) > max(1, width // _WIDTH_OF_RUN)
        if numbered:
            parts += [*legend, _narrow_grid(_numbered(table))]
        else:
            parts.append(grid(_lines(table) if width >= _WIDE else _turned(table)))
        if table.sets and _width(_over_sets(table, table.model_labels)) <= width:
            parts.append(_grid_of_sets(_over_sets(table, table.model_labels)))
        elif table.sets:
            # Names that there is no room for become numbers; then sets give way at their commas.
            parts += [] if numbered else legend
            numbers = [str(number + 1) for number in range(len(table.rows))]
            parts.append(_grid_of_sets(_over_sets(table, numbers)))
    return Group(*parts)


def to_markdown(tables: Iterable[ResultTable]) -> str:
    """Writes tables in GitHub's Markdown, each under a heading and its notes."""
    blocks = []
    for table in tables:
        blocks.append(f"### {escaped(table.title)}")
        blocks += map(escaped, table.notes)
        blocks.append(markdown_table(_lines(table)))
        if table.sets:
            blocks.append(markdown_table(_over_sets(table, table.model_labels)))
    return "\n\n".join(blocks) + "\n"


def _lines(table: ResultTable) -> list[list[str]]:
    """Heading and rows: a run a line; UA2 has its interval."""
    lines = [["Model", "n", *table.columns.values()]]
    for label, row in zip(table.model_labels, table.rows, strict=True):
        figures = [percent(row.figures.get(key), interval=key == "ua2") for key in table.columns]
        lines.append([label, whole(row.n), *figures])
    return lines


def _turned(table: ResultTable) -> list[list[str]]:
    """Heading and rows: a figure a line, all with intervals and n."""
    lines = [["", *table.model_labels]]
    for key, heading in table.columns.items():
        figures = [row.figures.get(key) for row in table.rows]
        lines.append([heading, *(percent(each, interval=True, n=True) for each in figures)])
    return lines


def _legend(table: ResultTable) -> list[str]:
    """The names behind the numbers of a numbered table, with UA2's interval."""
    legend = []
    for number, (label, row) in enumerate(
        zip(table.model_labels, table.rows, strict=True), start=1
    ):
        ua2 = row.figures.get("ua2")
        shown = f": UA2 {percent(ua2, interval=True, n=True)}" if row.summary and ua2 else ""
        legend.append(f"{number:>2} {label}{shown}")
    return legend


def _numbered(table: ResultTable) -> list[list[str]]:
    """Heading and rows: a run a line, by number and without intervals."""
    lines = [["", *table.columns.values()]]
    for number, row in enumerate(table.rows, start=1):
        lines.append([str(number), *(percent(row.figures.get(key)) for key in table.columns)])
    return lines


def _over_sets(table: ResultTable, names: Sequence[str]) -> list[list[str]]:
    """Heading and rows: a run and a set of attacks a line."""
    lines = [["Model", "Over", "n", "Mean", "Worst"]]
    for name, row in zip(names, table.rows, strict=True):
        if row.summary is None:
            continue
        for each in table.sets:
            figures = [row.figures.get(f"{kind}:{each.name}") for kind in ("mean", "worst")]
            n = next((figure.n for figure in figures if isinstance(figure, Estimate)), None)
            shown = [percent(figure, interval=True) for figure in figures]
            lines.append([name, each.name.replace("+", ", "), whole(n), *shown])
    return lines


def _width(lines: Sequence[Sequence[str]]) -> int:
    """Of a grid on a terminal, in characters."""
    widths = [max(len(plain(line[column])) for line in lines) for column in range(len(lines[0]))]
    return sum(widths) + BETWEEN_COLUMNS * (len(widths) - 1) + EDGES


def _grid_of_sets(lines: Sequence[Sequence[str]]) -> Table:
    made = Table(box=box.SIMPLE_HEAD, pad_edge=False)
    for index, heading in enumerate(lines[0]):
        justify: Literal["left", "right"] = "right" if index else "left"
        made.add_column(Text(heading), justify=justify, no_wrap=index != 1)
    return filled(made, lines)


def _narrow_grid(lines: Sequence[Sequence[str]]) -> Table:
    made = Table(box=box.SIMPLE_HEAD, pad_edge=False, padding=0)
    for index, heading in enumerate(lines[0]):
        short = _shortened(plain(heading))
        longest = max((len(word) for word in short.split()), default=0)
        width = max(_WIDTH_OF_FIGURE, longest) if index else len(str(len(lines)))
        made.add_column(Text(short), justify="right", overflow="fold", width=width)
    return filled(made, lines)


def _shortened(heading: str) -> str:
    """At most seven letters a word; longer ones as the paper prints "Kal."."""
    return " ".join(word if len(word) <= 7 else f"{word[:3]}." for word in heading.split())
