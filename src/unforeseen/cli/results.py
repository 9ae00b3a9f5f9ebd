"""``unforeseen results``: tables of finished or unfinished runs, experiments and costs."""

__all__ = ["results"]

from collections.abc import Callable, Sequence
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, TypeVar

import typer

from unforeseen.errors import UserError

if TYPE_CHECKING:
    from unforeseen.run_folder.attack_summary import AttackSummary


_Table = TypeVar("_Table")


class Format(StrEnum):
    """How to write a table."""

    table = "table"
    csv = "csv"
    json = "json"
    markdown = "markdown"


def results(
    folders: Annotated[
        list[Path],
        typer.Argument(
            help="Run folders; several of one benchmark make one table. Or folders of experiments."
        ),
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
    """Show the figures of runs or experiments, counted from rows. Needs no model and runs none."""
    from unforeseen.experiment_folder.cost_times import is_cost

    costs = [folder for folder in folders if is_cost(folder)]
    experiments = costs or [folder for folder in folders if _has_table_of_its_own(folder)]
    if not experiments:
        _show_runs(folders, output_format, published=published, over=over or ())
        return
    if len(experiments) < len(folders):
        other = next(folder for folder in folders if folder not in experiments)
        raise UserError(
            f"expected runs and transfers, or else sweeps and seeds, or else costs; got "
            f"{experiments[0]} and {other}. Show them one after the other."
        )
    if published or over:
        option = "--published" if published else "--over"
        raise UserError(
            f"{option}: expected runs, got {experiments[0]}, which is none; give it with the folder "
            "of a run."
        )
    if costs:
        _show_costs(costs, output_format)
    else:
        _show_experiments(experiments, output_format)


def _has_table_of_its_own(folder: Path) -> bool:
    """Whether a folder holds an experiment that isn't shown as a table of runs."""
    from unforeseen.experiment_folder.record import is_experiment, read_experiment

    return is_experiment(folder) and read_experiment(folder).name != "transfer"


def _show_runs(
    folders: Sequence[Path], output_format: Format, *, published: bool, over: Sequence[str]
) -> None:
    from unforeseen.cli.output import print_tables
    from unforeseen.report.export import to_csv, to_json
    from unforeseen.report.render import to_markdown
    from unforeseen.report.tables import result_tables

    summaries = [summary for folder in folders for summary in _summaries(folder, over)]
    tables = result_tables(summaries, published=published)
    _show(tables, output_format, print_tables, csv=to_csv, json=to_json, markdown=to_markdown)


def _summaries(folder: Path, over: Sequence[str]) -> "list[AttackSummary]":
    """Of a run, or of the runs of a transfer, the source's first."""
    from unforeseen.experiment_folder.record import is_experiment
    from unforeseen.experiment_folder.transfer_runs import read_transfer
    from unforeseen.run_folder.read_run import read_attack_run

    if is_experiment(folder):
        return [each.summary for each in read_transfer(folder, over=over)]
    return [read_attack_run(folder, over=over).summary]


def _show_experiments(folders: Sequence[Path], output_format: Format) -> None:
    from unforeseen.cli.output import print_experiment
    from unforeseen.report.experiment_export import experiments_to_csv, experiments_to_json
    from unforeseen.report.experiment_render import experiments_to_markdown
    from unforeseen.report.experiment_tables import experiment_tables

    _show(
        [table for folder in folders for table in experiment_tables(folder)],
        output_format,
        print_experiment,
        csv=experiments_to_csv,
        json=experiments_to_json,
        markdown=experiments_to_markdown,
    )


def _show_costs(folders: Sequence[Path], output_format: Format) -> None:
    from unforeseen.cli.output import print_costs
    from unforeseen.experiment_folder.cost_times import read_times
    from unforeseen.report.cost_table import costs_to_csv, costs_to_json, costs_to_markdown

    _show(
        [read_times(folder) for folder in folders],
        output_format,
        print_costs,
        csv=costs_to_csv,
        json=costs_to_json,
        markdown=costs_to_markdown,
    )


def _show(
    tables: Sequence[_Table],
    output_format: Format,
    table: Callable[[Sequence[_Table]], None],
    *,
    csv: Callable[[Sequence[_Table]], str],
    json: Callable[[Sequence[_Table]], str],
    markdown: Callable[[Sequence[_Table]], str],
) -> None:
    """Prints tables for the terminal, or writes them in another format."""
    if output_format is Format.table:
        table(tables)
        return
    write = {Format.csv: csv, Format.json: json, Format.markdown: markdown}[output_format]
    typer.echo(write(tables), nl=False)
