"""``unforeseen results``: tables of finished or unfinished runs, experiments and costs."""

__all__ = ["results"]

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from unforeseen.cli import obfuscation_options as options
from unforeseen.cli.formats import Format, FormatOption, show
from unforeseen.cli.joined import names_in
from unforeseen.cli.obfuscation_results import (
    ObfuscationOptions,
    show_obfuscation_seeds,
    show_obfuscations,
)
from unforeseen.errors import UserError

if TYPE_CHECKING:
    from unforeseen.run_folder.attack_summary import AttackSummary


def results(
    folders: Annotated[
        list[Path],
        typer.Argument(
            help="Run folders; several of one benchmark make one table. Or folders of experiments."
        ),
    ],
    output_format: FormatOption = Format.table,
    published: Annotated[
        bool, typer.Option("--published", help="Add the paper's rows (edition published only).")
    ] = False,
    over: Annotated[
        list[str] | None,
        typer.Option(
            metavar="NAMES",
            help="Add the mean and the worst case over these attacks, joined by commas: names, "
            "core or all; of obfuscations names, hold-out, training or all. May be given again for "
            "other sets.",
        ),
    ] = None,
    unweighted: options.Unweighted = False,
    top: options.Top = 1,
    confusion: Annotated[
        list[str] | None,
        typer.Option(
            metavar="NAMES",
            help="Of obfuscations: instead, what pictures of each class are taken for under these, "
            "joined by commas; may be given again: names, clean or all.",
        ),
    ] = None,
    plot: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE.png", help="With --confusion: also draw heat maps.", dir_okay=False
        ),
    ] = None,
    positive: options.Positive = None,
    threshold: options.Threshold = None,
) -> None:
    """Show the figures of runs or experiments, counted from rows. Needs no model and runs none."""
    from unforeseen.experiment_folder.cost_times import is_cost

    asked = ObfuscationOptions(
        unweighted=unweighted,
        top=top,
        confusion=names_in(confusion),
        plot=plot,
        positive=positive,
        threshold=threshold,
    )
    costs = [folder for folder in folders if is_cost(folder)]
    experiments = costs or [folder for folder in folders if _has_table_of_its_own(folder)]
    if not experiments:
        _show_runs(folders, output_format, asked, published=published, over=over or ())
        return
    if len(experiments) < len(folders):
        other = next(folder for folder in folders if folder not in experiments)
        raise UserError(
            f"expected runs and transfers, or else sweeps and seeds, or else costs; got "
            f"{experiments[0]} and {other}. Show them one after the other."
        )
    if not costs and _all_of_obfuscations(experiments):
        _refuse_published(published=published)
        show_obfuscation_seeds(experiments, output_format, asked, over=over or ())
        return
    option = "--published" if published else "--over" if over else asked.given
    if option is not None:
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
    folders: Sequence[Path],
    output_format: Format,
    asked: ObfuscationOptions,
    *,
    published: bool,
    over: Sequence[str],
) -> None:
    """Of one kind of benchmark; raises UserError where they are of both."""
    if not _all_of_obfuscations(folders):
        if asked.given is not None:
            raise UserError(
                f"{asked.given}: expected runs of obfuscations, got {folders[0]}, which is none."
            )
        _show_attacks(folders, output_format, published=published, over=over)
        return
    _refuse_published(published=published)
    show_obfuscations(folders, output_format, asked, over=over)


def _refuse_published(*, published: bool) -> None:
    if published:
        raise UserError(
            "--published: expected runs of attacks; the other paper prints its figures in plots only."
        )


def _all_of_obfuscations(folders: Sequence[Path]) -> bool:
    """Whether folders are of obfuscations; raises UserError where only some of them are."""
    obfuscated = [folder for folder in folders if _is_of_obfuscations(folder)]
    if obfuscated and len(obfuscated) < len(folders):
        other = next(folder for folder in folders if folder not in obfuscated)
        raise UserError(
            f"expected runs of obfuscations or of attacks; got {obfuscated[0]} and {other}. Show them "
            "one after the other."
        )
    return bool(obfuscated)


def _is_of_obfuscations(folder: Path) -> bool:
    """Of a run or an experiment; raises RunError where it holds neither."""
    from unforeseen.experiment_folder.obfuscation_points import is_of_obfuscations
    from unforeseen.experiment_folder.record import is_experiment, read_experiment
    from unforeseen.run_folder.planned_kinds import read_planned_run
    from unforeseen.run_folder.planned_obfuscations import PlannedObfuscationRun

    if is_experiment(folder):
        experiment = read_experiment(folder)
        return experiment.name == "seeds" and is_of_obfuscations(folder, experiment)
    return isinstance(read_planned_run(folder).planned, PlannedObfuscationRun)


def _show_attacks(
    folders: Sequence[Path], output_format: Format, *, published: bool, over: Sequence[str]
) -> None:
    from unforeseen.cli.output import print_tables
    from unforeseen.report.export import to_csv, to_json
    from unforeseen.report.render import to_markdown
    from unforeseen.report.tables import result_tables

    summaries = [summary for folder in folders for summary in _summaries(folder, over)]
    tables = result_tables(summaries, published=published)
    show(tables, output_format, print_tables, csv=to_csv, json=to_json, markdown=to_markdown)


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

    show(
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

    show(
        [read_times(folder) for folder in folders],
        output_format,
        print_costs,
        csv=costs_to_csv,
        json=costs_to_json,
        markdown=costs_to_markdown,
    )
