"""``unforeseen run``: a benchmark on a model and a data set, into a folder."""

__all__ = ["run"]

from pathlib import Path
from typing import Annotated

import typer

from unforeseen.cli import options
from unforeseen.cli.evasion_rates import expect_class, say_where_evasions_are, show_evasion_rates
from unforeseen.cli.joined import names_in, whole_numbers_in
from unforeseen.cli.making_progress import waiting
from unforeseen.cli.obfuscation_options import Positive, Threshold
from unforeseen.cli.progress import Progress
from unforeseen.errors import UserError
from unforeseen.positive_class import Filter
from unforeseen.typed_command import as_typed
from unforeseen.uri import path_of, path_to_write


def run(
    benchmark: options.BenchmarkName,
    model: options.Model,
    data: options.Data,
    out: Annotated[
        Path,
        typer.Option(
            metavar="DIR", help="Run folder. A run that is there is continued.", file_okay=False
        ),
    ],
    head: options.Head = None,
    obfuscations: options.Obfuscations = None,
    worst_of: Annotated[
        int | None,
        typer.Option(
            metavar="K",
            help="Draws of each obfuscation for a picture, all of which are judged and the worst kept: "
            "as of somebody who tries until it passes. [default: 1]",
        ),
    ] = None,
    assets: options.Assets = None,
    positive: Positive = None,
    threshold: Threshold = None,
    edition: options.Edition = None,
    attacks: options.Attacks = None,
    levels: options.Levels = None,
    limit: options.Limit = None,
    seed: options.SeedOrMade = None,
    seeds: Annotated[
        list[str] | None,
        typer.Option(
            metavar="NUMBERS",
            help="A run with each of these, e.g. 0..4 or 0,1,5, in folders below --out: how much of "
            "each figure is luck. All on the pictures that seed 0 chooses. Instead of --seed.",
        ),
    ] = None,
    steps: options.Steps = None,
    eot: options.Eot = 1,
    search: options.Search = None,
    loss: options.Loss = None,
    restarts: options.Restarts = None,
    draws: options.Draws = None,
    batch_size: options.BatchSize = None,
    save_images: Annotated[
        bool, typer.Option("--save-images", help="Keep every judged picture as images/…/ID.png.")
    ] = False,
    deterministic: options.Deterministic = False,
    no_check: options.NoCheck = False,
    device: options.Device = None,
) -> None:
    """Measure a model: accuracy under each attack or obfuscation.

    Every row is on disk within seconds. Stop with Ctrl-C and run the same command again to go on; a
    larger --limit, more --attacks, --levels or --obfuscations reuse what is there.
    """
    from unforeseen.benchmarks import ObfuscationBenchmark
    from unforeseen.cli.ahead import open_ahead
    from unforeseen.cli.output import (
        print_experiment,
        print_obfuscation_seeds,
        print_obfuscations,
        print_tables,
        say,
        saying_how_to_go_on,
    )
    from unforeseen.experiments.values import seeds_of
    from unforeseen.report.obfuscation_tables import obfuscation_tables
    from unforeseen.report.tables import result_tables
    from unforeseen.running.options import AttackOptions, ObfuscationOptions, RunOptions

    out = path_to_write("--out", out)
    if seeds is not None and seed is not None:
        raise UserError(f"--seeds: expected it instead of --seed, got both (--seed {seed}).")
    wanted = Filter.asked(positive, threshold)
    if seeds is not None and wanted is not None:
        raise UserError(
            "--positive: expected one run, got --seeds; ask each of their runs afterwards: unforeseen "
            "results RUN --positive CLASS --threshold T."
        )
    several = None if seeds is None else seeds_of(whole_numbers_in(seeds, "--seeds"))
    asked = RunOptions(
        head=head or (),
        attack=AttackOptions(
            edition=edition,
            attacks=names_in(attacks),
            levels=names_in(levels),
            steps=steps,
            search=search,
            loss=loss,
            restarts=restarts,
            draws=draws,
        ),
        obfuscation=ObfuscationOptions(
            obfuscations=names_in(obfuscations),
            worst_of=worst_of,
            assets=None if assets is None else path_of(str(assets)),
        ),
        limit=limit,
        seed=seed,
        eot=eot,
        batch_size=batch_size,
        device=device,
        save_images=save_images,
        check=not no_check,
        deterministic=deterministic,
    )
    opened = open_ahead(data, benchmark, asked)
    if wanted is not None:
        expect_class(wanted.positive, opened, heads=head or ())

    # Only now, as torch takes seconds to import.
    with waiting("loading libraries"):
        from unforeseen.experiments.seeds import run_obfuscation_seeds, run_seeds
        from unforeseen.results import AttackResults
        from unforeseen.running.evaluation import evaluate_with

    if several is None:
        with saying_how_to_go_on(out), Progress() as progress:
            results = evaluate_with(
                asked, model, opened.dataset, opened.benchmark, out=out, reporter=progress
            )
        if isinstance(results, AttackResults):
            print_tables(result_tables([results.summary]))
        else:
            print_obfuscations(obfuscation_tables([results.summary]), "balanced")
        if wanted is not None:
            show_evasion_rates(out, wanted)
        say(f"Rows, record and summary are in {out}. To see them again: {as_typed('results', out)}")
        if wanted is not None:
            say_where_evasions_are(out, wanted)
        return
    what = (model, opened.dataset, opened.benchmark)
    if isinstance(opened.benchmark, ObfuscationBenchmark):
        with saying_how_to_go_on(out), Progress() as progress:
            seeded = run_obfuscation_seeds(
                *what, seeds=several, options=asked, out=out, reporter=progress
            )
        print_obfuscation_seeds([seeded], "balanced")
    else:
        with saying_how_to_go_on(out), Progress() as progress:
            tables = run_seeds(*what, seeds=several, options=asked, out=out, reporter=progress)
        print_experiment(tables)
    say(f"Runs, table.csv and plot.png are in {out}. To see them again: {as_typed('results', out)}")
