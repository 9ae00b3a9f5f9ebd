"""Whole runs of the small benchmark, in moments."""

from collections.abc import Sequence
from pathlib import Path

import polars as pl
from torch import nn

from data.in_memory import InMemory
from small import SmallNet, small_benchmark, small_dataset
from unforeseen.benchmarks import Benchmark
from unforeseen.data.dataset import Dataset
from unforeseen.models import as_classifier
from unforeseen.models.classifier import Predictor
from unforeseen.plan import make_plan
from unforeseen.reporter import Reporter
from unforeseen.runner import RunSettings, run
from unforeseen.summary import Summary, read_run

COUNT = 11


def labelled_dataset(count: int = COUNT) -> InMemory:
    """Labelled as SmallNet sees them, but for the last picture."""
    made = small_dataset(count, model=SmallNet())
    made.labels[-1] = (made.labels[-1] + 1) % 4
    return made


def run_small(
    folder: Path,
    model: nn.Module | Predictor | None = None,
    *,
    data: Dataset | None = None,
    benchmark: Benchmark | None = None,
    attacks: Sequence[str] = ("pgd", "pixel"),
    levels: Sequence[str] = ("medium",),
    edition: str = "published",
    limit: int | None = None,
    batch_size: int = 4,
    workers: int = 2,
    seed: int = 0,
    steps: int | None = None,
    save_images: bool = False,
    reporter: Reporter | None = None,
) -> Summary:
    """Plans and runs."""
    classifier = as_classifier(model or SmallNet())
    plan = make_plan(
        benchmark or small_benchmark(),
        classifier.card,
        edition=edition,
        attacks=attacks,
        levels=levels,
        seed=seed,
        steps=steps,
    )
    settings = RunSettings(
        limit=limit, batch_size=batch_size, workers=workers, save_images=save_images
    )
    return run(
        plan,
        classifier,
        data or labelled_dataset(),
        folder,
        settings=settings,
        reporter=reporter,
    )


def rows_of(folder: Path) -> pl.DataFrame:
    """What a folder holds in a fixed order, but for how long it took."""
    return read_run(folder)[1].drop("seconds").sort("transform", "level", "example_id")
