"""How a command writes a table: for the terminal, or in another format to standard output."""

__all__ = ["Format", "FormatOption", "show"]

from collections.abc import Callable
from enum import StrEnum
from typing import Annotated, TypeVar

import typer

_Content = TypeVar("_Content")


class Format(StrEnum):
    """How to write a table."""

    table = "table"
    csv = "csv"
    json = "json"
    markdown = "markdown"


FormatOption = Annotated[
    Format, typer.Option("--format", help="For the terminal, or to a file by > FILE.")
]


def show(
    content: _Content,
    output_format: Format,
    table: Callable[[_Content], None],
    *,
    csv: Callable[[_Content], str],
    json: Callable[[_Content], str],
    markdown: Callable[[_Content], str],
) -> None:
    """Prints for the terminal, or writes in another format."""
    if output_format is Format.table:
        table(content)
        return
    write = {Format.csv: csv, Format.json: json, Format.markdown: markdown}[output_format]
    typer.echo(write(content), nl=False)
