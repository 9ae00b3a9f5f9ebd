"""``unforeseen cost``: how long a step of each attack takes, as a ratio to PGD's."""

__all__ = ["cost"]

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from unforeseen.cli import options
from unforeseen.cli.joined import names_in
from unforeseen.cli.making_progress import MakingProgress, waiting
from unforeseen.typed_command import as_typed
from unforeseen.uri import path_to_write

if TYPE_CHECKING:
    from unforeseen.experiment_folder.cost_times import CostTimes


def cost(
    benchmark: options.BenchmarkName,
    model: options.Model,
    out: Annotated[
        Path,
        typer.Option(
            metavar="DIR",
            help="Folder for cost.json, table.csv and plot.png; those of an earlier measurement "
            "are replaced.",
            file_okay=False,
        ),
    ],
    data: Annotated[
        str | None,
        typer.Option(
            metavar="URI",
            help="Data URI. [default: soft blotches of colour of the benchmark's size, as what is "
            "on a picture hardly matters]",
        ),
    ] = None,
    head: options.HeadAsInRun = None,
    edition: Annotated[
        str | None,
        typer.Option(
            metavar="NAME",
            help="Whose geometry. [default: the benchmark's] Whichever it is, the last picture is "
            "judged, so that no picture leaves the batch early.",
        ),
    ] = None,
    attacks: options.Attacks = None,
    level: Annotated[
        str, typer.Option(metavar="NAME", help="low, medium or high; hardly matters.")
    ] = "medium",
    steps: Annotated[int, typer.Option(metavar="N", help="Steps that are timed at once.")] = 5,
    rounds: Annotated[
        int,
        typer.Option(
            metavar="N", help="How often each attack is timed; the table shows medians and ranges."
        ),
    ] = 5,
    batch_size: options.BatchSize = None,
    seed: Annotated[int, typer.Option(metavar="N", help="Seed of every draw.")] = 0,
    device: options.Device = None,
) -> None:
    """Measure what attacks cost: time per step, as a ratio to PGD's.

    Each attack is timed beside PGD, in turns and in several rounds, which a machine's other work
    spoils less than times; a note says where PGD beside itself comes out far from 1. Stop with Ctrl-C to get the figures of what was measured until then.
    """
    from unforeseen.benchmarks import load_attack_benchmark
    from unforeseen.benchmarks.levels import level_named
    from unforeseen.cli.ahead import load_data_aloud
    from unforeseen.experiment_folder.cost_times import COST_FILE
    from unforeseen.files.occupied import refuse_occupied
    from unforeseen.whole import whole_number

    out = path_to_write("--out", out)
    refuse_occupied(out, kind="folder of unforeseen cost", marker=COST_FILE)
    chosen = names_in(attacks)
    source = load_attack_benchmark(benchmark)
    source.edition(edition)
    for name in chosen or ():
        source.attack(name)
    level_named(level)
    for option, number in (("steps", steps), ("rounds", rounds)):
        whole_number(option, number, minimum=1)
    dataset = None if data is None else load_data_aloud(data)

    # Only now, as torch takes seconds to import.
    with waiting("loading libraries"):
        from unforeseen.experiments.cost import cost_plan, measure_cost
        from unforeseen.fitting import fit_data, fit_model
        from unforeseen.models import load_model
        from unforeseen.running.batch_size import batch_size_for

    with waiting("loading the model"):
        classifier = fit_model(load_model(model, device=device), source, head or ())
    plan = cost_plan(
        source, classifier.card, edition=edition, attacks=chosen, level=level, seed=seed
    )
    latest: CostTimes | None = None
    measured = measure_cost(
        plan,
        classifier,
        None if dataset is None else fit_data(dataset, source),
        batch_size=batch_size_for(plan, classifier.device, batch_size),
        steps=steps,
        rounds=rounds,
    )
    try:
        for times in _watched(measured, rounds, len(plan.cells) - 1):
            latest = times
    finally:
        # Also of a measurement that is stopped; the first Ctrl-C leaves time for it.
        if latest is not None and any(attack.rounds for attack in latest.attacks):
            _show(out, latest)


def _watched(measured: Iterator["CostTimes"], rounds: int, attacks: int) -> Iterator["CostTimes"]:
    """Passes on what is measured, and shows how far it is."""
    total = (rounds + 1) * attacks
    with MakingProgress() as progress:
        progress.advance("measuring", 0, total, "warming up")
        for done, times in enumerate(measured, start=1):
            number = done // attacks
            about = f"round {number} of {rounds}" if number else "warming up"
            progress.advance("measuring", done, total, about)
            yield times


def _show(out: Path, times: "CostTimes") -> None:
    """Writes and prints what was measured."""
    from unforeseen.cli.output import print_costs, say
    from unforeseen.experiment_folder.cost_times import write_times
    from unforeseen.files.atomic import save_file
    from unforeseen.report.cost_figures import costs_of
    from unforeseen.report.cost_plot import draw_costs
    from unforeseen.report.cost_table import costs_to_csv
    from unforeseen.report.experiment_files import PLOT_FILE, TABLE_FILE

    write_times(out, times)
    save_file(out / TABLE_FILE, costs_to_csv([times]).encode())
    print_costs([times])
    if any(cost.ratio for cost in costs_of(times)):
        with waiting("drawing the plot"):
            draw_costs(out / PLOT_FILE, times)
    say(
        f"Every time that was taken, the table and a plot are in {out}. To see the table again: "
        f"{as_typed('results', out)}"
    )
