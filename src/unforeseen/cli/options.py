"""Options that several commands share, said once: their types, names and help.

A command writes ``model: options.Model``; its default, where there is one, is its own.
"""

__all__ = [
    "Assets",
    "Attacks",
    "BatchSize",
    "BenchmarkName",
    "Data",
    "Deterministic",
    "Device",
    "DeviceForTraining",
    "Draws",
    "Edition",
    "Eot",
    "Head",
    "HeadAsInRun",
    "Levels",
    "Limit",
    "Loss",
    "Model",
    "Models",
    "NoCheck",
    "Obfuscations",
    "Restarts",
    "Search",
    "Seed",
    "SeedOrMade",
    "Steps",
]

from pathlib import Path
from typing import Annotated

import typer

BenchmarkName = Annotated[
    str,
    typer.Argument(
        help="A name (see: unforeseen list benchmarks) or a .toml file; one whose attacks begin with "
        "py: runs the code that they name."
    ),
]
Model = Annotated[
    str,
    typer.Option(
        metavar="URI",
        help="Model URI, e.g. timm:resnet50, model.pt2, py:my_file.py:make_model (see: "
        "unforeseen list models). py: and .pt2 run the code that they name.",
    ),
]
Models = Annotated[
    list[str],
    typer.Option(
        metavar="URI",
        help="Model URI, e.g. timm:resnet50, model.pt2, py:my_file.py:make_model (see: "
        "unforeseen list models). py: and .pt2 run the code that they name. May be given again for "
        "other models; figures are then also shown as the mean over them.",
    ),
]
Data = Annotated[
    str,
    typer.Option(metavar="URI", help="Data URI, e.g. imagefolder:val (see: unforeseen list data)."),
]
Head = Annotated[
    list[str] | None,
    typer.Option(
        metavar="HEAD",
        help="Maps the model's outputs to the benchmark's classes: imagenet1001 (drops the "
        "background output), imagenet100, imagenet16, or FILE.csv with the columns class and group (see: "
        "unforeseen list heads). Several are applied in order.",
    ),
]
HeadAsInRun = Annotated[
    list[str] | None,
    typer.Option(
        metavar="HEAD", help="Maps the model's outputs to the benchmark's classes, as in run."
    ),
]
Edition = Annotated[
    str | None,
    typer.Option(
        metavar="NAME",
        help="published: as the paper's tables were made. strict: an image counts as robust "
        "only if no visited point fools the model; the weaker the model, the less it costs. "
        "[default: the benchmark's; of the built-in ones published]",
    ),
]
Attacks = Annotated[
    list[str] | None,
    typer.Option(
        metavar="NAMES",
        help="Names, joined by commas; may be given again. [default: all of the benchmark but the "
        "optional ones]",
    ),
]
Obfuscations = Annotated[
    list[str] | None,
    typer.Option(
        metavar="NAMES",
        help="Of a benchmark of obfuscations: names, hold-out or training, joined by commas; may "
        "be given again. [default: all of the benchmark]",
    ),
]
Assets = Annotated[
    Path | None,
    typer.Option(
        metavar="DIR",
        help="Folder of the photos, icons, patches, paintings … that obfuscations take (see: unforeseen "
        "assets --help). [default: those that ship]",
        file_okay=False,
    ),
]
Levels = Annotated[
    list[str] | None,
    typer.Option(
        metavar="NAMES",
        help="Of low, medium, high; joined by commas; may be given again. [default: medium]",
    ),
]
Limit = Annotated[
    int | None,
    typer.Option(metavar="N", help="This many pictures, spread over the classes. [default: all]"),
]
SeedOrMade = Annotated[
    int | None,
    typer.Option(
        metavar="N",
        help="Seed of every draw and of --limit's choice. [default: 0; of pictures that were obfuscated "
        "before, theirs]",
    ),
]
Seed = Annotated[int, typer.Option(metavar="N", help="Seed of every draw and of --limit's choice.")]
Steps = Annotated[
    int | None,
    typer.Option(metavar="N", help="Overrides every attack's number of steps; 0 doesn't optimise."),
]
Eot = Annotated[
    int,
    typer.Option(
        metavar="N",
        help="Forward passes that every evaluation takes the mean of, for a model that draws "
        "at random in its forward pass (unforeseen check says so).",
    ),
]
Search = Annotated[
    str | None,
    typer.Option(
        metavar="NAME",
        help="How the worst point is looked for: pgd, apgd (Auto-PGD), autoattack-lite, random "
        "(--draws), none (see: unforeseen list searches). [default: pgd]",
    ),
]
Loss = Annotated[
    str | None,
    typer.Option(
        metavar="NAME",
        help="What pgd and apgd climb: cross_entropy, margin, dlr, targeted_dlr. "
        "[default: cross_entropy]",
    ),
]
Restarts = Annotated[
    int | None,
    typer.Option(
        metavar="N", help="Starts per picture of pgd and apgd. [default: 1; of targeted_dlr 9]"
    ),
]
Draws = Annotated[
    int | None,
    typer.Option(metavar="N", help="Points per picture of --search random. [default: 1000]"),
]
BatchSize = Annotated[
    int | None,
    typer.Option(metavar="N", help="Pictures at once. [default: by picture size and device]"),
]
Deterministic = Annotated[
    bool,
    typer.Option(
        "--deterministic",
        help="The same bits again on this machine, as far as torch can; slower. Operations "
        "that can't are named.",
    ),
]
NoCheck = Annotated[
    bool,
    typer.Option(
        "--no-check",
        help="Don't look first if the set-up is right (see: unforeseen check --help).",
    ),
]
Device = Annotated[
    str | None,
    typer.Option(metavar="NAME", help="cpu, cuda, cuda:1, mps. [default: the fastest there is]"),
]
DeviceForTraining = Annotated[
    str | None,
    typer.Option(
        metavar="NAME",
        help="cpu, cuda, cuda:1, mps (untried). [default: cuda where there is one, else cpu]",
    ),
]
