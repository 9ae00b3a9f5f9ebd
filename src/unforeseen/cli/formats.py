"""How a command writes what it counts: for the terminal, in another format, or as a picture."""

__all__ = ["Format", "FormatOption", "png_file", "show"]

from collections.abc import Callable
from enum import StrEnum
from pathlib import Path
from typing import Annotated, TypeVar

import typer

from unforeseen.errors import UserError
from unforeseen.uri import path_to_write

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


def png_file(path: Path, option: str) -> Path:
    """Where a picture goes; raises UserError where the name says it is something else."""
    path = path_to_write(option, path)
    if path.suffix.lower() != ".png":
        raise UserError(f"{option}: expected a file that ends in .png, got {path}.")
    return path
