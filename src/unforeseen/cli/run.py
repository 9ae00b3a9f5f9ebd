"""``unforeseen run``: a benchmark on a model and a data set, into a folder."""

__all__ = ["run"]

import shlex
import sys
from pathlib import Path
from typing import Annotated

import typer

from unforeseen.cli.progress import Progress


def run(
    benchmark: Annotated[
        str, typer.Argument(help="A name (see: unforeseen list benchmarks) or a .toml file.")
    ],
    model: Annotated[
        str,
        typer.Option(
            help="Model URI, e.g. timm:resnet50, model.pt2, py:my_file.py:make_model (see: "
            "unforeseen list models). py: and .pt2 run the code that they name."
        ),
    ],
    data: Annotated[
        str,
        typer.Option(help="Data URI, e.g. imagefolder:val (see: unforeseen list data)."),
    ],
    out: Annotated[
        Path,
        typer.Option(help="Run folder. A run that is there is continued.", file_okay=False),
    ],
    edition: Annotated[
        str | None,
        typer.Option(
            help="published: as the paper's tables were made. strict: an image counts as robust "
            "only if no visited point fools the model; a fraction of the cost. "
            "[default: the benchmark's, which is published]"
        ),
    ] = None,
    attacks: Annotated[
        str | None, typer.Option(help="Names, joined by commas. [default: all of the benchmark]")
    ] = None,
    levels: Annotated[str, typer.Option(help="Of low, medium, high; joined by commas.")] = "medium",
    limit: Annotated[
        int | None,
        typer.Option(help="This many pictures, spread over the classes. [default: all]"),
    ] = None,
    seed: Annotated[int, typer.Option(help="Seed of every draw and of --limit's choice.")] = 0,
    steps: Annotated[
        int | None,
        typer.Option(help="Overrides every attack's number of steps; 0 doesn't optimise."),
    ] = None,
    batch_size: Annotated[
        int | None,
        typer.Option(help="Pictures at once. [default: by picture size and device]"),
    ] = None,
    save_images: Annotated[
        bool, typer.Option("--save-images", help="Keep every judged picture as images/…/ID.png.")
    ] = False,
    device: Annotated[
        str | None, typer.Option(help="cpu, cuda, cuda:1, mps. [default: the fastest there is]")
    ] = None,
) -> None:
    """Measure a model: accuracy under each attack, and UA2.

    Every row is on disk as soon as it is known. Stop with Ctrl-C and run the same command again
    to go on; a larger --limit, more --attacks or more --levels reuse what is there.
    """
    from unforeseen.benchmarks import load_benchmark
    from unforeseen.cli.output import print_tables, say
    from unforeseen.data import load_data
    from unforeseen.models import load_model
    from unforeseen.plan import make_plan
    from unforeseen.runner import RunSettings
    from unforeseen.runner import run as run_plan

    source = load_benchmark(benchmark)
    dataset = load_data(data)
    classifier = load_model(model, device=device)
    plan = make_plan(
        source,
        classifier.card,
        edition=edition,
        attacks=_names(attacks),
        levels=_names(levels) or [],
        seed=seed,
        steps=steps,
    )
    settings = RunSettings(limit=limit, batch_size=batch_size, save_images=save_images)
    try:
        with Progress(plan) as progress:
            summary = run_plan(plan, classifier, dataset, out, settings=settings, reporter=progress)
    except KeyboardInterrupt:
        say(f"Stopped. Every finished row is in {out}. To go on, run the same command again:")
        say(f"  {shlex.join(['unforeseen', *sys.argv[1:]])}")
        raise
    print_tables([summary], published=False)
    say(f"Rows, record and summary are in {out}. To see them again: unforeseen results {out}")


def _names(joined: str | None) -> list[str] | None:
    """``a,b`` → [a, b]."""
    if joined is None:
        return None
    return [name.strip() for name in joined.split(",") if name.strip()]
