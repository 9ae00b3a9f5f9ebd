"""What commands list, a line for each thing: for the terminal, or for programs."""

__all__ = ["Cell", "Listing", "show_listing"]

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from unforeseen.cli.formats import Format, show

if TYPE_CHECKING:
    from unforeseen.cli.output import Entry

#: Several values are a tuple; what isn't known is None.
Cell = str | float | tuple[str, ...] | None


@dataclass(frozen=True, kw_only=True)
class Listing:
    """Things of one kind.

    Attributes:
        title: Above them.
        columns: Headings of the table by the keys that programs read; the first key is ``name``.
        rows: A cell for each column.
        entries: By heading, what people read instead of the table; empty where the table will do.
    """

    title: str
    columns: Mapping[str, str]
    rows: Sequence[Sequence[Cell]]
    entries: Mapping[str, "Sequence[Entry]"] = field(default_factory=dict)


def show_listing(listing: Listing, output_format: Format) -> None:
    """Prints for the terminal, or writes in another format."""
    show(listing, output_format, _print, csv=_csv, json=_json, markdown=_markdown)


def _print(listing: Listing) -> None:
    from unforeseen.cli.output import print_entries, print_listing

    for title, entries in listing.entries.items():
        print_entries(title, entries)
    if not listing.entries:
        print_listing(listing.title, [*listing.columns.values()], _texts(listing))


def _csv(listing: Listing) -> str:
    from unforeseen.report.serialised import csv_text

    return csv_text([*listing.columns], _texts(listing))


def _json(listing: Listing) -> str:
    from unforeseen.report.serialised import json_text

    return json_text([dict(zip(listing.columns, row, strict=True)) for row in listing.rows])


def _markdown(listing: Listing) -> str:
    from unforeseen.report.grids import escaped, markdown_table

    lines = [[*listing.columns.values()], *_texts(listing)]
    return f"### {escaped(listing.title)}\n\n{markdown_table(lines, numbers=False)}\n"


def _texts(listing: Listing) -> list[list[str]]:
    return [[_text(cell) for cell in row] for row in listing.rows]


def _text(cell: Cell) -> str:
    if isinstance(cell, tuple):
        return ", ".join(cell)
    return "" if cell is None else str(cell)
