"""The figures of a run of obfuscations, from its record and rows.

The headline is the worst case over the hold-outs, class-balanced, top 1 (*Benchmarking Robustness to
Adversarial Image Obfuscations*, section 3.3). A summary says in words why a run isn't the whole
benchmark, and a figure over a set is null where one of its obfuscations has no rows.
"""

__all__ = [
    "ClassCount",
    "ObfuscationAccuracy",
    "ObfuscationSummary",
    "SetAccuracies",
    "class_counts",
    "summarise_obfuscations",
]

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple, final

import polars as pl
from typing_extensions import override

from unforeseen.benchmarks import ObfuscationBenchmark
from unforeseen.benchmarks.obfuscation_setting import ObfuscationGroup
from unforeseen.data.obfuscated_dataset import MadeBy
from unforeseen.data.super_classes import super_class_names
from unforeseen.errors import UserError
from unforeseen.metrics import Estimate, count
from unforeseen.metrics.balanced import pictures_per_class
from unforeseen.metrics.scores import scores_under
from unforeseen.metrics.verdicts import TOP, TopK, Verdict, labelled_verdicts
from unforeseen.obfuscation_sets import HOLD_OUT, ObfuscationSet, usual_sets
from unforeseen.rows import CLEAN, SCHEMA_VERSION
from unforeseen.run_folder.cell_rows import CellRows
from unforeseen.run_folder.obfuscation_completeness import reasons_for_partial
from unforeseen.run_folder.obfuscation_figures import (
    NOT_COUNTED,
    Accuracies,
    figures_of,
    set_scores,
)
from unforeseen.run_folder.planned_obfuscations import PlannedObfuscationRun
from unforeseen.run_folder.summary import Summary, common_of_summaries, recorded


class ObfuscationAccuracy(NamedTuple):
    """Accuracy under one obfuscation that was run."""

    obfuscation: str
    group: ObfuscationGroup
    accuracy: Accuracies


class SetAccuracies(NamedTuple):
    """Figures over a set of obfuscations; None where one of them was not run.

    Attributes:
        over: The set.
        mean: Mean of the accuracies.
        worst: Share of pictures that are right under every obfuscation of the set.
    """

    over: ObfuscationSet
    mean: Accuracies
    worst: Accuracies


class ClassCount(NamedTuple):
    """How many pictures of a class were read."""

    name: str
    n: int


@final
@dataclass(frozen=True, kw_only=True)
class ObfuscationSummary(Summary):
    """The figures of a run of obfuscations.

    Attributes:
        made_by: Who obfuscated the pictures.
        ready_made: Whether they were obfuscated before.
        worst_of: How often each obfuscation was drawn for a picture, of which the worst counts.
        top: Among how many of the most probable classes the true one had to be.
        classes: Pictures of each class, by label.
        clean: Accuracy on the pictures as they are; of top 1, unweighted, it is ``clean_accuracy``.
        sets: Hold-outs, training obfuscations, all; then the sets that were asked for.
        obfuscations: Those that were run, in the benchmark's order.
        other_assets: Which photos, icons … aren't those that ship, in words; empty where all are. Not in the
            file, where it is a reason for ``partial`` or in the record beside it; nor are the next three.
        made: Fingerprint of how ready-made pictures were made; None of others.
        assets: Fingerprint of each kind of photos, icons … that was taken; None of ready-made pictures.
        own_kinds: Of which of these kinds the assets aren't those that ship.
    """

    benchmark: ObfuscationBenchmark
    made_by: MadeBy
    ready_made: bool
    worst_of: int
    top: TopK
    classes: tuple[ClassCount, ...]
    clean: Accuracies
    sets: tuple[SetAccuracies, ...]
    obfuscations: tuple[ObfuscationAccuracy, ...]
    other_assets: str
    made: str | None
    assets: Mapping[str, str] | None
    own_kinds: tuple[str, ...]

    @property
    def headline(self) -> Estimate | None:
        """Worst case over the hold-outs, class-balanced; None where one of them was not run."""
        return next((each.worst.balanced for each in self.sets if each.over.name == HOLD_OUT), None)

    @property
    def figures(self) -> Mapping[str, Accuracies]:
        """By key: ``clean``, each obfuscation's name, ``worst:SET`` and ``mean:SET``."""
        figures = {CLEAN: self.clean}
        figures |= {each.obfuscation: each.accuracy for each in self.obfuscations}
        for each in self.sets:
            figures[each.over.worst_key] = each.worst
            figures[each.over.mean_key] = each.mean
        return figures

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
            "top": self.top,
            "headline": recorded(self.headline),
            "classes": [each._asdict() for each in self.classes],
            "clean": self.clean.to_record(),
            "sets": [
                {
                    "set": each.over.name,
                    "obfuscations": list(each.over.obfuscations),
                    "mean": each.mean.to_record(),
                    "worst": each.worst.to_record(),
                }
                for each in self.sets
            ],
            "obfuscations": [
                {"obfuscation": each.obfuscation, "group": each.group} | each.accuracy.to_record()
                for each in self.obfuscations
            ],
        }


