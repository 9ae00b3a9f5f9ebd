"""Class-balanced accuracy: every picture weighs 1 / (number of pictures of its class).

That is the mean of the accuracies per class, section 3.3 of *Benchmarking Robustness to Adversarial
Image Obfuscations* (Stimberg et al. 2023): more than half of ImageNet's pictures in super-classes
are dogs. Classes without a picture are outside the mean, which is then a partial figure.

Intervals come from a stratified bootstrap: pictures are drawn again within their class, each with
all its verdicts. A class whose pictures are all alike enters with Wilson's interval.
"""

__all__ = [
    "balanced_accuracy",
    "balanced_estimates",
    "balanced_mean",
    "balanced_shares",
    "balanced_worst_case",
    "pictures_per_class",
]

from collections.abc import Iterable, Sequence

import numpy as np
import polars as pl
from numpy.typing import NDArray

from unforeseen.metrics.bootstrap import Stratum, resampled_mean
from unforeseen.metrics.estimate import Estimate
from unforeseen.metrics.scores import Scores, scores_under
from unforeseen.metrics.verdicts import Verdict, labelled_verdicts
from unforeseen.rng import Stream


def balanced_accuracy(
    rows: pl.DataFrame,
    transform: str,
    level: str = "",
    column: Verdict = "correct",
    *,
    seed: int = 0,
) -> Estimate | None:
    """Mean over classes of the accuracy under one transform.

    Args:
        rows: As in :data:`unforeseen.rows.ROW_SCHEMA`.
        transform: Its name.
        level: Its level; empty for obfuscations.
        column: Which verdict counts.
        seed: Of the bootstrap.

    Returns:
        None where no picture has a verdict.

    Raises:
        RunError: The rows come from more than one cell.
    """
    return balanced_estimates([scores_under(rows, transform, level, column)], seed=seed)[0]


def balanced_mean(
    rows: pl.DataFrame,
    transforms: Sequence[str],
    level: str = "",
    column: Verdict = "correct",
    *,
    seed: int = 0,
) -> Estimate | None:
    """Mean over classes and transforms, on the pictures that have a verdict under each.

    Takes, returns and raises what :func:`balanced_accuracy` does, and ValueError where transforms
    aren't distinct names, at least one.
    """
    joint = labelled_verdicts(rows, transforms, level, column)
    return balanced_estimates([Scores.of_mean(joint)], seed=seed)[0]


def balanced_worst_case(
    rows: pl.DataFrame,
    transforms: Sequence[str],
    level: str = "",
    column: Verdict = "correct",
    *,
    seed: int = 0,
) -> Estimate | None:
    """Mean over classes of the share of pictures that are right under every transform.

    Over the three hold-out obfuscations, with ``column="correct_any"``, which speaks for all draws, it
    is the headline of the obfuscation benchmark. Takes, returns and raises what :func:`balanced_mean` does.
    """
    joint = labelled_verdicts(rows, transforms, level, column)
    return balanced_estimates([Scores.of_worst(joint)], seed=seed)[0]


def balanced_estimates(scores: Sequence[Scores], *, seed: int = 0) -> tuple[Estimate | None, ...]:
    """Class-balanced figures, many at once: those of the same classes share their resamples.

    A figure is the same alone and among others.

    Args:
        scores: Of each figure.
        seed: Of the bootstrap.

    Returns:
        Each figure; None where it has no pictures.
    """
    places: dict[tuple[tuple[int, int], ...], list[int]] = {}
    for place, each in enumerate(scores):
        classes, sizes = np.unique(each.labels, return_counts=True)
        alike = tuple(zip(classes.tolist(), sizes.tolist(), strict=True))
        places.setdefault(alike, []).append(place)
    estimates: list[Estimate | None] = [None] * len(scores)
    for pictures, those in places.items():
        if pictures:
            figures = _stratified([*dict(pictures)], [scores[place] for place in those], seed)
            for place, figure in zip(those, figures, strict=True):
                estimates[place] = figure
    return tuple(estimates)


def balanced_shares(labels: NDArray[np.int64], right: NDArray[np.bool_]) -> NDArray[np.float64]:
    """Mean over classes of the share of right verdicts, of each column by itself.

    Args:
        labels: (pictures,) the true classes.
        right: (pictures, columns).

    Returns:
        (columns,); NaN where there are no pictures.
    """
    order = np.argsort(labels, kind="stable")
    _, first, sizes = np.unique(labels[order], return_index=True, return_counts=True)
    if not len(sizes):
        return np.full(right.shape[1], np.nan)
    counts = np.add.reduceat(right[order], first, axis=0, dtype=np.int64)
    shares: NDArray[np.float64] = (counts / sizes[:, None]).sum(axis=0) / len(sizes)
    return shares


def pictures_per_class(labels: Iterable[int], classes: int) -> tuple[int, ...]:
    """How many pictures each class has, (classes,); raises ValueError on labels beyond."""
    counts = np.bincount(np.fromiter(labels, np.int64), minlength=classes)
    if len(counts) > classes:
        raise ValueError(f"expected labels below {classes}, got {len(counts) - 1}")
    return tuple(counts.tolist())


def _stratified(classes: Sequence[int], scores: Sequence[Scores], seed: int) -> list[Estimate]:
    """Figures of pictures with the same number in each class.

    Args:
        classes: That have pictures, ascending.
        scores: Of each figure.
        seed: Of the bootstrap.
    """
    of = np.array([each.of for each in scores], dtype=np.float64)
    strata = [
        Stratum(
            np.stack([each.counts[each.labels == label] for each in scores], axis=1),
            Stream("stratified bootstrap", seed, label),
        )
        for label in classes
    ]
    return resampled_mean(strata, of, "stratified")
