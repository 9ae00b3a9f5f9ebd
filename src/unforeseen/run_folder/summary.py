"""What a run came to: what summaries of all kinds have in common.

A summary never flatters: it says in words why a run isn't the whole benchmark, and a figure is null
where something that it is made of has no rows.
"""

__all__ = ["Summary", "recorded"]

import abc
from dataclasses import dataclass
from typing import Any

from unforeseen.benchmarks import Benchmark
from unforeseen.check.result import CheckResult
from unforeseen.metrics import Estimate


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


def recorded(estimate: Estimate | None) -> dict[str, Any] | None:
    """A figure as ``summary.json`` holds it."""
    return None if estimate is None else estimate.to_record()
