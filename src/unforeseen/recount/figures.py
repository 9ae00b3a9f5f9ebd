"""Figures from verdicts, in plain Python.

An estimate is spread over five figures: ``NAME value``, ``NAME low``, ``NAME high``, ``NAME n``
and ``NAME interval``; where there is nothing to count, ``NAME`` itself is None.
"""

__all__ = ["Figures", "Tally", "common_figures_of", "figures_of"]

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from statistics import quantiles
from typing import Any, Literal

from unforeseen.benchmarks import LEVELS
from unforeseen.rng import Stream
from unforeseen.rows import CLEAN
from unforeseen.run_folder.planned import PlannedRun
from unforeseen.run_folder.planned_attacks import PlannedAttackRun

Figures = dict[str, object]

#: Two-sided 95 % of a normal distribution.
_Z = 1.959963984540054
_RESAMPLES = 2000


@dataclass(kw_only=True)
class Tally:
    """What one cell's rows add up to.

    Attributes:
        of: The column that decides.
        verdicts: By picture; pictures without a verdict are left out.
        rows: How many pictures have a row.
        nonfinite: Rows whose judged logits were not finite.
        unreadable: Pictures that couldn't be read.
        gradients: Gradients spent on each readable picture; None where not measured.
    """

    of: Literal["correct", "correct_any"] = "correct"
    verdicts: dict[str, bool] = field(default_factory=dict)
    rows: int = 0
    nonfinite: int = 0
    unreadable: set[str] = field(default_factory=set)
    gradients: list[int | None] = field(default_factory=list)

    def add(self, row: Mapping[str, Any]) -> None:
        """Counts one row."""
        self.rows += 1
        name, status = row["example_id"], row["status"]
        if status == "unreadable":
            self.unreadable.add(name)
            return
        self.gradients.append(row["gradient_evaluations"])
        if status == "nonfinite":
            self.nonfinite += 1
            self.verdicts[name] = False
        elif row[self.of] is not None:
            self.verdicts[name] = row[self.of]


def common_figures_of(run: PlannedRun, tallies: Mapping[str, Tally]) -> Figures:
    """What summaries of all kinds of runs say; takes what :func:`figures_of` does."""
    return {
        "benchmark": run.benchmark.name,
        "seed": run.seed,
        "model": run.model,
        "data": run.data,
        "images": run.images,
        "complete": bool(tallies) and all(tally.rows >= run.images for tally in tallies.values()),
        "nonfinite": sum(tally.nonfinite for tally in tallies.values()),
        "unreadable": len(set[str]().union(*(tally.unreadable for tally in tallies.values()))),
        "check": None if run.check is None else run.check.to_record(),
    }


def figures_of(run: PlannedAttackRun, tallies: Mapping[str, Tally]) -> Figures:
    """Every figure of a summary that can be counted.

    Args:
        run: What was to be run.
        tallies: By the cell's name, for each cell of the run.
    """
    attacked = [cell for cell in run.cells if cell.transform != CLEAN]
    gradients = [each for cell in attacked for each in tallies[cell.name].gradients]
    measured = [each for each in gradients if each is not None]
    names = [
        f"{attack} {level}"
        for attack in run.benchmark.attacks
        for level in LEVELS
        if f"{attack} {level}" in tallies
    ]
    figures = common_figures_of(run, tallies) | {
        "edition": run.edition,
        "source_model": run.source_model,
        "gradient_evaluations": sum(measured) if measured or not gradients else None,
        "attacks": names,
    }
    figures |= _share("clean_accuracy", _verdicts(tallies, CLEAN))
    for level in LEVELS:
        core = [_verdicts(tallies, f"{attack} {level}") for attack in run.benchmark.core]
        figures |= _mean(f"ua2 {level}", core, run.seed)
        figures |= _share(f"worst {level}", _survivors(core))
    for name in names:
        figures |= _share(name, tallies[name].verdicts)
    return figures


def _verdicts(tallies: Mapping[str, Tally], name: str) -> Mapping[str, bool]:
    return tallies[name].verdicts if name in tallies else {}


def _in_all(attacks: Sequence[Mapping[str, bool]]) -> list[str]:
    """Pictures with a verdict under every attack."""
    first, *others = attacks
    return [name for name in first if all(name in verdicts for verdicts in others)]


def _survivors(attacks: Sequence[Mapping[str, bool]]) -> dict[str, bool]:
    return {name: all(verdicts[name] for verdicts in attacks) for name in _in_all(attacks)}


def _share(name: str, verdicts: Mapping[str, bool]) -> Figures:
    """Share of the right ones."""
    n, k = len(verdicts), sum(verdicts.values())
    if not n:
        return {name: None}
    return _estimate(name, Fraction(k, n), *_wilson(Fraction(k, n), n), n, "wilson")


def _mean(name: str, attacks: Sequence[Mapping[str, bool]], seed: int) -> Figures:
    """Mean over attacks; pictures are drawn again, each with all its verdicts, unless all are alike."""
    pictures = _in_all(attacks)
    n = len(pictures)
    if not n:
        return {name: None}
    survived = sorted(sum(verdicts[each] for verdicts in attacks) for each in pictures)
    whole = n * len(attacks)
    value = Fraction(sum(survived), whole)
    if survived[0] == survived[-1]:
        return _estimate(name, value, *_wilson(value, n), n, "bootstrap")
    stream = Stream("bootstrap", seed)
    sums = [
        sum(map(survived.__getitem__, stream.integers(0, n - 1, (n,)).tolist()))
        for _ in range(_RESAMPLES)
    ]
    fortieths = quantiles(sums, n=40, method="inclusive")
    low, high = fortieths[0] / whole, fortieths[-1] / whole
    return _estimate(name, value, low, high, n, "bootstrap")


def _wilson(share: Fraction, n: int) -> tuple[float, float]:
    """The ends hold each p with (share − p)² ≤ z² p (1 − p) / n."""
    square, linear = n + _Z**2, float(2 * share * n) + _Z**2
    root = math.sqrt(linear**2 - 4 * square * n * float(share) ** 2)
    return (linear - root) / (2 * square), (linear + root) / (2 * square)


def _estimate(
    name: str, value: Fraction, low: float, high: float, n: int, interval: str
) -> Figures:
    return {
        f"{name} value": float(value),
        f"{name} low": low,
        f"{name} high": high,
        f"{name} n": n,
        f"{name} interval": interval,
    }
