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

#: Whose preprocessing and obfuscations where the user names no benchmark; it takes all pictures.
_USUAL = "image-obfuscation-own"


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
        int | None,
        typer.Option(
            metavar="N",
            help="Side in pixels: pictures are resized and cut square before anything else. [default: "
            "the benchmark's; 224]",
        ),
    ] = None,
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
    goes on with the same command, and what was deleted since is made again; more obfuscations or
    pictures need another folder. Score it with: unforeseen run BENCHMARK --data obfuscated:DIR …
    """
    from unforeseen.benchmarks import load_benchmark
    from unforeseen.benchmarks.kinds import expect_obfuscations
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
    source = expect_obfuscations(load_benchmark(benchmark or _USUAL))

    # Only now, as torch takes seconds to import.
    from unforeseen.fitting import fit_data
    from unforeseen.making.make import make_obfuscated
    from unforeseen.making.of_benchmark import about_classes, obfuscations_of, scored_by
    from unforeseen.making.settings import MakingOptions
    from unforeseen.transforms import OBFUSCATIONS, obfuscation_class
    from unforeseen.transforms.assets.pack import AssetPack, default_assets

    names = OBFUSCATIONS if obfuscations is None else names_in(obfuscations)
    wanted = {obfuscation_class(name).name for name in names}
    if not wanted:
        raise UserError("--obfuscations: expected names joined by commas, got none.")
    pack = default_assets() if assets is None else AssetPack(path_of(str(assets)))
    asked = MakingOptions(
        format=chosen_format,
        encoding=chosen_encoding,
        quality=quality,
        size=source.image_size if size is None else size,
        seed=seed,
        limit=limit,
    )
    drawn = {name: each() for name, each in OBFUSCATIONS.items() if name in wanted}
    note = about_classes(dataset, asked)
    if benchmark is not None:
        drawn = obfuscations_of(
            source, None if obfuscations is None else [*drawn], pack, asked.size
        )
        dataset, note = fit_data(dataset, source), None
    with saying_how_to_go_on(out), MakingProgress() as progress:
        if note:
            progress.note(note)
        made = make_obfuscated(
            dataset,
            out,
            obfuscations=drawn,
            assets=pack,
            preprocessing=source.preprocessing,
            options=asked,
            workers=processes,
            reporter=progress,
        )
    begun = "" if made.new else "All was there already. "
    say(
        f"{begun}{made.pictures:,} pictures, clean and obfuscated, are in {out}; see "
        f"{out / INDEX_FILE}. To score them: unforeseen run {benchmark or scored_by(dataset)} "
        f"--model URI --data obfuscated:{out}"
    )


def _chosen(what: str, name: str, choices: Sequence[_Choice]) -> _Choice:
    """One of a few names; raises UnknownNameError."""
    for choice in choices:
        if name.lower() == choice:
            return choice
    raise UnknownNameError(what, name, choices)
