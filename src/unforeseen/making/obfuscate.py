"""Making obfuscated data of what a user names."""

__all__ = ["obfuscate"]

import os
from collections.abc import Sequence
from pathlib import Path
from typing import TypeVar

from unforeseen.benchmarks import load_benchmark
from unforeseen.benchmarks.benchmark import Benchmark
from unforeseen.benchmarks.kinds import expect_obfuscations
from unforeseen.errors import UnknownNameError, UserError
from unforeseen.fitting import Data, fit_data, opened_data
from unforeseen.making.make import Made, make_obfuscated
from unforeseen.making.of_benchmark import about_classes, obfuscations_of
from unforeseen.making.settings import MakingOptions
from unforeseen.obfuscated_folder.layout import FORMATS
from unforeseen.obfuscated_folder.record import ENCODINGS
from unforeseen.stage_reporter import SilentStages, StageReporter, in_one
from unforeseen.transforms import OBFUSCATIONS, obfuscation_class
from unforeseen.transforms.assets.pack import AssetPack, default_assets
from unforeseen.whole import whole_number

_Choice = TypeVar("_Choice", bound=str)

#: Whose preprocessing and obfuscations where the user names no benchmark; it takes all pictures.
_USUAL = "image-obfuscation-own"


def obfuscate(
    data: Data,
    out: str | os.PathLike[str],
    *,
    benchmark: str | Benchmark | None = None,
    obfuscations: Sequence[str] | None = None,
    format: str = "imagefolder",  # noqa: A002 - what the command's option is called
    encoding: str = "png",
    quality: int | None = None,
    size: int | None = None,
    assets: AssetPack | str | os.PathLike[str] | None = None,
    limit: int | None = None,
    seed: int = 0,
    workers: int = 0,
    reporter: StageReporter | None = None,
) -> Made:
    """Writes the clean pictures of a data set and every obfuscation of them, or goes on with it.

    Args:
        data: A URI, path, data set or arrays, as :func:`unforeseen.evaluate` takes them.
        out: Folder; the same call goes on where it was stopped.
        benchmark: Name, file or object, of which what a run of it judges is made: the pictures of its
            classes, under its obfuscations, from its ranges. None takes all pictures and the usual
            ranges.
        obfuscations: Which, in any case; None takes all.
        format: ``imagefolder``, ``parquet``, ``webdataset`` or ``tfds``.
        encoding: ``png``, which keeps every bit, or ``jpeg``.
        quality: Of JPEG, 1 to 100; None takes 95.
        size: Side of the pictures in pixels; None takes the benchmark's, 224.
        assets: Photos, icons … to use, or their folder; None takes the default pack.
        limit: How many pictures, spread over the classes; None takes all.
        seed: Of every draw and of the choice of pictures.
        workers: Processes; below 2 this one makes all. The pictures are the same. Each imports the
            program that calls this, which needs ``if __name__ == "__main__":`` for it.
        reporter: Told how it goes on; None is silent.

    Raises:
        UserError: Something doesn't fit; the message says what to do.
    """
    source = expect_obfuscations(
        benchmark if isinstance(benchmark, Benchmark) else load_benchmark(benchmark or _USUAL)
    )
    options = MakingOptions(
        format=_chosen("format", format, FORMATS),
        encoding=_chosen("encoding", encoding, ENCODINGS),
        quality=quality,
        size=source.image_size if size is None else size,
        seed=seed,
        limit=limit,
    )
    workers = whole_number("workers", workers, minimum=0)
    if isinstance(obfuscations, str) or obfuscations in ([], ()):
        raise UserError(f"obfuscations: expected names, a list of them, got {obfuscations!r}.")
    named = {obfuscation_class(name).name for name in obfuscations or OBFUSCATIONS}
    drawn = {name: each() for name, each in OBFUSCATIONS.items() if name in named}
    if assets is None:
        assets = default_assets()
    elif not isinstance(assets, AssetPack):
        assets = AssetPack(Path(assets))
    with in_one(reporter or SilentStages(), "loading the data"):
        dataset = opened_data(data)
    note = None
    if benchmark is not None:
        names = None if obfuscations is None else [*drawn]
        drawn = obfuscations_of(source, names, options.size)
        dataset = fit_data(dataset, source)
    else:
        note = about_classes(dataset, options)
    return make_obfuscated(
        dataset,
        Path(out),
        obfuscations=drawn,
        assets=assets,
        preprocessing=source.preprocessing,
        options=options,
        workers=workers,
        notes=[] if note is None else [note],
        reporter=reporter,
    )


def _chosen(what: str, name: str, choices: Sequence[_Choice]) -> _Choice:
    """One of a few names; raises UnknownNameError."""
    for choice in choices:
        if name.lower() == choice:
            return choice
    raise UnknownNameError(what, name, choices)
