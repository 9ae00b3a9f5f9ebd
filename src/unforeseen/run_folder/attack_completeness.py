"""Why a run of attacks is not the whole benchmark, in words."""

__all__ = ["reasons_for_partial"]

from collections.abc import Sequence

from unforeseen.benchmarks import LEVELS
from unforeseen.counted import counted
from unforeseen.rows import CLEAN
from unforeseen.run_folder.cell_rows import CellRows
from unforeseen.run_folder.completeness import (
    fewer_images,
    other_benchmark,
    other_classes,
    unfinished,
)
from unforeseen.run_folder.planned_attacks import PlannedAttackRun


def reasons_for_partial(run: PlannedAttackRun, cells: Sequence[CellRows]) -> list[str]:
    """Says what keeps a run from being the whole benchmark; nothing where it is.

    Args:
        run: What was to be run.
        cells: Its cells and what there is of them.
    """
    return [
        *_other_source(run),
        *other_benchmark(run),
        *other_classes(run),
        *fewer_images(run),
        *unfinished(run, cells),
        *_not_run(run),
        *_changed(run),
    ]


def _other_source(run: PlannedAttackRun) -> list[str]:
    return [] if run.source_model is None else [f"pictures were made against {run.source_model}"]


def _not_run(run: PlannedAttackRun) -> list[str]:
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


def _changed(run: PlannedAttackRun) -> list[str]:
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
