"""``unforeseen obfuscate``: pictures, clean and under every obfuscation, written down."""

__all__ = ["obfuscate"]

import os
from pathlib import Path
from typing import Annotated

import typer

from unforeseen.cli import options
from unforeseen.cli.joined import names_in
from unforeseen.cli.making_progress import MakingProgress, waiting
from unforeseen.typed_command import as_typed
from unforeseen.uri import path_of, path_to_write


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
    benchmark: Annotated[
        str | None,
        typer.Option(
            metavar="NAME",
            help="Make what a run of this benchmark judges: the pictures of its classes, under its "
            "obfuscations, from its ranges. A name or a .toml file. [default: all pictures, usual ranges]",
        ),
    ] = None,
    obfuscations: Annotated[
        list[str] | None,
        typer.Option(
            metavar="NAMES",
            help="Names, joined by commas; may be given again (see: unforeseen list obfuscations). "
            "[default: all]",
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
        int | None,
        typer.Option(
            metavar="N",
            help="Side in pixels: pictures are resized and cut square before anything else. [default: "
            "the benchmark's; 224]",
        ),
    ] = None,
    assets: options.Assets = None,
    limit: Annotated[
        int | None,
        typer.Option(
            metavar="N",
            help="This many pictures, spread over the classes: with --benchmark over those that a run of it "
            "judges. [default: all]",
        ),
    ] = None,
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
    goes on with the same command, and what was deleted since is made again; more obfuscations or
    pictures need another folder. Score it with: unforeseen run BENCHMARK --data obfuscated:DIR …
    """
    from unforeseen.cli.output import say, saying_how_to_go_on
    from unforeseen.obfuscated_folder.layout import INDEX_FILE
    from unforeseen.obfuscated_folder.record import read_made_record

    with waiting("loading libraries"):
        from unforeseen.making.obfuscate import obfuscate as make
        from unforeseen.making.of_benchmark import scored_by

    out = path_to_write("--out", out)
    cores = (
        len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    )
    with saying_how_to_go_on(out), MakingProgress() as progress:
        made = make(
            data,
            out,
            benchmark=benchmark,
            obfuscations=names_in(obfuscations),
            format=pictures_format,
            encoding=encoding,
            quality=quality,
            size=size,
            assets=None if assets is None else path_of(str(assets)),
            limit=limit,
            seed=seed,
            workers=cores if workers is None else workers,
            reporter=progress,
        )
    scoring = benchmark or scored_by(read_made_record(out).label_space)
    asked = ("--model", "URI", "--data", f"obfuscated:{out}")
    begun = "" if made.new else "All was there already. "
    say(
        f"{begun}{made.pictures:,} pictures, clean and obfuscated, are in {out}; see "
        f"{out / INDEX_FILE}. To score them: {as_typed('run', scoring, *asked)}"
    )
