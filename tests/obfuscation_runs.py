"""Whole runs of a small benchmark of obfuscations, in moments."""

from collections.abc import Sequence
from pathlib import Path

import polars as pl
import torch
from torch import nn

from data.in_memory import Content, InMemory, InMemoryObfuscated
from made_assets import made_assets
from small import SmallNet
from small_runs import KEY, labelled_dataset
from unforeseen.benchmarks import ObfuscationBenchmark, load_benchmark
from unforeseen.benchmarks.kinds import expect_obfuscations
from unforeseen.data.dataset import Dataset
from unforeseen.data.identity import identify
from unforeseen.models import as_classifier
from unforeseen.models.classifier import Predictor
from unforeseen.pixels import pixels_of
from unforeseen.rng import ExampleKey
from unforeseen.run_folder.obfuscation_summary import ObfuscationSummary
from unforeseen.run_folder.read_run import read_obfuscation_run
from unforeseen.running.obfuscation_plan import make_obfuscation_plan
from unforeseen.running.ready_made import ReadyMade
from unforeseen.running.reporter import Reporter
from unforeseen.running.run_settings import RunSettings
from unforeseen.running.runner import run
from unforeseen.transforms import OBFUSCATIONS

NAMES = ("ColorNoiseBlocks", "HighContrastBorder", "IconOverlay")

OBFUSCATION_FILE = """
schema = 1
name = "small-obfuscation"
title = "Three obfuscations of pictures of 32 px"
source = "made for tests"
image_size = 32
metric = "worst_case"

[obfuscations.ColorNoiseBlocks]
group = "training"
ranges = { block = [40, 60] }

[obfuscations.HighContrastBorder]
group = "training"

[obfuscations.IconOverlay]
group = "hold-out"
"""


def obfuscation_benchmark(folder: Path, *changes: tuple[str, str]) -> ObfuscationBenchmark:
    """The benchmark of :data:`OBFUSCATION_FILE`, with some text replaced."""
    text = OBFUSCATION_FILE
    for old, new in changes:
        assert old in text
        text = text.replace(old, new)
    folder.mkdir(parents=True, exist_ok=True)
    file = folder / "small-obfuscation.toml"
    file.write_text(text, encoding="utf-8")
    return expect_obfuscations(load_benchmark(file))


def run_obfuscated(
    folder: Path,
    model: nn.Module | Predictor | None = None,
    *,
    data: Dataset | None = None,
    benchmark: ObfuscationBenchmark | None = None,
    obfuscations: Sequence[str] | None = None,
    limit: int | None = None,
    seed: int = 0,
    eot: int = 1,
    worst_of: int = 1,
    assets: Path | None = None,
    batch_size: int = 4,
    save_images: bool = False,
    check: bool = False,
    reporter: Reporter | None = None,
) -> ObfuscationSummary:
    """Plans and runs; without ``assets`` with those of :mod:`made_assets`, beside the folder."""
    classifier = as_classifier(model or SmallNet())
    dataset = data or labelled_dataset()
    made = ReadyMade.of(dataset)
    if assets is None and made is None:
        assets = made_assets(folder.parent / "assets").folder
    plan = make_obfuscation_plan(
        benchmark or obfuscation_benchmark(folder.parent / "benchmark"),
        classifier.card,
        obfuscations=obfuscations,
        seed=seed,
        eot=eot,
        worst_of=worst_of,
        assets=assets,
        ready_made=made,
    )
    settings = RunSettings(limit=limit, batch_size=batch_size, save_images=save_images, check=check)
    summary = run(plan, classifier, dataset, folder, settings=settings, reporter=reporter)
    assert isinstance(summary, ObfuscationSummary)
    return summary


def rows_of_obfuscations(folder: Path) -> pl.DataFrame:
    """What a folder holds in a fixed order, but for how long it took."""
    return read_obfuscation_run(folder).rows.drop("seconds").sort(KEY)


def obfuscated_dataset(
    folder: Path, clean: InMemory, names: Sequence[str] = NAMES, *, seed: int = 0
) -> InMemoryObfuscated:
    """What a run of the same seed would make of a data set, made here by hand.

    Args:
        folder: Where :mod:`made_assets` writes.
        clean: The pictures.
        names: Which obfuscations.
        seed: Of the draws.
    """
    assets = made_assets(folder)
    benchmark = obfuscation_benchmark(folder / "benchmark")
    ids = identify(clean, range(clean.card.images))
    made: dict[str, tuple[list[Content], list[str | None]]] = {}
    for name in names:
        kind = OBFUSCATIONS[name]
        ranges = benchmark.obfuscation(name).ranges
        default = kind()
        obfuscation = kind(
            **{key: type(getattr(default, key))(*each) for key, each in ranges.items()}
        )
        pictures, records = made.setdefault(name, ([], []))
        for index, example_id in enumerate(ids):
            content = clean.read(index)
            assert not isinstance(content, bytes)
            image = torch.from_numpy(content.copy()).permute(2, 0, 1).float() / 255
            key = ExampleKey(seed=seed, transform=name, example_id=example_id)
            parameters = obfuscation.sample(key.stream("parameters"), (32, 32), assets)
            pictures.append(pixels_of(obfuscation.apply(image, parameters, assets)))
            records.append(parameters.to_json())
    return InMemoryObfuscated(clean, made, example_ids=ids)
