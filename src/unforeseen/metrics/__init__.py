"""Figures with intervals, as pure functions of a run's rows."""

__all__ = [
    "Counts",
    "Estimate",
    "Flagging",
    "Spread",
    "accuracy",
    "balanced_accuracy",
    "balanced_mean",
    "balanced_worst_case",
    "ceiling",
    "clean_accuracy",
    "confusion",
    "count",
    "evasion_rate",
    "hold_out_choices",
    "mean_accuracy",
    "place_of",
    "spread",
    "ua2",
    "wilson",
    "worst_case",
    "worst_evasion_rate",
]

from unforeseen.metrics.accuracy import accuracy, clean_accuracy
from unforeseen.metrics.balanced import balanced_accuracy, balanced_mean, balanced_worst_case
from unforeseen.metrics.ceiling import ceiling
from unforeseen.metrics.confusion import confusion
from unforeseen.metrics.counts import Counts, count
from unforeseen.metrics.estimate import Estimate
from unforeseen.metrics.evasion import evasion_rate, worst_evasion_rate
from unforeseen.metrics.flagging import Flagging
from unforeseen.metrics.hold_outs import hold_out_choices, place_of
from unforeseen.metrics.mean import mean_accuracy, ua2
from unforeseen.metrics.spread import Spread, spread
from unforeseen.metrics.wilson import wilson
from unforeseen.metrics.worst import worst_case