def summarise_obfuscations(
    run: PlannedObfuscationRun,
    rows: pl.DataFrame,
    *,
    problems: Sequence[str] = (),
    over: Sequence[str] = (),
    top: TopK = 1,
) -> ObfuscationSummary:
    """Counts the rows of a run of obfuscations.

    Args:
        run: What was to be run.
        rows: As in :data:`unforeseen.rows.ROW_SCHEMA`. Only those of the run's cells count.
        problems: What was wrong with the rows' files; becomes part of ``partial``.
        over: Further sets to take the mean and the worst case over, each as in
            :meth:`unforeseen.obfuscation_sets.ObfuscationSet.of`.
        top: Among how many of the most probable classes the true one must be.

    Raises:
        RunError: Rows contradict their cell.
        UserError: A set in ``over`` can't be used (UnknownNameError for an unknown obfuscation), or
            there are no more than ``top`` classes.
    """
    _expect_fewer_than_classes(top, run)
    benchmark = run.benchmark
    cells = [CellRows.of(cell, rows, run.seed) for cell in run.cells]
    rows = pl.concat([rows.clear(), *(each.rows for each in cells)])
    ran = run.obfuscations
    asked = dict.fromkeys(ObfuscationSet.of(names, benchmark) for names in over)
    for each in asked:
        _expect_run(each, ran)
    sets = tuple(dict.fromkeys((*usual_sets(benchmark), *asked)))
    figures = _figures(rows, ran, sets, TOP[top], run.seed)
    readable = rows.filter(pl.col("status").ne_missing("unreadable")).unique("example_id")
    classes = class_counts(run, readable["label"].to_list())
    return ObfuscationSummary(
        **common_of_summaries(run, cells, rows, count(rows)),
        benchmark=benchmark,
        made_by=run.made_by,
        ready_made=run.ready_made,
        worst_of=run.worst_of,
        partial=(*problems, *reasons_for_partial(run, cells, _without_pictures(classes))),
        top=top,
        classes=classes,
        clean=figures[CLEAN],
        sets=tuple(
            SetAccuracies(
                each,
                figures.get(each.mean_key, NOT_COUNTED),
                figures.get(each.worst_key, NOT_COUNTED),
            )
            for each in sets
        ),
        obfuscations=tuple(
            ObfuscationAccuracy(name, benchmark.obfuscations[name].group, figures[name])
            for name in ran
        ),
        other_assets=run.other_assets,
        made=run.made,
        assets=run.assets,
        own_kinds=run.own_kinds,
        settings=(f"worst of {run.worst_of}", f"eot {run.eot}", f"seed {run.seed}"),
    )


def class_counts(run: PlannedObfuscationRun, labels: Sequence[int]) -> tuple[ClassCount, ...]:
    """Pictures of each class that there could be, as far as record and labels say.

    Args:
        run: What was to be run.
        labels: Of the pictures that were read.
    """
    names = run.classes or run.groups
    if not names and run.benchmark.label_space == "imagenet16":
        names = super_class_names()
    classes = max(len(names), run.benchmark.classes or 0, max(labels, default=-1) + 1)
    return tuple(
        ClassCount(names[label] if label < len(names) else f"class {label}", n)
        for label, n in enumerate(pictures_per_class(labels, classes))
    )


def _expect_fewer_than_classes(top: TopK, run: PlannedObfuscationRun) -> None:
    known = len(run.classes or run.groups) or run.benchmark.classes
    if known is not None and top > 1 and top >= known:
        raise UserError(
            f"top: expected fewer than the {known} classes, among which every answer is right; got {top}."
        )


def _figures(
    rows: pl.DataFrame,
    ran: Sequence[str],
    sets: Sequence[ObfuscationSet],
    column: Verdict,
    seed: int,
) -> dict[str, Accuracies]:
    """By key, on clean pictures, under each obfuscation that was run, and over sets of these."""
    scores = {name: scores_under(rows, name, "", column) for name in (CLEAN, *ran)}
    for each in sets:
        if set(each.obfuscations) <= set(ran):
            joint = labelled_verdicts(rows, each.obfuscations, "", column)
            scores |= set_scores(each, joint)
    return figures_of(scores, seed=seed)


def _without_pictures(classes: Sequence[ClassCount]) -> tuple[str, ...]:
    return tuple(each.name for each in classes if not each.n)


def _expect_run(over: ObfuscationSet, ran: Sequence[str]) -> None:
    missing = [name for name in over.obfuscations if name not in ran]
    if missing:
        raise UserError(
            f"mean and worst case over {over.name}: not run: {', '.join(missing)}. Name obfuscations "
            "that were run, or run the others into the same folder."
        )
