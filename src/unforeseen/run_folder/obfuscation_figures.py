"""Figures in both weightings, all at once: those of the same pictures share their resamples."""

__all__ = [
    "NOT_COUNTED",
    "Accuracies",
    "Weighting",
    "figures_of",
    "figures_of_joint",
    "set_scores",
]

from collections.abc import Mapping, Sequence
from typing import Any, Literal, NamedTuple

from unforeseen.metrics import Estimate
from unforeseen.metrics.balanced import balanced_estimates
from unforeseen.metrics.scores import Scores
from unforeseen.metrics.unweighted import unweighted_estimates
from unforeseen.metrics.verdicts import LabelledVerdicts
from unforeseen.obfuscation_sets import ObfuscationSet

#: What weighs the same: every class, or every picture.
Weighting = Literal["balanced", "unweighted"]


class Accuracies(NamedTuple):
    """One figure in both weightings; None where it can't be counted.

    Attributes:
        balanced: Every class weighs the same.
        unweighted: Every picture does.
    """

    balanced: Estimate | None
    unweighted: Estimate | None

    def by(self, weighting: Weighting) -> Estimate | None:
        """The figure in one of the weightings."""
        return self.balanced if weighting == "balanced" else self.unweighted

    def to_record(self) -> dict[str, Any]:
        """As JSON can hold it."""
        return {
            name: None if each is None else each.to_record()
            for name, each in self._asdict().items()
        }


#: Of what was not run.
NOT_COUNTED = Accuracies(None, None)


def figures_of(scores: Mapping[str, Scores], *, seed: int) -> dict[str, Accuracies]:
    """Figures by key.

    Args:
        scores: Of each figure, by the same keys.
        seed: Of the bootstrap.
    """
    values = list(scores.values())
    both = zip(
        balanced_estimates(values, seed=seed), unweighted_estimates(values, seed=seed), strict=True
    )
    return {key: Accuracies(*pair) for key, pair in zip(scores, both, strict=True)}


def set_scores(over: ObfuscationSet, joint: LabelledVerdicts) -> dict[str, Scores]:
    """Scores of the mean and the worst case over a set, by the set's keys.

    Args:
        over: The set.
        joint: Verdicts under its obfuscations, on the pictures that have all.
    """
    return {over.mean_key: Scores.of_mean(joint), over.worst_key: Scores.of_worst(joint)}


def figures_of_joint(
    joint: LabelledVerdicts,
    transforms: Sequence[str],
    sets: Sequence[ObfuscationSet],
    *,
    seed: int,
) -> dict[str, Accuracies]:
    """Figures under each transform and over sets of them, all on the same pictures.

    Args:
        joint: Verdicts; (pictures, transforms).
        transforms: Names of the columns.
        sets: Those with a member that isn't among them are left out.
        seed: Of the bootstrap.
    """
    scores = {
        name: Scores.of_worst(joint._replace(right=joint.right[:, column : column + 1]))
        for column, name in enumerate(transforms)
    }
    for each in sets:
        if set(each.obfuscations) <= set(transforms):
            columns = [transforms.index(name) for name in each.obfuscations]
            scores |= set_scores(each, joint._replace(right=joint.right[:, columns]))
    return figures_of(scores, seed=seed)
