"""``unforeseen transfer``: pictures made against one model, judged by others."""

__all__ = ["transfer"]

from pathlib import Path
from typing import Annotated

import typer

from unforeseen.cli import options
from unforeseen.cli.joined import names_in
from unforeseen.cli.making_progress import waiting
from unforeseen.cli.progress import Progress
from unforeseen.typed_command import as_typed
from unforeseen.uri import path_to_write


def transfer(
    benchmark: options.BenchmarkName,
    source: Annotated[
        str,
        typer.Option(
            metavar="URI",
            help="The model that the pictures are made against, as run's --model. py: and .pt2 run "
            "the code that they name.",
        ),
    ],
    target: Annotated[
        list[str],
        typer.Option(
            metavar="URI",
            help="A model that judges them, likewise; a function of a service too. May be given "
            "again.",
        ),
    ],
    data: options.Data,
    out: Annotated[
        Path,
        typer.Option(
            metavar="DIR",
            help="Folder of the experiment. What is there is continued; further targets come to it.",
            file_okay=False,
        ),
    ],
    source_head: Annotated[
        list[str] | None,
        typer.Option(
            metavar="HEAD", help="Maps the source's outputs to the benchmark's classes, as in run."
        ),
    ] = None,
    target_head: Annotated[
        list[str] | None,
        typer.Option(
            metavar="HEAD",
            help="Likewise of each target of this command. Targets that need another come with a "
            "command of their own, into the same --out.",
        ),
    ] = None,
    edition: options.Edition = None,
    attacks: options.Attacks = None,
    levels: options.Levels = None,
    limit: options.Limit = None,
    seed: options.Seed = 0,
    steps: options.Steps = None,
    eot: options.Eot = 1,
    search: Annotated[
        str,
        typer.Option(
            metavar="NAME",
            help="How the worst point is looked for: pgd, or none. The others make no picture of "
            "every picture.",
        ),
    ] = "pgd",
    loss: options.Loss = None,
    restarts: options.Restarts = None,
    batch_size: options.BatchSize = None,
    deterministic: options.Deterministic = False,
    no_check: options.NoCheck = False,
    device: options.Device = None,
) -> None:
    """Measure what attacks on one model do to others.

    Every picture is attacked once, against the source, and kept in 8 bits. The targets judge these
    pictures as the source saw them; of a target no gradient is taken. The same command again runs
    what is missing.
    """
    from unforeseen.benchmarks import load_attack_benchmark
    from unforeseen.cli.ahead import open_ahead
    from unforeseen.cli.output import print_tables, say, saying_how_to_go_on
    from unforeseen.experiments.every_picture import expect_every_picture
    from unforeseen.running.options import AttackOptions, RunOptions

    out = path_to_write("--out", out)
    asked = RunOptions(
        head=source_head or (),
        attack=AttackOptions(
            edition=edition,
            attacks=names_in(attacks),
            levels=names_in(levels),
            steps=steps,
            search=search,
            loss=loss,
            restarts=restarts,
        ),
        limit=limit,
        seed=seed,
        eot=eot,
        batch_size=batch_size,
        device=device,
        check=not no_check,
        deterministic=deterministic,
    )
    source_benchmark = load_attack_benchmark(benchmark)
    opened = open_ahead(data, benchmark, asked)
    expect_every_picture(
        source_benchmark, source_benchmark.edition(edition), asked.attack.search_settings
    )

    # Only now, as torch takes seconds to import.
    with waiting("loading libraries"):
        from unforeseen.experiments.transfer import transfer as transfer_to

    with saying_how_to_go_on(out), Progress() as progress:
        table = transfer_to(
            source,
            target,
            opened.dataset,
            opened.benchmark,
            target_head=target_head or (),
            options=asked,
            out=out,
            reporter=progress,
        )
    print_tables([table])
    say(
        f"The runs, table.csv and plot.png are in {out}. To see the table again: "
        f"{as_typed('results', out)}"
    )
