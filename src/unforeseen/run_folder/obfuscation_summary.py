"""From the record and rows of a run of obfuscations to its figures."""

__all__ = ["ObfuscationAccuracy", "ObfuscationSummary", "summarise_obfuscations"]

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Literal, NamedTuple, final

import polars as pl
from typing_extensions import override

from unforeseen.benchmarks import ObfuscationBenchmark
from unforeseen.metrics import Estimate, accuracy, clean_accuracy, count
from unforeseen.rows import CLEAN, SCHEMA_VERSION
from unforeseen.run_folder.cell_rows import CellRows
from unforeseen.run_folder.completeness import (
    fewer_images,
    other_benchmark,
    other_classes,
    unfinished,
)
from unforeseen.run_folder.planned_obfuscations import PlannedObfuscationRun
from unforeseen.run_folder.summary import Summary, recorded


class ObfuscationAccuracy(NamedTuple):
    """Accuracy under one obfuscation; None where it has no rows."""

    obfuscation: str
    accuracy: Estimate | None


@final
@dataclass(frozen=True, kw_only=True)
class ObfuscationSummary(Summary):
    """The figures of a run of obfuscations.

    Attributes:
        made_by: Whose obfuscated pictures these are.
        ready_made: Whether they were obfuscated before.
        worst_of: Of how many draws for a picture the worst is kept.
        obfuscations: In the benchmark's order.
    """

    benchmark: ObfuscationBenchmark
    made_by: Literal["unforeseen", "published"]
    ready_made: bool
    worst_of: int
    obfuscations: tuple[ObfuscationAccuracy, ...]

    def accuracy(self, obfuscation: str) -> Estimate | None:
        """Accuracy under an obfuscation, or None where it was not run."""
        for each in self.obfuscations:
            if each.obfuscation == obfuscation:
                return each.accuracy
        return None

    @override
    def to_record(self) -> dict[str, Any]:
        return {
            "schema": SCHEMA_VERSION,
            "benchmark": self.benchmark.name,
            "seed": self.seed,
            "model": self.model,
            "data": self.data,
            "made_by": self.made_by,
            "ready_made": self.ready_made,
            "worst_of": self.worst_of,
            "images": self.images,
            "complete": self.complete,
            "partial": list(self.partial),
            "nonfinite": self.nonfinite,
            "unreadable": self.unreadable,
            "check": None if self.check is None else self.check.to_record(),
            "clean_accuracy": recorded(self.clean_accuracy),
            "obfuscations": [
                {"obfuscation": each.obfuscation, "accuracy": recorded(each.accuracy)}
                for each in self.obfuscations
            ],
        }


def summarise_obfuscations(
    run: PlannedObfuscationRun, rows: pl.DataFrame, *, problems: Sequence[str] = ()
) -> ObfuscationSummary:
    """Counts a run's rows.

    Args:
        run: What was to be run.
        rows: As in :data:`unforeseen.rows.ROW_SCHEMA`. Only those of the run's cells count;
            a cell of an earlier plan may lie in the same folder.
        problems: What was wrong with the rows' files; becomes part of ``partial``.

    Raises:
        RunError: Rows contradict their cell.
    """
    cells = [CellRows.of(cell, rows, run.seed) for cell in run.cells]
    rows = pl.concat([rows.clear(), *(each.rows for each in cells)])
    counts = count(rows)
    missing = [name for name in run.benchmark.obfuscations if name not in run.obfuscations]
    not_run = (
        [] if any(cell.transform == CLEAN for cell in run.cells) else ["clean accuracy not run"]
    )
    if missing:
        whole = len(run.benchmark.obfuscations)
        not_run.append(f"{whole - len(missing)} of {whole} obfuscations")
    return ObfuscationSummary(
        benchmark=run.benchmark,
        seed=run.seed,
        model=run.model,
        data=run.data,
        made_by=run.made_by,
        ready_made=run.ready_made,
        worst_of=run.worst_of,
        images=run.images,
        complete=bool(cells) and all(each.images >= run.images for each in cells),
        partial=(
            *problems,
            *other_benchmark(run),
            *other_classes(run),
            *fewer_images(run),
            *unfinished(run, cells),
            *not_run,
        ),
        nonfinite=counts.nonfinite,
        unreadable=counts.unreadable,
        check=run.check,
        clean_accuracy=clean_accuracy(rows),
        obfuscations=tuple(
            ObfuscationAccuracy(name, accuracy(rows, name, "")) for name in run.obfuscations
        ),
        head=run.head,
        settings=(f"worst of {run.worst_of}", f"eot {run.eot}", f"seed {run.seed}"),
    )
