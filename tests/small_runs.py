"""Whole runs of the small benchmark, in moments."""

from collections.abc import Sequence
from pathlib import Path

import numpy as np
import polars as pl
from polars.testing import assert_frame_equal
from torch import nn

from data.in_memory import InMemory
from small import SmallNet, small_benchmark, small_dataset
from unforeseen.benchmarks import AttackBenchmark
from unforeseen.data.dataset import Dataset
from unforeseen.models import as_classifier
from unforeseen.models.classifier import Predictor
from unforeseen.run_folder.attack_summary import AttackSummary
from unforeseen.run_folder.read_run import read_attack_run
from unforeseen.running.attack_plan import make_attack_plan
from unforeseen.running.reporter import Reporter, Silent
from unforeseen.running.run_settings import RunSettings
from unforeseen.running.runner import run
from unforeseen.running.transfer_plan import transfer_plan
from unforeseen.search.settings import SearchSettings

COUNT = 11
KEY = ["transform", "level", "example_id"]


class Notes(Silent):
    """Keeps what a user would be told."""

    def __init__(self) -> None:
        self.said: list[str] = []

    def note(self, text: str) -> None:
        self.said.append(text)


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
    benchmark: AttackBenchmark | None = None,
    attacks: Sequence[str] = ("pgd", "pixel"),
    levels: Sequence[str] = ("medium",),
    edition: str = "published",
    limit: int | None = None,
    choice_seed: int | None = None,
    batch_size: int = 4,
    seed: int = 0,
    steps: int | None = None,
    eot: int = 1,
    search: SearchSettings | None = None,
    save_images: bool = False,
    check: bool = False,
    deterministic: bool = False,
    reporter: Reporter | None = None,
) -> AttackSummary:
    """Plans and runs."""
    classifier = as_classifier(model or SmallNet())
    plan = make_attack_plan(
        benchmark or small_benchmark(),
        classifier.card,
        edition=edition,
        attacks=attacks,
        levels=levels,
        seed=seed,
        steps=steps,
        eot=eot,
        search=search,
    )
    settings = RunSettings(
        limit=limit,
        choice_seed=choice_seed,
        batch_size=batch_size,
        save_images=save_images,
        check=check,
        deterministic=deterministic,
    )
    summary = run(
        plan,
        classifier,
        data or labelled_dataset(),
        folder,
        settings=settings,
        reporter=reporter,
    )
    assert isinstance(summary, AttackSummary)
    return summary


def transfer_small(
    folder: Path,
    source_folder: Path,
    target: nn.Module | Predictor,
    *,
    source: nn.Module | Predictor | None = None,
    data: Dataset | None = None,
    benchmark: AttackBenchmark | None = None,
    attacks: Sequence[str] = ("pgd", "pixel"),
    limit: int | None = None,
    batch_size: int = 4,
    eot: int = 1,
    reporter: Reporter | None = None,
) -> AttackSummary:
    """Runs a target on the pictures that :func:`run_small` saved of a source."""
    made_against, classifier = as_classifier(source or SmallNet()), as_classifier(target)
    plan = make_attack_plan(
        benchmark or small_benchmark(), made_against.card, attacks=attacks, eot=eot
    )
    summary = run(
        transfer_plan(plan, made_against.card, classifier.card, folder=source_folder),
        classifier,
        data or labelled_dataset(),
        folder,
        settings=RunSettings(limit=limit, batch_size=batch_size, check=False),
        reporter=reporter,
    )
    assert isinstance(summary, AttackSummary)
    return summary


def rows_of(folder: Path) -> pl.DataFrame:
    """What a folder holds in a fixed order, but for how long it took."""
    return read_attack_run(folder)[1].drop("seconds").sort(KEY)


def assert_same_results(one: pl.DataFrame, other: pl.DataFrame) -> None:
    """Verdicts, steps and counts exactly; losses but for float32's last digits.

    Which pictures share the last, smaller batches depends on what was there before.
    """
    one, other = one.sort(KEY), other.sort(KEY)
    numbers = [name for name, dtype in one.schema.items() if dtype.is_float()]
    exact = [name for name in one.columns if name not in (*numbers, "top10")]
    assert_frame_equal(one.select(exact), other.select(exact))
    tables = [one.select(*KEY, *numbers), other.select(*KEY, *numbers)]
    tables += [_probabilities(one), _probabilities(other)]
    for ours, theirs in zip(tables[::2], tables[1::2], strict=True):
        np.testing.assert_allclose(
            ours.drop(KEY).to_numpy(), theirs.drop(KEY).to_numpy(), rtol=1e-4, atol=1e-5
        )


def _probabilities(rows: pl.DataFrame) -> pl.DataFrame:
    """One line per picture and class."""
    flat = rows.select(*KEY, "top10").explode("top10").unnest("top10")
    return flat.sort(*KEY, "class_index")
