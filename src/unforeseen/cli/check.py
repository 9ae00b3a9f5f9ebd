"""``unforeseen check``: is the set-up right, and can the model be attacked at all?"""

__all__ = ["check"]

from typing import Annotated

import typer

from unforeseen.cli.progress import Progress

#: What a shell takes for "no": something was found.
FOUND = 1


def check(
    model: Annotated[str, typer.Option(help="Model URI (see: unforeseen list models).")],
    data: Annotated[str, typer.Option(help="Data URI (see: unforeseen list data).")],
    benchmark: Annotated[
        str | None,
        typer.Option(
            help="Whose preprocessing and attacks the run will have. [default: the built-in one "
            "whose labels the data has]"
        ),
    ] = None,
    head: Annotated[
        list[str] | None,
        typer.Option(help="Maps the model's outputs to the benchmark's classes, as in run."),
    ] = None,
    limit: Annotated[int, typer.Option(help="This many pictures, spread over the classes.")] = 512,
    seed: Annotated[int, typer.Option(help="Seed of every draw and of --limit's choice.")] = 0,
    device: Annotated[
        str | None, typer.Option(help="cpu, cuda, cuda:1, mps. [default: the fastest there is]")
    ] = None,
    expect_accuracy: Annotated[
        float | None,
        typer.Option(
            metavar="SHARE",
            help="Accuracy that the model should have, e.g. 0.76. [default: what its makers state, "
            "where that is known]",
        ),
    ] = None,
) -> None:
    """Look if the set-up is right and the model can be attacked at all, before a run.

    Accuracy, normalisation, order of labels, outputs, gradients, randomness. The verdict is fine,
    suspicious or masked. Exit code 0 where it is fine, 1 where something was found.
    """
    from unforeseen.check.checking import check_model
    from unforeseen.cli.output import print_check

    with Progress() as progress:
        result = check_model(
            model,
            data,
            benchmark,
            head=head or (),
            limit=limit,
            seed=seed,
            device=device,
            expect_accuracy=expect_accuracy,
            reporter=progress,
        )
    print_check(result)
    if not result.fine:
        raise typer.Exit(FOUND)
