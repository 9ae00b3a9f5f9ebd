"""Records and rows of runs of obfuscations that never ran, for tests of what reads them."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np

from made_rows import judged_row
from unforeseen.benchmarks import ObfuscationBenchmark, load_benchmark
from unforeseen.experiment_folder.record import Experiment, ExperimentRun, write_experiment
from unforeseen.rows import CLEAN, Row, Status, frame_of
from unforeseen.run_folder.obfuscation_summary import summarise_obfuscations
from unforeseen.run_folder.planned_obfuscations import PlannedObfuscationRun
from unforeseen.run_folder.read_run import ReadObfuscationRun
from unforeseen.run_folder.record import write_record
from unforeseen.run_folder.runlog import RunLog

HOLD_OUTS = ("LowContrastTriangles", "PerspectiveComposition", "ColorPatternOverlay")
#: Of ten pictures: five dogs, three birds, a bear and a clock.
LABELS = (10, 10, 10, 10, 10, 3, 3, 3, 1, 9)


def obfuscation_benchmark(name: str = "image-obfuscation") -> ObfuscationBenchmark:
    """The built-in benchmark under another name, as if its data set had ten pictures."""
    benchmark = load_benchmark(name)
    assert isinstance(benchmark, ObfuscationBenchmark)
    return replace(benchmark, name=f"small-{name}", images=len(LABELS))


def made_record(
    *,
    benchmark: ObfuscationBenchmark | None = None,
    obfuscations: Sequence[str] | None = None,
    model: str = "timm:resnet50",
    images: int = len(LABELS),
    available: int | None = None,
    classes: Sequence[str] | None = None,
    worst_of: int = 1,
    published: bool = False,
    assets: str = "a",
    own_assets: bool = False,
    encoding: str | None = None,
) -> dict[str, Any]:
    """A record such as run.json holds."""
    benchmark = benchmark or obfuscation_benchmark()
    names = [CLEAN, *(benchmark.obfuscations if obfuscations is None else obfuscations)]
    made = None
    if published or encoding is not None:
        who = "published" if published else "unforeseen"
        made = {
            "made_by": who,
            "fingerprint": f"f {encoding}",
            "encoding": encoding,
            "own_assets": own_assets,
        }
    taken = {
        "folders": {"icon": None},
        "fingerprints": {"icon": assets},
        "own": ["icon"] * own_assets,
    }
    return {
        "schema": 1,
        "benchmark": benchmark.to_record(),
        "seed": 0,
        "eot": 1,
        "model": {"uri": model, "fingerprint": f"of {model}"},
        "data": {
            "uri": "imagefolder:val",
            "images": available or images,
            "chosen": images,
            "classes": classes,
        },
        "check": None,
        "worst_of": worst_of,
        "ready_made": made,
        "assets": taken if made is None else None,
        "cells": [
            {"id": f"c{number:x}", "transform": name, "level": ""}
            | ({"assets": {"icon": assets}} if name == "IconOverlay" and made is None else {})
            for number, name in enumerate(names)
        ],
    }


def planned(record: Mapping[str, Any]) -> PlannedObfuscationRun:
    """What a record says was to be run."""
    benchmark = ObfuscationBenchmark.from_record(record["benchmark"])
    return PlannedObfuscationRun.from_record(record, benchmark)


def made_verdicts(record: Mapping[str, Any], *, seed: int = 0) -> dict[str, list[bool]]:
    """Verdicts drawn at random: nine of ten pictures right when clean, else fewer."""
    rng = np.random.default_rng(seed)
    pictures = record["data"]["chosen"]
    return {
        cell["transform"]: (
            rng.random(pictures) < (0.9 if cell["transform"] == CLEAN else 0.6)
        ).tolist()
        for cell in record["cells"]
    }


def made_rows(
    record: Mapping[str, Any],
    verdicts: Mapping[str, Sequence[bool]] | None = None,
    *,
    labels: Sequence[int] = LABELS,
    status: Mapping[tuple[str, int], Status] | None = None,
) -> list[Row]:
    """Rows with these verdicts: right ones of rank 1, wrong ones of rank 2.

    Args:
        record: Whose cells.
        verdicts: By transform, of each picture; None takes :func:`made_verdicts`.
        labels: Of the pictures.
        status: By transform and picture, where it is another than ``ok``.
    """
    verdicts = made_verdicts(record) if verdicts is None else verdicts
    return [
        judged_row(
            cell["transform"],
            picture,
            label,
            rank=1 if right else 2,
            probability=0.8 if right else 0.3,
            status=(status or {}).get((cell["transform"], picture), "ok"),
            cell=cell["id"],
        )
        for cell in record["cells"]
        for picture, (label, right) in enumerate(
            zip(labels, verdicts[cell["transform"]], strict=True)
        )
    ]


def made_read_run(
    record: Mapping[str, Any],
    verdicts: Mapping[str, Sequence[bool]] | None = None,
    *,
    labels: Sequence[int] = LABELS,
    status: Mapping[tuple[str, int], Status] | None = None,
) -> ReadObfuscationRun:
    """A run as it is read back; takes what :func:`made_rows` does."""
    rows = frame_of(made_rows(record, verdicts, labels=labels, status=status))
    run = planned(record)
    return ReadObfuscationRun(summarise_obfuscations(run, rows), rows, run)


def made_folder(
    folder: Path,
    record: dict[str, Any],
    verdicts: Mapping[str, Sequence[bool]] | None = None,
    *,
    labels: Sequence[int] = LABELS,
) -> Path:
    """The same on disk."""
    write_record(folder, record)
    with RunLog(folder) as log:
        log.append(made_rows(record, verdicts, labels=labels))
    return folder


def made_seeds(folder: Path, seeds: Sequence[int], record: dict[str, Any] | None = None) -> Path:
    """An experiment over seeds, the verdicts of each drawn with that seed.

    Args:
        folder: Where to.
        seeds: Rising.
        record: Of every run, but for the seed; None takes :func:`made_record`'s.
    """
    runs = tuple(ExperimentRun(f"seed-{seed}", seed) for seed in seeds)
    for seed, run in zip(seeds, runs, strict=True):
        seeded = (record or made_record()) | {"seed": seed}
        write_record(folder / run.folder, seeded)
        with RunLog(folder / run.folder) as log:
            rows = made_rows(seeded, made_verdicts(seeded, seed=seed))
            log.append([replace(row, seed=seed) for row in rows])
    write_experiment(folder, Experiment(name="seeds", runs=runs))
    return folder
