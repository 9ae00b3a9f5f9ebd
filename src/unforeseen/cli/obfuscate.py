"""``unforeseen obfuscate``: pictures, clean and under every obfuscation, written down."""

__all__ = ["obfuscate"]

import os
from collections.abc import Sequence
from pathlib import Path
from typing import Annotated, TypeVar

import typer

from unforeseen.cli import options
from unforeseen.cli.joined import names_in
from unforeseen.cli.making_progress import MakingProgress
from unforeseen.errors import UnknownNameError, UserError
from unforeseen.uri import path_of

_Choice = TypeVar("_Choice", bound=str)


def obfuscate(
    data: options.Data,
    out: Annotated[
        Path,
        typer.Option(
            metavar="DIR",
            help="Folder to write. One that was begun is gone on with, by the same command.",
            file_okay=False,
        ),
    ],
    obfuscations: Annotated[
        str | None,
        typer.Option(
            metavar="NAMES",
            help="Names, joined by commas (see: unforeseen list obfuscations). [default: all]",
        ),
    ] = None,
    pictures_format: Annotated[
        str,
        typer.Option(
            "--format",
            metavar="NAME",
            help="imagefolder, parquet, webdataset or tfds (TensorFlow Datasets).",
        ),
    ] = "imagefolder",
    encoding: Annotated[
        str,
        typer.Option(metavar="NAME", help="png, which keeps every bit, or jpeg."),
    ] = "png",
    quality: Annotated[
        int | None,
        typer.Option(metavar="N", help="Of JPEG, 1 to 100. [default: 95]"),
    ] = None,
    size: Annotated[
        int,
        typer.Option(
            metavar="N",
            help="Side in pixels: pictures are resized and cut square before anything else. The "
            "benchmarks' is 224.",
        ),
    ] = 224,
    assets: Annotated[
        Path | None,
        typer.Option(
            metavar="DIR",
            help="Folder of photos, scenes, icons … with a file assets.toml. [default: those that "
            "come with the program]",
            file_okay=False,
        ),
    ] = None,
    limit: options.Limit = None,
    seed: options.Seed = 0,
    workers: Annotated[
        int | None,
        typer.Option(
            metavar="N",
            help="Processes; the pictures are the same. 0 or 1 makes all in this one. [default: one "
            "per core]",
        ),
    ] = None,
) -> None:
    """Make data: the clean pictures, and every obfuscation of them.

    Each picture comes with what was drawn for it, from which it can be made again. What was stopped
    goes on with the same command. Score the folder with: unforeseen run image-obfuscation --data
    obfuscated:DIR …
    """
    from unforeseen.benchmarks import load_benchmark
    from unforeseen.cli.output import say, saying_how_to_go_on
    from unforeseen.data import load_data
    from unforeseen.obfuscated_folder.layout import FORMATS, INDEX_FILE
    from unforeseen.obfuscated_folder.record import ENCODINGS
    from unforeseen.whole import whole_number

    out = path_of(str(out))
    chosen_format = _chosen("format", pictures_format, FORMATS)
    chosen_encoding = _chosen("encoding", encoding, ENCODINGS)
    processes = (
        len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    )
    if workers is not None:
        processes = whole_number("workers", workers, minimum=0)
    dataset = load_data(data)
    preprocessing = load_benchmark("image-obfuscation-own").preprocessing

    # Only now, as torch takes seconds to import.
    from unforeseen.making.make import make_obfuscated
    from unforeseen.making.settings import MakingOptions
    from unforeseen.transforms import OBFUSCATIONS, obfuscation_class
    from unforeseen.transforms.assets.pack import AssetPack, default_assets

    names = OBFUSCATIONS if obfuscations is None else names_in(obfuscations)
    wanted = {obfuscation_class(name).name for name in names}
    if not wanted:
        raise UserError("--obfuscations: expected names joined by commas, got none.")
    asked = MakingOptions(
        format=chosen_format,
        encoding=chosen_encoding,
        quality=quality,
        size=size,
        seed=seed,
        limit=limit,
    )
    with saying_how_to_go_on(out), MakingProgress() as progress:
        made = make_obfuscated(
            dataset,
            out,
            obfuscations={name: each() for name, each in OBFUSCATIONS.items() if name in wanted},
            assets=default_assets() if assets is None else AssetPack(path_of(str(assets))),
            preprocessing=preprocessing,
            options=asked,
            workers=processes,
            reporter=progress,
        )
    begun = "" if made.new else "All was there already. "
    say(
        f"{begun}{made.pictures:,} pictures, clean and obfuscated, are in {out}; see "
        f"{out / INDEX_FILE}. To score them: unforeseen run image-obfuscation --model URI --data "
        f"obfuscated:{out}"
    )


def _chosen(what: str, name: str, choices: Sequence[_Choice]) -> _Choice:
    """One of a few names; raises UnknownNameError."""
    for choice in choices:
        if name.lower() == choice:
            return choice
    raise UnknownNameError(what, name, choices)
