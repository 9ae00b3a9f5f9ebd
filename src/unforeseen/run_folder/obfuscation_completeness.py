"""Why a run of obfuscations is not the whole benchmark, in words."""

__all__ = ["PAPER_OBFUSCATIONS", "reasons_for_partial"]

from collections.abc import Sequence

import polars as pl

from unforeseen.counted import counted
from unforeseen.rows import CLEAN
from unforeseen.run_folder.cell_rows import CellRows
from unforeseen.run_folder.completeness import (
    fewer_images,
    other_benchmark,
    other_classes,
    unfinished,
)
from unforeseen.run_folder.planned_obfuscations import PlannedObfuscationRun

#: How many the paper has: 19 to train on and 3 hold-outs (its section 3.2).
PAPER_OBFUSCATIONS = 22

#: Classes that are listed by name.
_LISTED = 20


def reasons_for_partial(
    run: PlannedObfuscationRun, cells: Sequence[CellRows], without_pictures: Sequence[str]
) -> list[str]:
    """Says what keeps a run from being the whole benchmark; nothing where it is.

    Args:
        run: What was to be run.
        cells: Its cells and what there is of them.
        without_pictures: Names of the classes that no picture is of.
    """
    return [
        *other_benchmark(run),
        *other_classes(run),
        *fewer_images(run),
        *_empty_classes(run, without_pictures),
        *unfinished(run, cells),
        *_lost(cells),
        *_not_run(run),
        *_fewer_than_the_paper(run),
        *_changed(run),
    ]


def _empty_classes(run: PlannedObfuscationRun, names: Sequence[str]) -> list[str]:
    noun = "super-classes" if run.benchmark.label_space == "imagenet16" else "classes"
    shown = ", ".join(names[:_LISTED]) + (
        f" and {len(names) - _LISTED} more" if len(names) > _LISTED else ""
    )
    return [f"{noun} without a picture: {shown}"] if names else []


def _lost(cells: Sequence[CellRows]) -> list[str]:
    """Under which obfuscations pictures can't be read that can when clean.

    Who hands data on may have taken the hard ones out.
    """
    clean: set[str] = set()
    reasons = []
    for each in sorted(cells, key=lambda each: each.cell.transform != CLEAN):
        unreadable = set(each.rows.filter(pl.col("status") == "unreadable")["example_id"])
        if each.cell.transform == CLEAN:
            clean = unreadable
        elif lost := unreadable - clean:
            there = each.images - len(unreadable & clean)
            reasons.append(f"{each.cell.name}: {len(lost)} of {there} pictures missing or altered")
    return reasons


def _not_run(run: PlannedObfuscationRun) -> list[str]:
    ran = {cell.transform for cell in run.cells}
    reasons = [] if CLEAN in ran else ["clean accuracy not run"]
    every = run.benchmark.obfuscations
    missing = [name for name in every if name not in ran]
    if len(missing) > len(every) / 2:
        reasons.append(f"{len(every) - len(missing)} of {counted(len(every), 'obfuscation')}")
    elif missing:
        reasons.append(f"obfuscations not run: {', '.join(missing)}")
    return reasons


def _fewer_than_the_paper(run: PlannedObfuscationRun) -> list[str]:
    there = len(run.benchmark.obfuscations)
    if there >= PAPER_OBFUSCATIONS:
        return []
    return [f"{there} of the paper's {PAPER_OBFUSCATIONS} obfuscations in the benchmark"]


def _changed(run: PlannedObfuscationRun) -> list[str]:
    reasons = [] if run.worst_of == 1 else [f"the worst of {run.worst_of} draws of each picture"]
    # Whoever measures on classes of their own is to take assets of their own too.
    if run.other_assets and run.benchmark.label_space is not None:
        reasons.append(run.other_assets)
    if run.encoding not in (None, "png"):
        reasons.append(f"the obfuscated pictures went through {run.encoding}")
    return reasons + ([] if run.eot == 1 else [f"{run.eot} passes per evaluation"])
