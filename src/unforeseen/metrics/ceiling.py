"""How high several models together reach: appendix C.2 of Stimberg et al. 2023.

An oracle that combines models in the best case says how much of a benchmark can be solved at all.
It is no model: with ever more of them it comes near 1 by luck alone.
"""

__all__ = ["Ceiling", "CeilingKind", "ceiling"]

from collections.abc import Sequence
from typing import Literal, NamedTuple

import numpy as np
import polars as pl

from unforeseen.metrics.balanced import balanced_estimates, balanced_shares
from unforeseen.metrics.estimate import Estimate
from unforeseen.metrics.scores import Scores
from unforeseen.metrics.unweighted import unweighted_estimates
from unforeseen.metrics.verdicts import LabelledVerdicts, Verdict, labelled_verdicts

#: ``obfuscation``: the predictions of the model that is best under each. ``image``: a picture is
#: right where any model is.
CeilingKind = Literal["obfuscation", "image"]


class Ceiling(NamedTuple):
    """Verdicts of the oracle.

    Attributes:
        joint: On the pictures that every model has judged under every transform; (pictures,
            transforms) verdicts.
        best: (transforms,) which model is best under each, by the accuracy that was asked for; of
            equally good ones the first.
    """

    joint: LabelledVerdicts
    best: tuple[int, ...]

    def mean_accuracy(self, *, balanced: bool = True, seed: int = 0) -> Estimate | None:
        """The oracle's mean accuracy over the transforms; None where there are no pictures.

        Args:
            balanced: Whether classes weigh the same, or pictures.
            seed: Of the bootstrap.
        """
        return _estimate(Scores.of_mean(self.joint), balanced=balanced, seed=seed)

    def worst_case(self, *, balanced: bool = True, seed: int = 0) -> Estimate | None:
        """Its worst case over them; takes and returns what :meth:`mean_accuracy` does."""
        return _estimate(Scores.of_worst(self.joint), balanced=balanced, seed=seed)


def ceiling(
    runs: Sequence[pl.DataFrame],
    transforms: Sequence[str],
    kind: CeilingKind,
    column: Verdict = "correct",
    *,
    balanced: bool = True,
    level: str = "",
) -> Ceiling:
    """Combines runs of several models on the same pictures.

    Args:
        runs: Rows of each, as in :data:`unforeseen.rows.ROW_SCHEMA`.
        transforms: Distinct names, at least one.
        kind: How they are combined.
        column: Which verdict counts.
        balanced: Whether the best model is the best by class-balanced accuracy.
        level: Of the transforms; empty for obfuscations.

    Raises:
        ValueError: No runs or transforms, or one transform twice.
        RunError: The rows of a transform in one run come from more than one cell, or runs give a
            picture different labels.
    """
    all_of_them = labelled_verdicts(runs, transforms, level, column)
    by_model = all_of_them.right.reshape(-1, len(runs), len(transforms))
    labels = all_of_them.labels if balanced else np.zeros_like(all_of_them.labels)
    shares = balanced_shares(labels, all_of_them.right)
    best = shares.reshape(len(runs), len(transforms)).argmax(axis=0)
    chosen = by_model[:, best, np.arange(len(transforms))]
    right = np.any(by_model, axis=1) if kind == "image" else chosen
    return Ceiling(all_of_them._replace(right=np.asarray(right)), tuple(best.tolist()))


def _estimate(scores: Scores, *, balanced: bool, seed: int) -> Estimate | None:
    estimates = balanced_estimates if balanced else unweighted_estimates
    return estimates([scores], seed=seed)[0]
