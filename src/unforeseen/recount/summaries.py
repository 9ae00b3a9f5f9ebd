"""What a summary claims, figure by figure, and where that differs from the recount."""

__all__ = ["Difference", "claimed_figures", "differences", "unknown_keys"]

from collections.abc import Iterator, Mapping
from fractions import Fraction
from typing import Any, Final, NamedTuple

from unforeseen.benchmarks import LEVELS
from unforeseen.recount.figures import Figures

#: Stands where one side has no such figure.
MISSING: Final = "–"

_SINGLE = (
    *("benchmark", "edition", "seed", "model", "source_model", "data", "images"),
    *("complete", "partial", "nonfinite", "unreadable", "gradient_evaluations", "check"),
)
_PARTS = ("value", "low", "high", "n", "interval")
#: Two ways of computing an interval round differently; no reader sees nine digits.
_TOLERANCE = Fraction(1, 10**9)


class Difference(NamedTuple):
    """One figure that isn't what it is claimed to be.

    Attributes:
        figure: Its name.
        recounted: From the rows; of ``partial``, what ``results`` says of them today.
        claimed: By a summary.
        where: Whose summary.
    """

    figure: str
    recounted: object
    claimed: object
    where: str


def claimed_figures(summary: Mapping[str, Any]) -> Figures:
    """Spreads a summary's content, which may be a stranger's, as the recount does its figures."""
    # Summaries of before there were transfers don't speak of them.
    claimed: Figures = {"source_model": None}
    claimed |= {name: summary[name] for name in _SINGLE if name in summary}
    claimed |= _spread("clean_accuracy", summary.get("clean_accuracy"))
    for kind in ("ua2", "worst"):
        by_level = summary.get(kind)
        for level in LEVELS:
            estimate = by_level.get(level) if isinstance(by_level, dict) else MISSING
            claimed |= _spread(f"{kind} {level}", estimate)
    names = []
    attacks = summary.get("attacks")
    for each in attacks if isinstance(attacks, list) else []:
        if isinstance(each, dict):
            names.append(f"{each.get('attack')} {each.get('level')}")
            claimed |= _spread(names[-1], each.get("accuracy"))
    return claimed | {"attacks": names}


def differences(recounted: Figures, claimed: Figures, where: str) -> Iterator[Difference]:
    """Compares figure by figure; shares and ends of intervals to nine digits.

    Args:
        recounted: From the rows.
        claimed: By a summary.
        where: Whose.
    """
    for name in dict.fromkeys((*recounted, *claimed)):
        ours, theirs = recounted.get(name, MISSING), claimed.get(name, MISSING)
        if not _same(ours, theirs):
            yield Difference(name, ours, theirs, where)


def unknown_keys(claimed: object, today: object, where: str, at: str = "") -> Iterator[Difference]:
    """Finds what a summary claims under keys that no summary has.

    Args:
        claimed: Its content, or a part of it.
        today: The same of ``results``.
        where: Whose summary.
        at: Keys that lead to the part.
    """
    if isinstance(claimed, dict) and isinstance(today, dict):
        for key, value in claimed.items():
            if key in today:
                yield from unknown_keys(value, today[key], where, f"{at}{key} ")
            elif today:
                yield Difference(f"{at}{key}", MISSING, value, where)
    elif isinstance(claimed, list) and isinstance(today, list):
        for one, other in zip(claimed, today, strict=False):
            yield from unknown_keys(one, other, where, at)


def _spread(name: str, estimate: object) -> Figures:
    if not isinstance(estimate, dict):
        return {name: estimate}
    return {f"{name} {part}": estimate.get(part, MISSING) for part in _PARTS}


def _same(one: object, other: object) -> bool:
    if isinstance(one, bool) or isinstance(other, bool):
        return one is other
    if isinstance(one, int | float) and isinstance(other, int | float):
        return abs(Fraction(one) - Fraction(other)) <= _TOLERANCE
    return type(one) is type(other) and bool(one == other)
