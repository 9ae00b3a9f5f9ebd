"""Why a run is not the whole benchmark, in words."""

__all__ = ["CellRows", "reasons_for_partial"]

from collections.abc import Sequence
from typing import NamedTuple

import polars as pl

from unforeseen.benchmarks import BENCHMARKS, LEVELS, load_benchmark
from unforeseen.counted import counted
from unforeseen.rows import CLEAN
from unforeseen.run_folder.planned import PlannedCell, PlannedRun


class CellRows(NamedTuple):
    """A cell and its rows, one a picture."""

    cell: PlannedCell
    rows: pl.DataFrame

    @property
    def images(self) -> int:
        """How many pictures have a row."""
        return self.rows.height


def reasons_for_partial(run: PlannedRun, cells: Sequence[CellRows]) -> list[str]:
    """Says what keeps a run from being the whole benchmark; nothing where it is.

    Args:
        run: What was to be run.
        cells: Its cells and what there is of them.
    """
    return [
        *_other_source(run),
        *_other_benchmark(run),
        *_other_classes(run),
        *_fewer_images(run),
        *_unfinished(run, cells),
        *_not_run(run),
        *_changed(run),
    ]


def _other_source(run: PlannedRun) -> list[str]:
    return [] if run.source_model is None else [f"pictures were made against {run.source_model}"]


def _other_benchmark(run: PlannedRun) -> list[str]:
    name, transforms = run.benchmark.name, {cell.transform for cell in run.cells}
    if name in BENCHMARKS and (
        run.benchmark.without_optional(but=transforms)
        != load_benchmark(name).without_optional(but=transforms)
    ):
        return [f"the run's benchmark file differs from this release's {name}"]
    return []


def _other_classes(run: PlannedRun) -> list[str]:
    meant = run.benchmark.label_space
    if meant is None or not run.classes:
        return []
    names = ", ".join(run.classes[:3]) + (" …" if len(run.classes) > 3 else "")
    return [f"the labels are the data's own ({names}), not {meant}'s"]


def _fewer_images(run: PlannedRun) -> list[str]:
    available = run.images if run.available is None else run.available
    # Of classes of one's own the benchmark has no pictures.
    meant = available if run.classes or run.benchmark.images is None else run.benchmark.images
    chosen = f"{run.images:,} of {available:,}" if run.images < available else f"{available:,}"
    if available != meant:
        return [f"{chosen} pictures ({meant:,} in the benchmark)"]
    return [f"{chosen} pictures"] if run.images < available else []


def _unfinished(run: PlannedRun, cells: Sequence[CellRows]) -> list[str]:
    return [
        f"{each.cell.name}: {each.images} of {run.images} pictures"
        for each in cells
        if each.images != run.images
    ]


def _not_run(run: PlannedRun) -> list[str]:
    names = {cell.name for cell in run.cells}
    reasons = [] if CLEAN in names else ["clean accuracy not run"]
    levels = [level for level in LEVELS if any(cell.level == level for cell in run.cells)]
    usual = run.benchmark.usual
    for level in levels:
        missing = [name for name in usual if f"{name} {level}" not in names]
        if len(missing) > len(usual) / 2:
            reasons.append(f"{len(usual) - len(missing)} of {len(usual)} attacks at {level}")
        elif missing:
            reasons.append(f"attacks not run at {level}: {', '.join(missing)}")
    if len(levels) < len(LEVELS):
        reasons.append(f"only level {' and '.join(levels)}" if levels else "no attack")
    return reasons


def _changed(run: PlannedRun) -> list[str]:
    attacked = [cell for cell in run.cells if cell.level is not None]
    other_steps = {
        cell.steps
        for cell in attacked
        if cell.steps is not None
        and cell.steps != run.search.updates(run.benchmark.attacks[cell.transform].steps)
    }
    reasons = [] if not run.search.in_words() else [run.search.in_words()]
    reasons += [] if run.eot == 1 else [f"{run.eot} passes per evaluation"]
    reasons += [
        f"{counted(steps, 'step')} instead of the benchmark's" for steps in sorted(other_steps)
    ]
    for cell in attacked:
        assert cell.level is not None
        setting = run.benchmark.attacks[cell.transform]
        radius = setting.radii[cell.level]
        if cell.radius is not None and cell.radius != radius:
            reasons.append(f"{cell.name}: radius {cell.radius:g}, the benchmark's is {radius:g}")
    return reasons
