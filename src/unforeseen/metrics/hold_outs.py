"""How hard a choice of hold-outs is among all that could have been made.

Appendix C.3 of Stimberg et al. 2023: the worst case over every 3 of 22 obfuscations, 1,540 choices.
"""

__all__ = ["Choice", "Place", "choices_over", "hold_out_choices", "place_of"]

from collections.abc import Collection, Mapping, Sequence
from itertools import combinations
from typing import NamedTuple

import numpy as np
import polars as pl

from unforeseen.metrics.balanced import balanced_shares
from unforeseen.metrics.verdicts import LabelledVerdicts, Verdict, labelled_verdicts

#: A choice of obfuscations, in the order in which they were given.
Choice = tuple[str, ...]


class Place(NamedTuple):
    """Where one choice stands among all.

    Attributes:
        worst: Its worst-case accuracy.
        harder: How many choices have a lower one.
        as_hard: How many others have the same.
        of: How many choices there are.
    """

    worst: float
    harder: int
    as_hard: int
    of: int

    @property
    def share_harder(self) -> float:
        """``harder`` as a share of all choices: 0 where none is."""
        return self.harder / self.of


def hold_out_choices(
    rows: pl.DataFrame,
    transforms: Sequence[str],
    size: int = 3,
    column: Verdict = "correct",
    *,
    level: str = "",
    balanced: bool = True,
) -> dict[Choice, float]:
    """Worst-case accuracy over every choice of some obfuscations; :func:`place_of` places one.

    Args:
        rows: As in :data:`unforeseen.rows.ROW_SCHEMA`, of one run.
        transforms: Distinct names.
        size: How many are chosen.
        column: Which verdict counts.
        level: Of the transforms; empty for obfuscations.
        balanced: Whether classes weigh the same, or pictures.

    Returns:
        By choice, in the order of :func:`itertools.combinations`, on the pictures that have a verdict
        under every transform.

    Raises:
        ValueError: There are no such pictures, or not as many obfuscations, or one comes twice.
        RunError: The rows of a transform come from more than one cell.
    """
    joint = labelled_verdicts(rows, transforms, level, column)
    return choices_over(joint, transforms, size, balanced=balanced)


def choices_over(
    joint: LabelledVerdicts, transforms: Sequence[str], size: int = 3, *, balanced: bool = True
) -> dict[Choice, float]:
    """What :func:`hold_out_choices` counts, where the verdicts are known.

    Args:
        joint: Verdicts on at least one picture; (pictures, transforms).
        transforms: Names of the columns.
        size: How many are chosen.
        balanced: Whether classes weigh the same, or pictures.

    Returns:
        By choice, in the order of :func:`itertools.combinations`.

    Raises:
        ValueError: There are no pictures, or not as many obfuscations.
    """
    if not 1 <= size <= len(transforms) or not len(joint.labels):
        raise ValueError(
            f"expected pictures and at least {size} obfuscations, got {len(joint.labels)} and "
            f"{len(transforms)}"
        )
    labels = joint.labels if balanced else np.zeros_like(joint.labels)
    order = np.argsort(labels, kind="stable")
    labels, right = labels[order], joint.right[order]
    found: dict[Choice, float] = {}
    # All but the last member are fixed; the last one is tried for all at once.
    for first in combinations(range(len(transforms)), size - 1):
        begin = first[-1] + 1 if first else 0
        survivors = right[:, list(first)].all(axis=1, keepdims=True) & right[:, begin:]
        for last, share in enumerate(balanced_shares(labels, survivors).tolist(), start=begin):
            found[tuple(transforms[index] for index in (*first, last))] = share
    return found


def place_of(choice: Collection[str], among: Mapping[Choice, float]) -> Place | None:
    """Where a choice stands; None where it is not among them.

    Args:
        choice: In any order.
        among: As of :func:`hold_out_choices`.
    """
    worst = {frozenset(each): share for each, share in among.items()}
    mine = worst.pop(frozenset(choice), None)
    if mine is None:
        return None
    others = np.fromiter(worst.values(), np.float64)
    # Sums of the same shares in another order differ in the last digits.
    equal = np.isclose(others, mine, rtol=0, atol=1e-12)
    return Place(mine, int(((others < mine) & ~equal).sum()), int(equal.sum()), len(among))
