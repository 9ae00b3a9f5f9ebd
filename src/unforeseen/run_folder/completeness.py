"""Why a run of any kind is not the whole benchmark, in words: reasons that all kinds have in common."""

__all__ = ["fewer_images", "other_benchmark", "other_classes", "unfinished"]

from collections.abc import Sequence

from unforeseen.benchmarks import BENCHMARKS, load_benchmark
from unforeseen.run_folder.cell_rows import CellRows
from unforeseen.run_folder.planned import PlannedRun


def other_benchmark(run: PlannedRun) -> list[str]:
    """That a benchmark called like one of ours isn't it."""
    name, transforms = run.benchmark.name, {cell.transform for cell in run.cells}
    if name in BENCHMARKS and (
        run.benchmark.without_optional(but=transforms)
        != load_benchmark(name).without_optional(but=transforms)
    ):
        return [f"the run's benchmark file differs from this release's {name}"]
    return []


def other_classes(run: PlannedRun) -> list[str]:
    """That labels are the data's own, where the benchmark says what they are."""
    meant = run.benchmark.label_space
    if meant is None or not run.classes:
        return []
    names = ", ".join(run.classes[:3]) + (" …" if len(run.classes) > 3 else "")
    return [f"the labels are the data's own ({names}), not {meant}'s"]


def fewer_images(run: PlannedRun) -> list[str]:
    """That not all of the benchmark's pictures were chosen."""
    available = run.images if run.available is None else run.available
    # Of classes of one's own the benchmark has no pictures.
    meant = available if run.classes or run.benchmark.images is None else run.benchmark.images
    chosen = f"{run.images:,} of {available:,}" if run.images < available else f"{available:,}"
    if available != meant:
        return [f"{chosen} pictures ({meant:,} in the benchmark)"]
    return [f"{chosen} pictures"] if run.images < available else []


def unfinished(run: PlannedRun, cells: Sequence[CellRows]) -> list[str]:
    """Which cells lack rows."""
    return [
        f"{each.cell.name}: {each.images} of {run.images} pictures"
        for each in cells
        if each.images != run.images
    ]
