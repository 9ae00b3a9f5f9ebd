"""``unforeseen run``: a benchmark on a model and a data set, into a folder."""

__all__ = ["run"]

from pathlib import Path
from typing import Annotated

import typer

from unforeseen.cli.joined import names_in
from unforeseen.cli.progress import Progress
from unforeseen.uri import path_of


def run(
    benchmark: Annotated[
        str,
        typer.Argument(help="A name (see: unforeseen list benchmarks) or a .toml file."),
    ],
    model: Annotated[
        str,
        typer.Option(
            metavar="URI",
            help="Model URI, e.g. timm:resnet50, model.pt2, py:my_file.py:make_model (see: "
            "unforeseen list models). py: and .pt2 run the code that they name.",
        ),
    ],
    data: Annotated[
        str,
        typer.Option(
            metavar="URI", help="Data URI, e.g. imagefolder:val (see: unforeseen list data)."
        ),
    ],
    out: Annotated[
        Path,
        typer.Option(
            metavar="DIR", help="Run folder. A run that is there is continued.", file_okay=False
        ),
    ],
    head: Annotated[
        list[str] | None,
        typer.Option(
            metavar="HEAD",
            help="Maps the model's outputs to the benchmark's classes: imagenet1001 (drops the "
            "background output), imagenet100, or FILE.csv with the columns class and group (see: "
            "unforeseen list heads). Several are applied in order.",
        ),
    ] = None,
    edition: Annotated[
        str | None,
        typer.Option(
            metavar="NAME",
            help="published: as the paper's tables were made. strict: an image counts as robust "
            "only if no visited point fools the model; the weaker the model, the less it costs. "
            "[default: the benchmark's; of the built-in ones published]",
        ),
    ] = None,
    attacks: Annotated[
        str | None,
        typer.Option(
            metavar="NAMES",
            help="Names, joined by commas. [default: all of the benchmark but the optional ones]",
        ),
    ] = None,
    levels: Annotated[
        str, typer.Option(metavar="NAMES", help="Of low, medium, high; joined by commas.")
    ] = "medium",
    limit: Annotated[
        int | None,
        typer.Option(
            metavar="N", help="This many pictures, spread over the classes. [default: all]"
        ),
    ] = None,
    seed: Annotated[
        int, typer.Option(metavar="N", help="Seed of every draw and of --limit's choice.")
    ] = 0,
    steps: Annotated[
        int | None,
        typer.Option(
            metavar="N", help="Overrides every attack's number of steps; 0 doesn't optimise."
        ),
    ] = None,
    eot: Annotated[
        int,
        typer.Option(
            metavar="N",
            help="Forward passes that every evaluation takes the mean of, for a model that draws "
            "at random in its forward pass (unforeseen check says so).",
        ),
    ] = 1,
    search: Annotated[
        str,
        typer.Option(
            metavar="NAME",
            help="How the worst point is looked for: pgd, apgd (Auto-PGD), autoattack-lite, random "
            "(--draws), none (see: unforeseen list searches).",
        ),
    ] = "pgd",
    loss: Annotated[
        str | None,
        typer.Option(
            metavar="NAME",
            help="What pgd and apgd climb: cross_entropy, margin, dlr, targeted_dlr. "
            "[default: cross_entropy]",
        ),
    ] = None,
    restarts: Annotated[
        int | None,
        typer.Option(
            metavar="N", help="Starts per picture of pgd and apgd. [default: 1; of targeted_dlr 9]"
        ),
    ] = None,
    draws: Annotated[
        int | None,
        typer.Option(metavar="N", help="Points per picture of --search random. [default: 1000]"),
    ] = None,
    batch_size: Annotated[
        int | None,
        typer.Option(metavar="N", help="Pictures at once. [default: by picture size and device]"),
    ] = None,
    save_images: Annotated[
        bool, typer.Option("--save-images", help="Keep every judged picture as images/…/ID.png.")
    ] = False,
    deterministic: Annotated[
        bool,
        typer.Option(
            "--deterministic",
            help="The same bits again on this machine, as far as torch can; slower. Operations "
            "that can't are named.",
        ),
    ] = False,
    no_check: Annotated[
        bool,
        typer.Option(
            "--no-check",
            help="Don't look first if the set-up is right (see: unforeseen check --help).",
        ),
    ] = False,
    device: Annotated[
        str | None,
        typer.Option(
            metavar="NAME", help="cpu, cuda, cuda:1, mps. [default: the fastest there is]"
        ),
    ] = None,
) -> None:
    """Measure a model: accuracy under each attack, and UA2.

    Every row is on disk within seconds. Stop with Ctrl-C and run the same command again to go on; a
    larger --limit, more --attacks or more --levels reuse what is there.
    """
    from unforeseen.cli.ahead import open_ahead
    from unforeseen.cli.output import print_tables, say, saying_how_to_go_on
    from unforeseen.search.settings import search_settings

    out = path_of(str(out))
    chosen = None if attacks is None else names_in(attacks)
    search_settings(search, loss=loss, restarts=restarts, draws=draws, steps=steps)
    opened = open_ahead(
        data, benchmark, edition=edition, attacks=chosen, levels=names_in(levels), limit=limit
    )

    # Only now, as torch takes seconds to import.
    from unforeseen.running.evaluation import evaluate

    with saying_how_to_go_on(out), Progress() as progress:
        results = evaluate(
            model,
            opened.dataset,
            opened.benchmark,
            head=head or (),
            edition=edition,
            attacks=chosen,
            levels=names_in(levels),
            limit=limit,
            seed=seed,
            steps=steps,
            eot=eot,
            search=search,
            loss=loss,
            restarts=restarts,
            draws=draws,
            batch_size=batch_size,
            device=device,
            out=out,
            save_images=save_images,
            check=not no_check,
            deterministic=deterministic,
            reporter=progress,
        )
    print_tables([results.summary], published=False)
    say(f"Rows, record and summary are in {out}. To see them again: unforeseen results {out}")
