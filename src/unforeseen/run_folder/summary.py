"""What a run came to: what summaries of all kinds have in common.

A summary never flatters: it says in words why a run isn't the whole benchmark, and a figure is null
where something that it is made of has no rows.
"""

__all__ = ["CommonOfSummaries", "Summary", "common_of_summaries", "recorded"]

import abc
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, TypedDict

import polars as pl

from unforeseen.benchmarks import Benchmark
from unforeseen.check.result import CheckResult
from unforeseen.metrics import Estimate, clean_accuracy
from unforeseen.metrics.counts import Counts
from unforeseen.run_folder.cell_rows import CellRows
from unforeseen.run_folder.planned import PlannedRun


@dataclass(frozen=True, kw_only=True)
class Summary(abc.ABC):
    """The figures of one run; there is a kind for each kind of benchmark.

    Attributes:
        benchmark: What was run.
        seed: With which seed.
        model: The model's URI.
        data: The data's URI.
        images: How many pictures were chosen.
        complete: Every cell of the run has a row for each of them.
        partial: Why this is not the whole benchmark, in words; empty where it is.
        nonfinite: Rows whose judged logits were not finite, counted as wrong.
        unreadable: Pictures that couldn't be read, outside every denominator.
        check: What was found before the run; None where nobody looked.
        clean_accuracy: On the pictures as they are.
        head: Name of the model's head, which ``run.json`` holds; no part of ``summary.json``.
        pictures: A hash of which pictures were chosen, or None where the record doesn't say; no part of
            ``summary.json``.
        settings: What tells runs of one model apart, in words, as many from every run; no part of
            ``summary.json``.
    """

    benchmark: Benchmark
    seed: int
    model: str
    data: str
    images: int
    complete: bool
    partial: tuple[str, ...]
    nonfinite: int
    unreadable: int
    check: CheckResult | None
    clean_accuracy: Estimate | None
    head: str | None = None
    pictures: str | None = None
    settings: tuple[str, ...] = ()

    @abc.abstractmethod
    def to_record(self) -> dict[str, Any]:
        """The content of ``summary.json``."""


class CommonOfSummaries(TypedDict):
    """What summaries of all kinds take from record and rows alike."""

    seed: int
    model: str
    data: str
    images: int
    complete: bool
    nonfinite: int
    unreadable: int
    check: CheckResult | None
    clean_accuracy: Estimate | None
    head: str | None
    pictures: str | None


def common_of_summaries(
    run: PlannedRun, cells: Sequence[CellRows], rows: pl.DataFrame, counts: Counts
) -> CommonOfSummaries:
    """Takes what all kinds have.

    Args:
        run: What was to be run.
        cells: Its cells and what there is of them.
        rows: Of all of them.
        counts: Of these rows.
    """
    return CommonOfSummaries(
        seed=run.seed,
        model=run.model,
        data=run.data,
        images=run.images,
        complete=bool(cells) and all(each.images >= run.images for each in cells),
        nonfinite=counts.nonfinite,
        unreadable=counts.unreadable,
        check=run.check,
        clean_accuracy=clean_accuracy(rows),
        head=run.head,
        pictures=run.pictures,
    )


def recorded(estimate: Estimate | None) -> dict[str, Any] | None:
    """A figure as ``summary.json`` holds it."""
    return None if estimate is None else estimate.to_record()
