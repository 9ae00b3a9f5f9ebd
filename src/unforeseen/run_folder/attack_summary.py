"""From the record and rows of a run of attacks to its figures.

UA2 is null where a core attack has no rows.
"""

__all__ = ["AttackAccuracy", "AttackSummary", "summarise_attacks"]

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple, final

import polars as pl
from typing_extensions import override

from unforeseen.attack_sets import AttackSet, SetAccuracy, accuracies_over
from unforeseen.benchmarks import LEVELS, AttackBenchmark, Level
from unforeseen.counted import counted
from unforeseen.metrics import Estimate, accuracy, count, ua2, worst_case
from unforeseen.rows import CLEAN, SCHEMA_VERSION
from unforeseen.run_folder.attack_completeness import reasons_for_partial
from unforeseen.run_folder.cell_rows import CellRows
from unforeseen.run_folder.planned_attacks import PlannedAttackRun
from unforeseen.run_folder.summary import Summary, common_of_summaries, recorded


class AttackAccuracy(NamedTuple):
    """Accuracy under one attack at one level; None where it has no rows."""

    attack: str
    level: Level
    accuracy: Estimate | None


@final
@dataclass(frozen=True, kw_only=True)
class AttackSummary(Summary):
    """The figures of a run of attacks.

    Attributes:
        edition: Under which edition.
        source_model: URI of the model that the pictures were made against, where that is another.
        gradient_evaluations: Gradients spent; None where not measured.
        ua2: Mean over the core attacks by level; None where one of them has no rows.
        worst: Share that survives every core attack, by level; None likewise.
        attacks: In the benchmark's order, levels rising.
        sets: Mean and worst case over the sets that were asked for; no part of ``summary.json``.
    """

    benchmark: AttackBenchmark
    edition: str
    source_model: str | None
    gradient_evaluations: int | None
    ua2: Mapping[Level, Estimate | None]
    worst: Mapping[Level, Estimate | None]
    attacks: tuple[AttackAccuracy, ...]
    sets: tuple[SetAccuracy, ...] = ()

    def accuracy(self, attack: str, level: Level) -> Estimate | None:
        """Accuracy under an attack, or None where it was not run."""
        for each in self.attacks:
            if (each.attack, each.level) == (attack, level):
                return each.accuracy
        return None

    @property
    def levels(self) -> tuple[Level, ...]:
        """The levels that any attack was run at, rising."""
        return tuple(level for level in LEVELS if any(a.level == level for a in self.attacks))

    @override
    def to_record(self) -> dict[str, Any]:
        return {
            "schema": SCHEMA_VERSION,
            "benchmark": self.benchmark.name,
            "edition": self.edition,
            "seed": self.seed,
            "model": self.model,
            "source_model": self.source_model,
            "data": self.data,
            "images": self.images,
            "complete": self.complete,
            "partial": list(self.partial),
            "nonfinite": self.nonfinite,
            "unreadable": self.unreadable,
            "gradient_evaluations": self.gradient_evaluations,
            "check": None if self.check is None else self.check.to_record(),
            "clean_accuracy": recorded(self.clean_accuracy),
            "ua2": {level: recorded(self.ua2[level]) for level in LEVELS},
            "worst": {level: recorded(self.worst[level]) for level in LEVELS},
            "attacks": [
                {"attack": a.attack, "level": a.level, "accuracy": recorded(a.accuracy)}
                for a in self.attacks
            ],
        }


def summarise_attacks(
    run: PlannedAttackRun,
    rows: pl.DataFrame,
    *,
    problems: Sequence[str] = (),
    over: Sequence[str] = (),
) -> AttackSummary:
    """Counts a run's rows.

    Args:
        run: What was to be run.
        rows: As in :data:`unforeseen.rows.ROW_SCHEMA`. Only those of the run's cells count;
            a cell of an earlier plan may lie in the same folder.
        problems: What was wrong with the rows' files; becomes part of ``partial``.
        over: Sets of attacks to take the mean and the worst case over, each as in
            :meth:`unforeseen.attack_sets.AttackSet.of`.

    Raises:
        RunError: Rows contradict their cell.
        UserError: A set in ``over`` can't be used (UnknownNameError for an unknown attack).
    """
    sets = list(dict.fromkeys(AttackSet.of(names, run.benchmark) for names in over))
    cells = [CellRows.of(cell, rows, run.seed) for cell in run.cells]
    rows = pl.concat([rows.clear(), *(each.rows for each in cells)])
    counts = count(rows)
    attacked = [cell for cell in run.cells if cell.transform != CLEAN]
    run_at = {
        level: {cell.transform for cell in attacked if cell.level == level} for level in LEVELS
    }
    core = run.benchmark.core
    return AttackSummary(
        **common_of_summaries(run, cells, rows, counts),
        benchmark=run.benchmark,
        edition=run.edition,
        source_model=run.source_model,
        partial=(*problems, *reasons_for_partial(run, cells)),
        gradient_evaluations=counts.gradient_evaluations,
        ua2={level: ua2(rows, core, level, seed=run.seed) for level in LEVELS},
        worst={level: worst_case(rows, core, level) for level in LEVELS},
        attacks=tuple(
            AttackAccuracy(name, level, accuracy(rows, name, level))
            for name in run.benchmark.attacks
            for level in LEVELS
            if name in run_at[level]
        ),
        settings=(
            run.search.in_words() or "search pgd",
            "the benchmark's steps" if run.steps is None else counted(run.steps, "step"),
            f"eot {run.eot}",
            f"seed {run.seed}",
        ),
        sets=accuracies_over(sets, rows, run_at, seed=run.seed),
    )
