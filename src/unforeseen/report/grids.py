"""Pieces that all tables for reading are made of: cells of text, grids and Markdown.

Names come from run folders, which may be a stranger's: control characters, Rich markup and
Markdown in them are shown, not obeyed.
"""

__all__ = [
    "BETWEEN_COLUMNS",
    "EDGES",
    "NOT_RUN",
    "escaped",
    "filled",
    "fitting",
    "grid",
    "markdown_table",
    "percent",
    "plain",
    "whole",
]

import re
from collections.abc import Sequence
from typing import Literal

from rich import box
from rich.table import Table
from rich.text import Text

from unforeseen.metrics import Estimate

NOT_RUN = "–"
#: Of a grid: what stands between two columns, and left and right of all.
BETWEEN_COLUMNS, EDGES = 3, 2


def plain(text: str) -> str:
    """Replaces what could steer a terminal or break a line."""
    return "".join(each if each.isprintable() else "\N{REPLACEMENT CHARACTER}" for each in text)


def escaped(text: str) -> str:
    """A text that Markdown shows as it is."""
    # Ampersand and less-than as entities: a backslash does not stop HTML everywhere.
    text = plain(text).replace("&", "&amp;").replace("<", "&lt;")
    return re.sub(r"([\\|`*\[\]>])", r"\\\1", text)


def percent(figure: Estimate | float | None, *, interval: bool = False, n: bool = False) -> str:
    """A share in percent, with its interval and number of pictures where these are wanted, or a dash."""
    if figure is None:
        return NOT_RUN
    if not isinstance(figure, Estimate):
        return f"{100 * figure:.1f}"
    text = f"{100 * figure.value:.1f}"
    if interval:
        text += f" [{100 * figure.low:.1f}, {100 * figure.high:.1f}]"
    return f"{text} n={figure.n}" if n else text


def whole(n: int | None) -> str:
    """A whole number, or a dash."""
    return NOT_RUN if n is None else str(n)


def markdown_table(lines: Sequence[Sequence[str]], *, numbers: bool = True) -> str:
    """Lines of cells, the heading first, in GitHub's Markdown; numbers stand to the right."""
    head, *body = [[escaped(cell) for cell in line] for line in lines]
    rule = ["---", *("---:" if numbers else "---" for _ in head[1:])]
    return "\n".join(f"| {' | '.join(line)} |" for line in (head, rule, *body))


def grid(lines: Sequence[Sequence[str]]) -> Table:
    """Lines of cells, the heading first, for a terminal."""
    table = Table(box=box.SIMPLE_HEAD, pad_edge=False)
    for index, heading in enumerate(lines[0]):
        justify: Literal["left", "right"] = "right" if index else "left"
        table.add_column(Text(plain(heading)), justify=justify, overflow="fold")
    return filled(table, lines)


def fitting(cells: Sequence[Sequence[str]], width: int) -> list[list[list[str]]]:
    """Cuts a table into such as fit: each has the first column and some of the others, in order."""
    widths = [max(len(plain(line[column])) for line in cells) for column in range(len(cells[0]))]
    parts: list[list[int]] = [[]]
    room = width
    for column, needed in enumerate(widths[1:], start=1):
        if parts[-1] and room < needed + BETWEEN_COLUMNS:
            parts.append([])
        if not parts[-1]:
            room = width - EDGES - widths[0]
        room -= needed + BETWEEN_COLUMNS
        parts[-1].append(column)
    return [[[line[column] for column in (0, *part)] for line in cells] for part in parts]


def filled(table: Table, lines: Sequence[Sequence[str]]) -> Table:
    """A table whose columns are there, with all lines but the heading put in."""
    for line in lines[1:]:
        table.add_row(*(Text(plain(cell)) for cell in line))
    return table
