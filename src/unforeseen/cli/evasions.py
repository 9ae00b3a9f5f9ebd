"""``unforeseen evasions``: which pictures got through, and by what."""

__all__ = ["evasions"]

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from unforeseen.cli import obfuscation_options as options
from unforeseen.cli.making_progress import MakingProgress, waiting
from unforeseen.cli.options import Assets
from unforeseen.errors import UserError
from unforeseen.stage_reporter import in_one
from unforeseen.uri import path_of, path_to_write

if TYPE_CHECKING:
    from collections.abc import Sequence

    from unforeseen.report.evasion_list import Evasion
    from unforeseen.run_folder.read_run import ReadObfuscationRun

LIST_FILE, SHEET_FILE = "evasions.csv", "evasions.png"
#: A taller sheet is none that a program shows.
_MOST_PICTURES = 100


def evasions(
    run: Annotated[Path, typer.Argument(help="Run folder of a benchmark of obfuscations.")],
    data: Annotated[
        str | None,
        typer.Option(
            metavar="URI",
            help="Where the run's pictures lie now. [default: what the run's record says, a path as "
            "seen from here]",
        ),
    ] = None,
    assets: Assets = None,
    positive: options.Positive = None,
    threshold: options.Threshold = None,
    out: Annotated[
        Path | None,
        typer.Option(
            metavar="DIR", help="Where both files go. [default: the run folder]", file_okay=False
        ),
    ] = None,
    pictures: Annotated[
        int, typer.Option(metavar="N", help="Lines of the sheet at most; 0 draws none.")
    ] = 24,
) -> None:
    """List the pictures that got through, and draw the worst of them.

    Writes evasions.csv (a line for each picture and obfuscation, with the parameters that did it) and
    evasions.png (first what passes under the most obfuscations). Without --positive, what got through
    was classified right as it is and wrong once obfuscated; with it, it is a picture of that class, flagged
    as it is and no longer once obfuscated. Loads no model.
    """
    from unforeseen.cli.output import print_evasions, say
    from unforeseen.counted import counted
    from unforeseen.files.atomic import save_file
    from unforeseen.positive_class import Filter
    from unforeseen.report.evasion_list import evasion_list_to_csv, list_evasions
    from unforeseen.report.evasion_table import evasion_table
    from unforeseen.run_folder.picture_list import read_picture_list
    from unforeseen.run_folder.read_run import read_obfuscation_run
    from unforeseen.whole import whole_number

    wanted = Filter.asked(positive, threshold)
    at_most = whole_number("pictures", pictures, minimum=0, maximum=_MOST_PICTURES)
    folder = run if out is None else path_to_write("--out", out)
    read = read_obfuscation_run(run)
    table = evasion_table([read], wanted)
    found = list_evasions(read, read_picture_list(run) or (), wanted)
    print_evasions(table)
    save_file(folder / LIST_FILE, evasion_list_to_csv(found).encode())
    passed = len({each.example_id for each in found})
    say(
        f"{counted(passed, 'picture')} got through, {counted(len(found), 'time')} in all: "
        f"{folder / LIST_FILE}"
    )
    # One of an earlier call would show others than the list.
    (folder / SHEET_FILE).unlink(missing_ok=True)
    if not found or not at_most:
        return
    try:
        _draw(
            folder / SHEET_FILE,
            read,
            found,
            title=f"{read.summary.model} on {read.summary.data}\n{table.title}\nThe worst of "
            f"{counted(passed, 'picture')} that got through. p: probability of the true class; behind "
            "it, the answer.",
            data=data,
            assets=None if assets is None else path_of(str(assets)),
            pictures=at_most,
        )
    except UserError as error:
        if data is not None or assets is not None:
            raise
        say(f"No sheet: {error}")
        say("Say where they are now: --data URI, and --assets DIR if the run took another pack.")


def _draw(
    path: Path,
    read: "ReadObfuscationRun",
    found: "Sequence[Evasion]",
    *,
    title: str,
    data: str | None,
    assets: Path | None,
    pictures: int,
) -> None:
    from unforeseen.cli.output import say
    from unforeseen.counted import counted

    # Only now, as torch takes seconds to import.
    with waiting("loading libraries"):
        from unforeseen.evasion_sheet import draw_evasion_sheet
        from unforeseen.running.made_again import open_again

    obfuscations = {each.obfuscation for each in found}
    with MakingProgress() as progress:
        with in_one(progress, "loading the data"):
            again = open_again(read.planned, obfuscations, data=data, assets=assets)
        result = draw_evasion_sheet(
            path, found, again, title=title, pictures=pictures, reporter=progress
        )
    if result.missing:
        say(
            f"{counted(result.missing, 'picture')} of the sheet left out: not among the data any more, "
            "or changed, or drawn otherwise than the rows say. If the data lie elsewhere, give --data URI."
        )
    if result.pictures:
        say(f"The worst {counted(result.pictures, 'picture')}, with what got them through: {path}")
