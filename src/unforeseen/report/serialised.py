"""Tables as text for programs: CSV that no spreadsheet obeys, and JSON in ASCII."""

__all__ = ["csv_text", "json_text"]

import csv
import io
import json
from collections.abc import Iterable, Sequence
from typing import Any

from unforeseen.report.grids import plain

#: Spreadsheets take text that begins with one of these for a formula.
_FORMULA = ("=", "+", "-", "@")


def csv_text(headings: Sequence[str], lines: Iterable[Iterable[object]]) -> str:
    """Writes CSV: a line of headings, then the lines; nothing at all where there is no heading.

    Text that a spreadsheet would take for a formula gets a leading apostrophe, and what could steer
    a terminal or break a line becomes a replacement character. None is empty.
    """
    buffer = io.StringIO()
    writer = csv.writer(buffer, lineterminator="\n")
    if headings:
        writer.writerow(headings)
    writer.writerows([_cell(value) for value in line] for line in lines)
    return buffer.getvalue()


def json_text(content: Any) -> str:
    """Writes JSON, indented; in ASCII, so that no terminal's or pipe's encoding can spoil it."""
    return json.dumps(content, allow_nan=False, indent=2) + "\n"


def _cell(value: object) -> str:
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, str):
        text = plain(value)
        return f"'{text}" if text.startswith(_FORMULA) else text
    return "" if value is None else str(value)
