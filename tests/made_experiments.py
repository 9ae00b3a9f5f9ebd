"""Experiments whose runs never ran, for tests of what reads them."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from made_runs import made_record, small_benchmark
from unforeseen.benchmarks import AttackBenchmark, Level
from unforeseen.benchmarks.scaled import in_name, scaled
from unforeseen.experiment_folder.naming import folder_name
from unforeseen.experiment_folder.record import (
    Experiment,
    ExperimentName,
    ExperimentRun,
    write_experiment,
)
from unforeseen.rows import CLEAN, Row
from unforeseen.run_folder.record import write_record
from unforeseen.run_folder.runlog import RunLog

#: Attack → for each value how many of the ten pictures survive.
Survivors = Mapping[str, Sequence[int]]


def made_experiment(
    folder: Path,
    name: ExperimentName,
    values: Sequence[float],
    models: Mapping[str, Survivors],
    *,
    levels: Sequence[Level] = ("medium",),
    images: int = 10,
    reached: Mapping[str, Sequence[float]] | None = None,
) -> Path:
    """Writes an experiment: of each model and attack the first so many pictures survive.

    Args:
        folder: Where to.
        name: Which experiment.
        values: Of its runs.
        models: By URI, how many survive.
        levels: Of every attack.
        images: Pictures that were chosen; nine of ten are right when clean.
        reached: By attack, for each value the norm of those that survive; others have 1.
    """
    runs = []
    names: list[str] = []
    for uri, survivors in models.items():
        names.append(folder_name(uri, names))
        for index, value in enumerate(values):
            run = ExperimentRun(f"{names[-1]}/{name}-{in_name(value)}", value)
            runs.append(run)
            record = made_record(
                benchmark=_benchmark(name, value),
                attacks=tuple(survivors),
                levels=levels,
                model=uri,
                images=images,
                check=None,
            )
            record["model"]["fingerprint"] = uri
            if name == "seeds":
                record["seed"] = int(value)
            write_record(folder / run.folder, record)
            with RunLog(folder / run.folder) as log:
                alive = {each: survivors[each][index] for each in survivors}
                norms = {each: shares[index] for each, shares in (reached or {}).items()}
                log.append(_rows(record, alive, norms))
    write_experiment(folder, Experiment(name=name, runs=tuple(runs)))
    return folder


def _benchmark(name: ExperimentName, value: float) -> AttackBenchmark:
    if name in ("radii", "step-sizes"):
        return scaled(small_benchmark(), "radii" if name == "radii" else "step-sizes", value)
    return small_benchmark()


def _rows(
    record: dict[str, Any], survivors: Mapping[str, int], norms: Mapping[str, float]
) -> list[Row]:
    return [
        Row(
            cell=cell["id"],
            example_id=f"p{picture:03}",
            label=0,
            transform=cell["transform"],
            level=cell["level"],
            seed=record["seed"],
            correct=picture < survivors.get(cell["transform"], 9),
            gradient_evaluations=0 if cell["transform"] == CLEAN else 2,
            norm=None
            if cell["transform"] == CLEAN
            else norms.get(cell["transform"], 1.0)
            if picture < survivors[cell["transform"]]
            else 0.1,
        )
        for cell in record["cells"]
        for picture in range(record["data"]["chosen"])
    ]
