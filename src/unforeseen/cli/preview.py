"""``unforeseen preview``: what an attack does to one picture."""

__all__ = ["preview"]

import os.path
from contextlib import suppress
from pathlib import Path
from typing import Annotated

import typer

from unforeseen.cli import options
from unforeseen.cli.demo import MODEL
from unforeseen.uri import path_of


def preview(
    attack: Annotated[str, typer.Argument(help="Name of an attack of the benchmark.")],
    image: Annotated[
        Path, typer.Option(metavar="FILE", help="A picture: JPEG, PNG, BMP, GIF, PPM, TIFF, WebP.")
    ],
    out: Annotated[
        Path, typer.Option(metavar="FILE", help="Where the pictures go: a file that ends in .png.")
    ],
    model: options.Model = MODEL,
    label: Annotated[
        str | None,
        typer.Option(
            metavar="CLASS",
            help="True class, as a number or a name. [default: what the model says of the original]",
        ),
    ] = None,
    donor: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE", help="Another picture, for an attack that takes from one (mix)."
        ),
    ] = None,
    benchmark: Annotated[
        str, typer.Option(metavar="NAME", help="Whose radii and steps: a name or a .toml file.")
    ] = "imagenet-ua",
    head: options.HeadAsInRun = None,
    edition: Annotated[
        str | None,
        typer.Option(
            metavar="NAME", help="[default: the benchmark's; of the built-in ones published]"
        ),
    ] = None,
    seed: Annotated[int, typer.Option(metavar="N", help="Seed of every draw.")] = 0,
    steps: Annotated[
        int | None,
        typer.Option(
            metavar="N", help="Overrides the number of steps; 0 shows only what isn't optimised."
        ),
    ] = None,
    search: options.Search = "pgd",
    loss: options.Loss = None,
    restarts: options.Restarts = None,
    draws: options.Draws = None,
    device: options.Device = None,
) -> None:
    """See an attack on a picture of yours, at three levels.

    Above as the attack starts, below optimised against the model. Beneath each picture stands what
    the model takes it for: green where that is the true class, red where it isn't.
    """
    from unforeseen.benchmarks import load_attack_benchmark
    from unforeseen.cli.output import say
    from unforeseen.errors import UnknownNameError, UserError
    from unforeseen.search.settings import search_settings

    searched = search_settings(search, loss=loss, restarts=restarts, draws=draws, steps=steps)
    out = path_of(str(out))
    if out.suffix.lower() != ".png":
        raise UserError(f"--out: expected a file that ends in .png, got {out.name}.")
    picture = path_of(str(image))
    with suppress(OSError):  # one of them isn't there
        if out.samefile(picture):
            raise UserError(
                f"--out: expected another file than the picture itself, {out}, which would be lost."
            )
    other = None if donor is None else path_of(str(donor))
    for file in (picture, *([] if other is None else [other])):
        if not os.path.lexists(file):
            raise UserError(f"{file}: expected a picture; there is no such file.")
    source = load_attack_benchmark(benchmark)
    if attack not in source.attacks:
        hint = "One of yours is in your benchmark file: --benchmark FILE."
        raise UnknownNameError(f"attack of {source.name}", attack, source.attacks, hint=hint)
    source.edition(edition)

    # Only now, as torch takes seconds to import.
    from unforeseen.fitting import fit_model
    from unforeseen.models import load_model
    from unforeseen.preview import AT_THE_START
    from unforeseen.preview import preview as attack_picture
    from unforeseen.report.gallery import draw_gallery

    classifier = fit_model(load_model(model, device=device), source, head or ())
    shown = attack_picture(
        attack,
        picture,
        classifier,
        source,
        label=label,
        donor=other,
        edition=edition,
        seed=seed,
        steps=steps,
        search=search,
        loss=loss,
        restarts=restarts,
        draws=draws,
    )
    how = ", ".join(filter(None, (f"edition {shown.edition}", searched.in_words())))
    if not shown.right_when_clean:
        say(f"The model doesn't take the original for {shown.label}.")
        if shown.first_counts:
            say(f"Where any visited point counts ({how}), such a picture is left as it is.")
    elif any(tile is not None and tile.remark for _, line in shown.rows for tile in line):
        say(
            f"{AT_THE_START}: the attack's start fools the model already, so that nothing is "
            f"optimised where any visited point counts ({how})."
        )
    draw_gallery(
        out,
        title=f"{attack}, {source.name}, {how} (green: {shown.label})\n"
        f"against {classifier.card.uri}",
        columns=shown.columns,
        rows=shown.rows,
    )
    say(f"The pictures, and what the model takes them for: {out}")
