"""``unforeseen sweep``: accuracy against the number of steps, the radii or the step sizes."""

__all__ = ["sweep"]

from collections.abc import Sequence
from pathlib import Path
from typing import Annotated, NamedTuple

import typer

from unforeseen.cli import options
from unforeseen.cli.joined import names_in, numbers_in, whole_numbers_in
from unforeseen.cli.making_progress import waiting
from unforeseen.cli.progress import Progress
from unforeseen.errors import UserError
from unforeseen.experiments.values import SweepName, refuse_search, sweep_values
from unforeseen.typed_command import as_typed
from unforeseen.uri import path_to_write


def sweep(
    benchmark: options.BenchmarkName,
    model: options.Models,
    data: options.Data,
    out: Annotated[
        Path,
        typer.Option(
            metavar="DIR",
            help="Folder of the experiment. One that is there is continued.",
            file_okay=False,
        ),
    ],
    steps: Annotated[
        list[str] | None,
        typer.Option(
            metavar="NUMBERS", help="Numbers of steps to judge after, e.g. 0,1,2,5,10,20,50."
        ),
    ] = None,
    radii: Annotated[
        list[str] | None,
        typer.Option(
            metavar="NUMBERS", help="Multiples of the benchmark's radii, e.g. 0.25,0.5,1,2,4."
        ),
    ] = None,
    step_sizes: Annotated[
        list[str] | None,
        typer.Option(
            metavar="NUMBERS", help="Multiples of the benchmark's step sizes, e.g. 0.25,0.5,1,2,4."
        ),
    ] = None,
    level: Annotated[str, typer.Option(metavar="NAME", help="low, medium or high.")] = "medium",
    head: options.Head = None,
    edition: options.Edition = None,
    attacks: options.Attacks = None,
    limit: options.Limit = None,
    seed: options.Seed = 0,
    eot: options.Eot = 1,
    search: options.Search = None,
    loss: options.Loss = None,
    restarts: options.Restarts = None,
    draws: options.Draws = None,
    batch_size: options.BatchSize = None,
    deterministic: options.Deterministic = False,
    no_check: options.NoCheck = False,
    device: options.Device = None,
) -> None:
    """Run a benchmark at several steps, radii or step sizes.

    Takes one of --steps, --radii and --step-sizes. Each value of each model is an ordinary run in a
    folder below --out; table.csv and plot.png are of all of them. The same command goes on with
    what is missing; further values and models come to those that are there.
    """
    from unforeseen.benchmarks import load_attack_benchmark
    from unforeseen.cli.ahead import open_ahead
    from unforeseen.cli.output import print_experiment, say, saying_how_to_go_on
    from unforeseen.running.options import AttackOptions, RunOptions

    out = path_to_write("--out", out)
    swept = _asked(steps, radii, step_sizes)
    asked = RunOptions(
        head=head or (),
        attack=AttackOptions(
            edition=edition,
            attacks=names_in(attacks),
            levels=(level,),
            search=search,
            loss=loss,
            restarts=restarts,
            draws=draws,
        ),
        limit=limit,
        seed=seed,
        eot=eot,
        batch_size=batch_size,
        device=device,
        check=not no_check,
        deterministic=deterministic,
    )
    refuse_search(swept.name, asked.attack.search_settings)
    load_attack_benchmark(benchmark)
    opened = open_ahead(data, benchmark, asked)

    # Only now, as torch takes seconds to import.
    with waiting("loading libraries"):
        from unforeseen.experiments.sweep import sweep as run_sweep

    with saying_how_to_go_on(out), Progress() as progress:
        tables = run_sweep(
            model,
            opened.dataset,
            opened.benchmark,
            over=swept.name,
            values=swept.values,
            options=asked,
            out=out,
            reporter=progress,
        )
    print_experiment(tables)
    say(f"Runs, table.csv and plot.png are in {out}. To see them again: {as_typed('results', out)}")


class _Asked(NamedTuple):
    name: SweepName
    values: Sequence[float]


def _asked(
    steps: Sequence[str] | None, radii: Sequence[str] | None, step_sizes: Sequence[str] | None
) -> _Asked:
    """Which sweep, over what; raises UserError where not exactly one is asked for."""
    given: dict[SweepName, Sequence[str] | None] = {
        "steps": steps,
        "radii": radii,
        "step-sizes": step_sizes,
    }
    named = [(name, texts) for name, texts in given.items() if texts]
    if len(named) != 1:
        got = " and ".join(f"--{name}" for name, _ in named) or "none"
        raise UserError(f"expected one of --steps, --radii and --step-sizes; got {got}.")
    ((name, texts),) = named
    option = f"--{name}"
    numbers = whole_numbers_in(texts, option) if name == "steps" else numbers_in(texts, option)
    return _Asked(name, sweep_values(name, numbers))
