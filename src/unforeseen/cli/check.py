"""``unforeseen check``: is the set-up right, and can the model be attacked at all?"""

__all__ = ["check"]

from typing import Annotated

import typer

from unforeseen.cli import options
from unforeseen.cli.joined import names_in
from unforeseen.cli.making_progress import waiting
from unforeseen.cli.progress import Progress

#: What a shell takes for "no": something was found.
FOUND = 1


def check(
    model: options.Model,
    data: options.Data,
    benchmark: Annotated[
        str | None,
        typer.Option(
            metavar="NAME",
            help="Whose preprocessing and attacks the run will have. [default: the built-in one "
            "whose labels the data has; must be named where the data doesn't say, as parquet files "
            "and tables of numbers don't]",
        ),
    ] = None,
    head: options.HeadAsInRun = None,
    edition: Annotated[
        str | None,
        typer.Option(
            metavar="NAME",
            help="published or strict, as the run will have. [default: the benchmark's]",
        ),
    ] = None,
    attacks: Annotated[
        list[str] | None,
        typer.Option(
            metavar="NAMES",
            help="Those that the run will have, joined by commas; may be given again. [default: all "
            "of the benchmark but the optional ones]",
        ),
    ] = None,
    limit: Annotated[
        int, typer.Option(metavar="N", help="This many pictures, spread over the classes.")
    ] = 512,
    seed: options.SeedOrMade = None,
    steps: Annotated[
        int | None,
        typer.Option(
            metavar="N",
            help="As the run will have; with 0, as for functions, gradients aren't looked at.",
        ),
    ] = None,
    eot: Annotated[
        int,
        typer.Option(metavar="N", help="As the run will have, for a model that draws at random."),
    ] = 1,
    device: options.Device = None,
    expect_accuracy: Annotated[
        float | None,
        typer.Option(
            metavar="SHARE",
            help="Accuracy that the model should have, e.g. 0.76. [default: what its makers state, "
            "where that is known]",
        ),
    ] = None,
) -> None:
    """Look if a set-up is right, before a run.

    Whether labels and pictures mean what they should, and the model can be attacked at all:
    accuracy, normalisation, order of labels, outputs, gradients, randomness. The verdict is fine,
    suspicious or masked. Exit code 0 where it is fine, 1 where something was found.
    """
    from unforeseen.cli.ahead import open_ahead
    from unforeseen.cli.check_output import print_check
    from unforeseen.running.options import AttackOptions, RunOptions

    chosen = names_in(attacks)
    asked = RunOptions(
        attack=AttackOptions(edition=edition, attacks=chosen, steps=steps), limit=limit
    )
    opened = open_ahead(data, benchmark, asked)

    # Only now, as torch takes seconds to import.
    with waiting("loading libraries"):
        from unforeseen.check.checking import check_model

    with Progress() as progress:
        result = check_model(
            model,
            opened.dataset,
            opened.benchmark,
            head=head or (),
            edition=edition,
            attacks=chosen,
            limit=limit,
            seed=seed,
            steps=steps,
            eot=eot,
            device=device,
            expect_accuracy=expect_accuracy,
            reporter=progress,
        )
    print_check(result, progress.plan, model=model, data=data)
    if not result.fine:
        raise typer.Exit(FOUND)
