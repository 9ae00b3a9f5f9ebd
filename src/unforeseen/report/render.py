"""Tables for reading: on a terminal and as Markdown. Percent, one decimal, 95 % intervals.

Names come from run folders, which may be a stranger's: control characters, Rich markup and
Markdown in them are shown, not obeyed.
"""

__all__ = ["plain", "to_markdown", "to_rich"]

import re
from collections.abc import Iterable, Sequence
from typing import Literal

from rich import box
from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from unforeseen.errors import one_line
from unforeseen.metrics import Estimate
from unforeseen.report.tables import Figure, ResultTable

#: From this width on a run is a line with its name; below, figures go down and runs across while
#: they fit, and beyond that runs are numbered.
_WIDE = 132
_WIDTH_OF_RUN = 28
_WIDTH_OF_FIGURE = 5
#: Of a grid: what stands between two columns, and left and right of all.
_BETWEEN_COLUMNS, _EDGES = 3, 2
#: Shorter names of models would all look alike.
_SHORTEST_NAME = 16

_NOT_RUN = "–"


def to_rich(tables: Iterable[ResultTable], *, width: int) -> RenderableType:
    """Makes something a :class:`rich.console.Console` prints.

    Args:
        tables: As made by :func:`unforeseen.report.tables.result_tables`.
        width: Of the terminal in characters; it decides how a table is laid out.
    """
    parts: list[RenderableType] = []
    for table in tables:
        parts.append(Text(plain(table.title), style="bold"))
        parts += [Text(plain(note), style="yellow") for note in table.notes]
        if width >= _WIDE:
            parts.append(_grid(_lines(table)))
        elif len(table.rows) <= max(1, width // _WIDTH_OF_RUN):
            parts.append(_grid(_turned(table)))
        else:
            parts += [Text(plain(line)) for line in _legend(table)]
            parts.append(_narrow_grid(_numbered(table)))
        if table.sets:
            parts.append(_grid_of_sets(_over_sets(table), width))
    return Group(*parts)


def to_markdown(tables: Iterable[ResultTable]) -> str:
    """Writes tables in GitHub's Markdown, each under a heading and its notes."""
    blocks = []
    for table in tables:
        blocks.append(f"### {_escaped(table.title)}")
        blocks += map(_escaped, table.notes)
        blocks.append(_markdown_table(_lines(table)))
        if table.sets:
            blocks.append(_markdown_table(_over_sets(table)))
    return "\n\n".join(blocks) + "\n"


def plain(text: str) -> str:
    """Replaces what could steer a terminal or break a line."""
    return "".join(each if each.isprintable() else "\N{REPLACEMENT CHARACTER}" for each in text)


def _lines(table: ResultTable) -> list[list[str]]:
    """Heading and rows: a run a line; UA2 has its interval."""
    lines = [["Model", "n", *table.columns.values()]]
    for label, row in zip(table.model_labels, table.rows, strict=True):
        figures = [_percent(row.figures.get(key), interval=key == "ua2") for key in table.columns]
        lines.append([label, _number(row.n), *figures])
    return lines


def _turned(table: ResultTable) -> list[list[str]]:
    """Heading and rows: a figure a line, all with intervals and n."""
    lines = [["", *table.model_labels]]
    for key, heading in table.columns.items():
        figures = [row.figures.get(key) for row in table.rows]
        lines.append([heading, *(_percent(each, interval=True, n=True) for each in figures)])
    return lines


def _legend(table: ResultTable) -> list[str]:
    """The names behind the numbers of a numbered table, with UA2's interval."""
    legend = []
    for number, (label, row) in enumerate(
        zip(table.model_labels, table.rows, strict=True), start=1
    ):
        ua2 = row.figures.get("ua2")
        shown = f": UA2 {_percent(ua2, interval=True, n=True)}" if row.summary and ua2 else ""
        legend.append(f"{number:>2} {label}{shown}")
    return legend


def _numbered(table: ResultTable) -> list[list[str]]:
    """Heading and rows: a run a line, by number and without intervals."""
    lines = [["", *table.columns.values()]]
    for number, row in enumerate(table.rows, start=1):
        lines.append([str(number), *(_percent(row.figures.get(key)) for key in table.columns)])
    return lines


def _over_sets(table: ResultTable) -> list[list[str]]:
    """Heading and rows: a run and a set of attacks a line."""
    lines = [["Model", "Over", "n", "Mean", "Worst"]]
    for label, row in zip(table.model_labels, table.rows, strict=True):
        if row.summary is None:
            continue
        for each in table.sets:
            figures = [row.figures.get(f"{kind}:{each.name}") for kind in ("mean", "worst")]
            n = next((figure.n for figure in figures if isinstance(figure, Estimate)), None)
            shown = [_percent(figure, interval=True) for figure in figures]
            lines.append([label, each.name.replace("+", ", "), _number(n), *shown])
    return lines


def _markdown_table(lines: Sequence[Sequence[str]]) -> str:
    head, *body = [[_escaped(cell) for cell in line] for line in lines]
    rule = ["---", *("---:" for _ in head[1:])]
    return "\n".join(f"| {' | '.join(line)} |" for line in (head, rule, *body))


def _grid(lines: Sequence[Sequence[str]]) -> Table:
    grid = Table(box=box.SIMPLE_HEAD, pad_edge=False)
    for index, heading in enumerate(lines[0]):
        justify: Literal["left", "right"] = "right" if index else "left"
        grid.add_column(Text(plain(heading)), justify=justify, overflow="fold")
    return _filled(grid, lines)


def _grid_of_sets(lines: Sequence[Sequence[str]], width: int) -> Table:
    """Names of models give way, cut in their middle, then sets at their commas; figures never."""
    widths = [max(len(plain(line[column])) for line in lines) for column in range(len(lines[0]))]
    room = width - sum(widths[1:]) - _BETWEEN_COLUMNS * (len(widths) - 1) - _EDGES
    longest = max(_SHORTEST_NAME, room)
    grid = Table(box=box.SIMPLE_HEAD, pad_edge=False)
    for index, heading in enumerate(lines[0]):
        justify: Literal["left", "right"] = "right" if index else "left"
        grid.add_column(Text(heading), justify=justify, no_wrap=index != 1)
    return _filled(grid, [[one_line(name, longest=longest), *rest] for name, *rest in lines])


def _narrow_grid(lines: Sequence[Sequence[str]]) -> Table:
    grid = Table(box=box.SIMPLE_HEAD, pad_edge=False, padding=0)
    for index, heading in enumerate(lines[0]):
        short = _shortened(plain(heading))
        longest = max((len(word) for word in short.split()), default=0)
        width = max(_WIDTH_OF_FIGURE, longest) if index else len(str(len(lines)))
        grid.add_column(Text(short), justify="right", overflow="fold", width=width)
    return _filled(grid, lines)


def _shortened(heading: str) -> str:
    """At most seven letters a word; longer ones as the paper prints "Kal."."""
    return " ".join(word if len(word) <= 7 else f"{word[:3]}." for word in heading.split())


def _filled(grid: Table, lines: Sequence[Sequence[str]]) -> Table:
    for line in lines[1:]:
        grid.add_row(*(Text(plain(cell)) for cell in line))
    return grid


def _percent(figure: Figure, *, interval: bool = False, n: bool = False) -> str:
    if figure is None:
        return _NOT_RUN
    if not isinstance(figure, Estimate):
        return f"{100 * figure:.1f}"
    text = f"{100 * figure.value:.1f}"
    if interval:
        text += f" [{100 * figure.low:.1f}, {100 * figure.high:.1f}]"
    return f"{text} n={figure.n}" if n else text


def _number(n: int | None) -> str:
    return _NOT_RUN if n is None else str(n)


def _escaped(text: str) -> str:
    # Ampersand and less-than as entities: a backslash does not stop HTML everywhere.
    text = plain(text).replace("&", "&amp;").replace("<", "&lt;")
    return re.sub(r"([\\|`*\[\]>])", r"\\\1", text)
