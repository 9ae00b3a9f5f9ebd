"""Options of all commands that count runs of obfuscations."""

__all__ = [
    "Plot",
    "Positive",
    "Runs",
    "Threshold",
    "Top",
    "Unweighted",
    "top_k",
    "weighting_of",
]

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from unforeseen.errors import UserError

if TYPE_CHECKING:
    from unforeseen.metrics.verdicts import TopK
    from unforeseen.run_folder.obfuscation_figures import Weighting

Runs = Annotated[list[Path], typer.Argument(help="Run folders of a benchmark of obfuscations.")]
Unweighted = Annotated[
    bool,
    typer.Option(
        "--unweighted",
        help="Every picture weighs the same, instead of every class.",
    ),
]
Top = Annotated[
    int,
    typer.Option(
        metavar="K",
        help="Right is a picture whose true class is among the K most probable: 1, 3, 5 or 10.",
    ),
]
Positive = Annotated[
    str | None,
    typer.Option(
        metavar="CLASS",
        help="Of obfuscations: the evasion rate of this class, by its name or number: of its pictures "
        "that are flagged as they are, the share no longer flagged. With --threshold.",
    ),
]
Threshold = Annotated[
    float | None,
    typer.Option(metavar="T", help="Probability of the class from which on a picture is flagged."),
]
Plot = Annotated[
    Path | None,
    typer.Option("--plot", metavar="FILE.png", help="Also draw it.", dir_okay=False),
]


def top_k(number: int) -> "TopK":
    """Checks a K; raises UserError."""
    from unforeseen.metrics.verdicts import TOP

    for known in TOP:
        if number == known:
            return known
    raise UserError(f"top: expected 1, 3, 5 or 10, got {number}.")


def weighting_of(*, unweighted: bool) -> "Weighting":
    """What an option stands for."""
    return "unweighted" if unweighted else "balanced"
