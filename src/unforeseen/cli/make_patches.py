"""``unforeseen make patches``: optimising the patches of AdversarialPatches."""

__all__ = ["make_patches"]

from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from unforeseen.cli import options
from unforeseen.errors import UserError
from unforeseen.typed_command import as_typed
from unforeseen.uri import path_to_write

if TYPE_CHECKING:
    from unforeseen.asset_making.patches.effect import Effect
    from unforeseen.asset_making.patches.make import MadePatch

#: Sides in pixels: what no optimisation gets through otherwise.
_LARGEST_PATCH, _LARGEST_PICTURE = 512, 1024
_SMALLEST_PATCH, _SMALLEST_PICTURE = 8, 32


def make_patches(
    model: Annotated[
        list[str],
        typer.Option(
            metavar="URI",
            help="Model to optimise against; with gradients. May be given again: patches that mislead "
            "several mislead others too (see: unforeseen list models).",
        ),
    ],
    data: Annotated[
        str,
        typer.Option(
            metavar="URI",
            help="Pictures with labels (see: unforeseen list data). One half of them is optimised on, the "
            "other measured on.",
        ),
    ],
    out: Annotated[
        Path,
        typer.Option(
            metavar="DIR",
            help="Folder to write, a pack of assets for --assets. What was begun there is gone on with.",
            file_okay=False,
        ),
    ],
    target: Annotated[
        list[str] | None,
        typer.Option(
            metavar="CLASS",
            help="Name or number of a class that pictures are to be taken for. May be given again, for a "
            "patch each.",
        ),
    ] = None,
    untargeted: Annotated[
        bool,
        typer.Option(
            "--untargeted", help="Instead: lead away from the true class, wherever to; one patch."
        ),
    ] = False,
    held_out_model: Annotated[
        list[str] | None,
        typer.Option(metavar="URI", help="Model to measure on only. May be given again."),
    ] = None,
    head: options.HeadAsInRun = None,
    size: Annotated[int, typer.Option(metavar="N", help="Side of a patch, in pixels.")] = 64,
    picture_size: Annotated[
        int,
        typer.Option(
            metavar="N",
            help="Side of the pictures, in pixels: resized, then cut at the centre.",
        ),
    ] = 224,
    steps: Annotated[int, typer.Option(metavar="N", help="Steps per patch.")] = 300,
    batch_size: Annotated[int, typer.Option(metavar="N", help="Pictures in a step.")] = 4,
    seed: Annotated[int, typer.Option(metavar="N", help="Seed of every draw.")] = 0,
    device: options.DeviceForTraining = None,
) -> None:
    """Optimise patches that mislead models wherever they are laid.

    Each patch becomes a PNG. recipe.json says how it was made, and how often every model, also those held
    out, is right without it, with it anywhere, under AdversarialPatches, and with grey squares in its places.
    What was stopped goes on with the same command. Keep patches to yourself or say what they are: they are
    made to mislead.
    """
    from unforeseen.cli.making_progress import MakingProgress
    from unforeseen.cli.output import say, saying_how_to_go_on
    from unforeseen.data import load_data
    from unforeseen.running.run_settings import LARGEST_BATCH_ASKED
    from unforeseen.stage_reporter import in_one
    from unforeseen.whole import whole_number

    out = path_to_write("--out", out)
    if bool(target) == untargeted:
        got = "both" if untargeted else "neither"
        raise UserError(f"expected either --target CLASS or --untargeted, got {got}.")
    size = whole_number("size", size, minimum=_SMALLEST_PATCH, maximum=_LARGEST_PATCH)
    picture_size = whole_number(
        "picture-size", picture_size, minimum=_SMALLEST_PICTURE, maximum=_LARGEST_PICTURE
    )
    steps = whole_number("steps", steps, minimum=1)
    batch_size = whole_number("batch-size", batch_size, minimum=1, maximum=LARGEST_BATCH_ASKED)

    held_out = held_out_model or []
    with (
        saying_how_to_go_on(out, kept="All but the last half minute", marker="recipe.json"),
        MakingProgress() as progress,
    ):
        # Torch, which this imports, takes seconds; so it is said first.
        with in_one(progress, "loading the data"):
            dataset = load_data(data)
        loading = partial(progress.advance, "loading models", total=len({*model, *held_out}))
        loading(0)
        from unforeseen.asset_making.patches.make import make_patches as optimise
        from unforeseen.asset_making.patches.networks import class_count, open_networks
        from unforeseen.asset_making.patches.recipe import PatchRecipe
        from unforeseen.asset_making.patches.targets import targets_of
        from unforeseen.models.device import choose_device_for_training

        where = choose_device_for_training(device)
        networks = open_networks(model, held_out, head=head or [], device=where, report=loading)
        classes = class_count(networks, dataset, picture_size)
        names = networks[0].classifier.card.class_names or dataset.card.class_names
        made = optimise(
            networks,
            dataset,
            targets_of(target or [], names, classes),
            out,
            recipe=PatchRecipe(
                size=size, picture_size=picture_size, seed=seed, steps=steps, batch=batch_size
            ),
            device=where,
            reporter=progress,
        )
    _print_effects(made)
    say(
        "anywhere: one patch at a random place. corners: as AdversarialPatches lays it, in all four. grey: the "
        "same with a grey square instead of the patch, which shows what covering alone does."
    )
    if any(each.super_class_accuracy is not None for patch in made for each in patch.effect):
        say(
            "of super-classes: accuracy among ImageNet's 16 super-classes, on the pictures of these; each "
            "gets the mean of its members' probabilities. image-obfuscation counts this."
        )
    say(
        f"Patches: {out}. How they were made is in its recipe.json. Use the folder as --assets, or put what "
        f"else comes with the program beside it: {as_typed('assets', 'combine', out, '--out', 'DIR')}"
    )


def _print_effects(made: Sequence["MadePatch"]) -> None:
    """What every patch does to every network: a table each, which a usual terminal has room for."""
    from rich.markup import escape

    from unforeseen.cli.output import print_listing
    from unforeseen.report.grids import percent

    for patch in made:
        of_network: dict[tuple[str, bool], list[Effect]] = {}
        for effect in patch.effect:
            of_network.setdefault((effect.network, effect.held_out), []).append(effect)
        for (network, held_out), effects in of_network.items():
            columns = {
                "pictures": [each.condition for each in effects],
                "accuracy": [percent(each.accuracy, interval=True) for each in effects],
            }
            if effects[0].super_class_accuracy is not None:
                columns["of super-classes"] = [
                    percent(each.super_class_accuracy, interval=True) for each in effects
                ]
            if effects[0].target_rate is not None:
                columns["taken for target"] = [
                    percent(each.target_rate, interval=True) for each in effects
                ]
            title = (
                f"{patch.target.patch} on {network}{' (held out)' if held_out else ''}, in percent"
            )
            print_listing(escape(title), tuple(columns), list(zip(*columns.values(), strict=True)))
