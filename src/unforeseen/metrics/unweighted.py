"""Accuracy in which every picture weighs the same, many figures at once."""

__all__ = ["unweighted_estimates"]

from collections.abc import Sequence

import numpy as np

from unforeseen.metrics.bootstrap import Stratum, resampled_mean
from unforeseen.metrics.estimate import Estimate
from unforeseen.metrics.scores import Scores
from unforeseen.metrics.wilson import wilson
from unforeseen.rng import Stream


def unweighted_estimates(scores: Sequence[Scores], *, seed: int = 0) -> tuple[Estimate | None, ...]:
    """Figures in which every picture weighs the same.

    Shares of pictures have Wilson's interval, means that of
    :func:`~unforeseen.metrics.mean.mean_accuracy`, whose values these are.

    Args:
        scores: Of each figure.
        seed: Of the bootstrap.

    Returns:
        Each figure; None where it has no pictures.
    """
    means: dict[int, list[int]] = {}
    estimates: list[Estimate | None] = [None] * len(scores)
    for place, each in enumerate(scores):
        pictures = len(each.counts)
        if each.of == 1:
            estimates[place] = wilson(int(each.counts.sum()), pictures)
        elif pictures:
            means.setdefault(pictures, []).append(place)
    for alike in means.values():
        counts = np.stack([scores[place].counts for place in alike], axis=1)
        of = np.array([scores[place].of for place in alike], np.float64)
        stratum = Stratum(counts, Stream("bootstrap", seed))
        for place, figure in zip(alike, resampled_mean([stratum], of, "bootstrap"), strict=True):
            estimates[place] = figure
    return tuple(estimates)
