"""``unforeseen recount``: the figures again, by another path, and whether the rows are consistent."""

__all__ = ["recount"]

from collections.abc import Sequence
from itertools import chain
from pathlib import Path
from typing import Annotated

import typer

#: Exit code of a recount that doesn't agree; 2 stays for what can't be read at all.
DIFFERENT = 1


def recount(
    folders: Annotated[
        list[Path],
        typer.Argument(help="Run folders, or folders of experiments: each of their runs."),
    ],
    assets: Annotated[
        Path | None,
        typer.Option(
            metavar="DIR",
            help="Folder of the pack that runs obfuscated with, so that parameters that name photos, icons "
            "… are drawn again too. [default: the one that ships]",
            file_okay=False,
        ),
    ] = None,
) -> None:
    """Count the figures of runs again, and check their rows.

    By another path than results, from the rows alone. Compares with summary.json and with what
    results says. Draws again what was drawn to obfuscate pictures. Exit code 1 where a figure differs or
    rows contradict each other, run.json or pictures.parquet. Needs no model and changes nothing.
    """
    from unforeseen.cli.check_output import print_recount
    from unforeseen.recount import recount as recount_folder
    from unforeseen.uri import path_of

    agree = True
    for folder in chain.from_iterable(map(_runs_of, folders)):
        result = recount_folder(folder, assets=None if assets is None else path_of(str(assets)))
        print_recount(str(folder), result)
        agree = agree and result.agrees
    if not agree:
        raise typer.Exit(DIFFERENT)


def _runs_of(folder: Path) -> Sequence[Path]:
    """The runs of an experiment that were begun; of any other folder itself."""
    from unforeseen.experiment_folder.record import begun_runs, is_experiment, read_experiment

    if not is_experiment(folder):
        return [folder]
    return [path for _, path in begun_runs(folder, read_experiment(folder))]
