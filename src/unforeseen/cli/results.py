"""``unforeseen results``: tables of finished or unfinished runs."""

__all__ = ["results"]

from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer


class Format(StrEnum):
    """How to write a table."""

    table = "table"
    csv = "csv"
    json = "json"
    markdown = "markdown"


def results(
    folders: Annotated[
        list[Path],
        typer.Argument(help="Run folders; several of one benchmark make one table."),
    ],
    output_format: Annotated[
        Format, typer.Option("--format", help="For the terminal, or to a file by > FILE.")
    ] = Format.table,
    published: Annotated[
        bool, typer.Option("--published", help="Add the paper's rows (edition published only).")
    ] = False,
    over: Annotated[
        list[str] | None,
        typer.Option(
            metavar="NAMES",
            help="Add the mean and the worst case over these attacks, joined by commas: names, "
            "core or all. May be given again for other sets.",
        ),
    ] = None,
) -> None:
    """Show the figures of runs, counted from their rows. Needs no model and runs none."""
    from unforeseen.cli.output import print_tables
    from unforeseen.report.export import to_csv, to_json
    from unforeseen.report.render import to_markdown
    from unforeseen.report.tables import result_tables
    from unforeseen.run_folder.summary import summarise_folder

    summaries = [summarise_folder(folder, over=over or ()) for folder in folders]
    if output_format is Format.table:
        print_tables(summaries, published=published)
        return
    write = {Format.csv: to_csv, Format.json: to_json, Format.markdown: to_markdown}[output_format]
    typer.echo(write(result_tables(summaries, published=published)), nl=False)
