"""Records and rows of runs that never ran, for tests of what reads them."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import polars as pl

from unforeseen.benchmarks import AttackBenchmark, Level, load_attack_benchmark
from unforeseen.check.findings import AtZero, Measurement
from unforeseen.check.result import CheckResult
from unforeseen.rows import CLEAN, Row, frame_of
from unforeseen.run_folder.planned_attacks import PlannedAttackRun
from unforeseen.run_folder.planned_kinds import planned_run
from unforeseen.run_folder.record import write_record
from unforeseen.run_folder.runlog import RunLog

CORE = ("jpeg", "elastic", "wood", "glitch", "kaleidoscope", "pixel", "snow", "gabor")
EVERY = ("pgd", *CORE)
IMAGES = 10
CHECKED = CheckResult(
    pictures=IMAGES,
    subset="0" * 32,
    notes=("the model draws at random.",),
    measurements=(
        Measurement("accuracy", 0.9, IMAGES),
        Measurement("expected_accuracy", 0.8, None),
    ),
    at_zero=(AtZero("wood", 7, IMAGES),),
)


def small_benchmark(name: str = "imagenet-ua") -> AttackBenchmark:
    """The built-in benchmark under another name, as if its data set had ten pictures."""
    return replace(load_attack_benchmark(name), name=f"small-{name}", images=IMAGES)


def made_record(
    *,
    benchmark: AttackBenchmark | None = None,
    edition: str = "published",
    attacks: Sequence[str] = EVERY,
    levels: Sequence[Level] = ("low", "medium", "high"),
    model: str = "timm:resnet50",
    source_model: str | None = None,
    images: int = IMAGES,
    available: int | None = None,
    check: CheckResult | None = CHECKED,
) -> dict[str, Any]:
    """A record such as run.json holds."""
    benchmark = benchmark or small_benchmark()
    cells: list[dict[str, Any]] = [{"id": "c0", "transform": CLEAN, "level": ""}] + [
        {
            "id": f"a{len(levels) * number + index}",
            "transform": attack,
            "level": level,
            "radius": benchmark.attacks[attack].radii[level],
            "steps": benchmark.attacks[attack].steps,
        }
        for number, attack in enumerate(attacks)
        for index, level in enumerate(levels)
    ]
    for cell in cells[1:] if source_model else ():
        cell |= {"source": f"{cell['id']}0", "source_cell": cell | {"id": f"{cell['id']}0"}}
    return {
        "schema": 1,
        "benchmark": benchmark.to_record(),
        "edition": edition,
        "seed": 0,
        "model": {"uri": model, "fingerprint": "f"},
        "source_model": source_model and {"uri": source_model, "fingerprint": "s"},
        "data": {"uri": "imagefolder:val", "images": available or images, "chosen": images},
        "check": None if check is None else check.to_record(),
        "cells": cells,
    }


def made_rows(record: dict[str, Any], *, survivors: int = 3) -> list[Row]:
    """A row for each cell and picture: all right when clean, the first ``survivors`` attacked."""
    return [
        Row(
            cell=cell["id"],
            example_id=f"p{picture:03}",
            label=0,
            transform=cell["transform"],
            level=cell["level"],
            seed=0,
            correct=cell["transform"] == CLEAN or picture < survivors,
            gradient_evaluations=0 if cell["transform"] == CLEAN else 2,
        )
        for cell in record["cells"]
        for picture in range(record["data"]["chosen"])
    ]


def planned_attack_run(record: Mapping[str, Any]) -> PlannedAttackRun:
    """What a record of attacks says was to be run."""
    run = planned_run(record)
    assert isinstance(run, PlannedAttackRun)
    return run


def made_frame(record: dict[str, Any], *, survivors: int = 3) -> pl.DataFrame:
    """The same as a frame."""
    return frame_of(made_rows(record, survivors=survivors))


def made_folder(folder: Path, record: dict[str, Any]) -> Path:
    """The same on disk."""
    write_record(folder, record)
    with RunLog(folder) as log:
        log.append(made_rows(record))
    return folder
