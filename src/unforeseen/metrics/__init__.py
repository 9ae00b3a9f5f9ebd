"""Figures with intervals, as pure functions of a run's rows."""

__all__ = [
    "Counts",
    "Estimate",
    "Spread",
    "accuracy",
    "clean_accuracy",
    "count",
    "mean_accuracy",
    "spread",
    "ua2",
    "wilson",
    "worst_case",
]

from unforeseen.metrics.accuracy import accuracy, clean_accuracy
from unforeseen.metrics.counts import Counts, count
from unforeseen.metrics.estimate import Estimate
from unforeseen.metrics.mean import mean_accuracy, ua2
from unforeseen.metrics.spread import Spread, spread
from unforeseen.metrics.wilson import wilson
from unforeseen.metrics.worst import worst_case
