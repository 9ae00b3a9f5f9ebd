r"""Compares this implementation with figures measured elsewhere on the same pictures and networks.

    python benchmarks/fidelity.py --benchmark cifar10-ua --data parquet:FILE \
        --model NAME=URI --model NAME=URI --reference REFERENCE.csv --out DIR

The reference has the columns network, attack, accuracy, mean_loss, accuracy_zero_steps; NAME is
how it calls a network. Runs go to DIR and are continued. Prints one line per network and attack,
means over seeds, and whether it lies within 2.5 points (accuracy), 10 % (mean loss) and 3 points
(accuracy of the start).
"""

import argparse
from dataclasses import replace
from pathlib import Path

import polars as pl

from unforeseen import evaluate
from unforeseen.benchmarks import load_attack_benchmark
from unforeseen.cli.progress import Progress
from unforeseen.models import load_model

LIMITS = {"accuracy": 0.025, "mean_loss": 0.10, "accuracy_zero_steps": 0.03}


def main() -> None:
    """Runs what is missing, then compares."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--benchmark", default="cifar10-ua")
    parser.add_argument("--edition", default="published")
    parser.add_argument("--gradient-batch", type=int, default=100)
    parser.add_argument("--batch-size", type=int, default=100)
    parser.add_argument("--data", required=True)
    parser.add_argument("--model", action="append", required=True, metavar="NAME=URI")
    parser.add_argument("--reference", type=Path, required=True)
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--seeds", type=int, default=3)
    arguments = parser.parse_args()

    benchmark = load_attack_benchmark(arguments.benchmark)
    edition = benchmark.edition(arguments.edition)
    if edition.gradient_batch is not None:
        edition = replace(edition, gradient_batch=arguments.gradient_batch)
        benchmark = replace(benchmark, editions={**benchmark.editions, arguments.edition: edition})
    frames = []
    for seed in range(arguments.seeds):
        for name, _, uri in (model.partition("=") for model in arguments.model):
            classifier = load_model(uri)
            for steps in (0, None):
                folder = arguments.out / f"{name}-{edition.name}-seed{seed}-steps{steps}"
                with Progress() as progress:
                    results = evaluate(
                        classifier,
                        arguments.data,
                        benchmark,
                        edition=edition.name,
                        seed=seed,
                        steps=steps,
                        batch_size=arguments.batch_size,
                        out=folder,
                        reporter=progress,
                    )
                rows = results.rows.filter(pl.col("transform") != "clean")
                frames.append(
                    rows.with_columns(
                        network=pl.lit(name), optimised=pl.lit(steps is None), seed=pl.lit(seed)
                    )
                )
        compare(pl.concat(frames), pl.read_csv(arguments.reference))


def compare(rows: pl.DataFrame, reference: pl.DataFrame) -> None:
    """Prints our means over seeds beside the reference."""
    keys = ["network", "transform"]
    optimised = pl.col("optimised")
    ours = rows.group_by(keys, maintain_order=True).agg(
        accuracy=pl.col("correct").filter(optimised).mean(),
        mean_loss=pl.col("loss").filter(optimised).mean(),
        accuracy_zero_steps=pl.col("correct").filter(~optimised).mean(),
        gradients=pl.col("gradient_evaluations").filter(optimised).sum(),
        broken=(pl.col("correct_any") & ~pl.col("correct")).sum(),
    )
    both = ours.join(
        reference, left_on=keys, right_on=["network", "attack"], suffix="_reference", how="left"
    )
    seeds = rows["seed"].n_unique()
    print(f"\n{seeds} seed(s); ours, reference, * outside {LIMITS}")
    for row in both.iter_rows(named=True):
        cells = []
        for figure, limit in LIMITS.items():
            mine, theirs = row[figure], row[f"{figure}_reference"]
            if mine is None or theirs is None:
                continue
            scale = theirs if figure == "mean_loss" else 1.0
            outside = "*" if abs(mine - theirs) > limit * scale + 1e-9 else " "
            cells.append(f"{figure} {mine:7.3f} {theirs:7.3f}{outside}")
        print(
            f"{row['network']:<22} {row['transform']:<13} {'  '.join(cells)}  "
            f"gradients {row['gradients']}  correct_any without correct: {row['broken']}",
            flush=True,
        )


if __name__ == "__main__":
    main()
