"""``unforeseen preview``: an attack on one picture, or obfuscations on one or on several."""

__all__ = ["preview"]

import os.path
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from typing import Annotated

import typer

from unforeseen.cli import options
from unforeseen.cli.demo import MODEL
from unforeseen.cli.formats import png_file
from unforeseen.cli.making_progress import MakingProgress, waiting
from unforeseen.cli.preview_obfuscations import (
    OF_OBFUSCATIONS,
    names_obfuscations,
    obfuscation_names,
    preview_obfuscations,
)
from unforeseen.errors import UnknownNameError, UserError
from unforeseen.stage_reporter import in_one
from unforeseen.uri import path_of

#: Whose radii where the user names no benchmark.
_OF_ATTACKS = "imagenet-ua"


def preview(
    what: Annotated[
        str,
        typer.Argument(
            help="Name of an attack or obfuscation of the benchmark; or a benchmark of obfuscations, "
            "which shows them all."
        ),
    ],
    out: Annotated[
        Path, typer.Option(metavar="FILE", help="Where the pictures go: a file that ends in .png.")
    ],
    image: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="A picture: JPEG, PNG, BMP, GIF, PPM, TIFF, WebP."),
    ] = None,
    data: Annotated[
        str | None,
        typer.Option(
            metavar="URI",
            help="Instead of --image, to obfuscate several pictures (see: unforeseen list data).",
        ),
    ] = None,
    limit: Annotated[
        int | None,
        typer.Option(
            metavar="N",
            help="Of --data: this many pictures, spread over the classes. [default: 6]",
        ),
    ] = None,
    obfuscations: options.Obfuscations = None,
    assets: options.Assets = None,
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
        str | None,
        typer.Option(
            metavar="NAME",
            help="Whose radii and steps, or ranges: a name or a .toml file. [default: "
            f"{_OF_ATTACKS}; of obfuscations {OF_OBFUSCATIONS}]",
        ),
    ] = None,
    head: options.HeadAsInRun = None,
    edition: Annotated[
        str | None,
        typer.Option(
            metavar="NAME", help="[default: the benchmark's; of the built-in ones published]"
        ),
    ] = None,
    seed: Annotated[
        int | None,
        typer.Option(
            metavar="N",
            help="Seed of every draw. [default: 0; of pictures that were obfuscated before, theirs]",
        ),
    ] = None,
    steps: Annotated[
        int | None,
        typer.Option(
            metavar="N", help="Overrides the number of steps; 0 shows only what isn't optimised."
        ),
    ] = None,
    search: options.Search = None,
    loss: options.Loss = None,
    restarts: options.Restarts = None,
    draws: Annotated[
        int | None,
        typer.Option(
            metavar="N",
            help="Points per picture of --search random, or draws of each obfuscation. [default: "
            "1000; of obfuscations 6 of --image, 1 of --data]",
        ),
    ] = None,
    device: options.Device = None,
) -> None:
    """See an attack or obfuscations on pictures of yours.

    Of an attack: above as it starts, below optimised against the model. Beneath each picture stands
    what the model takes it for: green where that is the true class, red where it isn't.

    Obfuscations never see a model. Each has a line, of one picture in several draws (--image) or of
    several pictures (--data).
    """
    from unforeseen.benchmarks import load_attack_benchmark
    from unforeseen.cli.output import say
    from unforeseen.search.settings import search_settings

    out = png_file(out, "--out")
    picture, other = (None if each is None else path_of(str(each)) for each in (image, donor))
    _check_files(out, picture, other)
    if names_obfuscations(what, benchmark):
        of_attacks = {
            "--model": None if model == MODEL else model,
            "--label": label,
            "--donor": donor,
            "--head": head,
            "--edition": edition,
            "--steps": steps,
            "--search": search,
            "--loss": loss,
            "--restarts": restarts,
            "--device": device,
        }
        _refuse(of_attacks, f"an attack to go with it; {what} never sees a model")
        preview_obfuscations(
            what,
            benchmark,
            out,
            image=picture,
            data=data,
            limit=limit,
            obfuscations=obfuscations,
            draws=draws,
            seed=seed,
            assets=assets,
        )
        return
    _refuse(
        {"--data": data, "--limit": limit, "--obfuscations": obfuscations, "--assets": assets},
        f"an obfuscation to go with it, or a benchmark of some; {what} is neither",
    )
    searched = search_settings(search, loss=loss, restarts=restarts, draws=draws, steps=steps)
    source = load_attack_benchmark(benchmark or _OF_ATTACKS)
    if what not in source.attacks:
        known = [*source.attacks, *([] if benchmark else obfuscation_names())]
        hint = "One of yours is in your benchmark file: --benchmark FILE."
        raise UnknownNameError(f"attack of {source.name}", what, known, hint=hint)
    if picture is None:
        raise UserError("--image: expected a picture to attack, got none.")
    source.edition(edition)

    # Only now, as torch takes seconds to import.
    with waiting("loading libraries"):
        from unforeseen.fitting import fit_model
        from unforeseen.models import load_model
        from unforeseen.preview import AT_THE_START
        from unforeseen.preview import preview as attack_picture
        from unforeseen.report.gallery import draw_gallery

    with MakingProgress() as progress:
        with in_one(progress, "loading the model"):
            classifier = fit_model(load_model(model, device=device), source, head or ())
        with in_one(progress, "attacking the picture"):
            shown = attack_picture(
                what,
                picture,
                classifier,
                source,
                label=label,
                donor=other,
                edition=edition,
                seed=seed or 0,
                steps=steps,
                search=searched.name,
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
    with waiting("drawing the pictures"):
        draw_gallery(
            out,
            title=f"{what}, {source.name}, {how} (green: {shown.label})\nagainst {classifier.card.uri}",
            columns=shown.columns,
            rows=shown.rows,
        )
    say(f"The pictures, and what the model takes them for: {out}")


def _check_files(out: Path, picture: Path | None, donor: Path | None) -> None:
    """Raises UserError where a picture isn't there, or would be lost."""
    if picture is not None:
        with suppress(OSError):  # one of them isn't there
            if out.samefile(picture):
                raise UserError(
                    f"--out: expected another file than the picture itself, {out}, which would be "
                    "lost."
                )
    for file in (picture, donor):
        if file is not None and not os.path.lexists(file):
            raise UserError(f"{file}: expected a picture; there is no such file.")


def _refuse(given: Mapping[str, object], expected: str) -> None:
    """Raises UserError for the first option that has a value."""
    for option, value in given.items():
        if value is not None:
            raise UserError(f"{option}: expected {expected}.")
