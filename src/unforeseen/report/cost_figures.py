"""What an attack costs, as ratios made of the times in ``cost.json``. Needs neither torch nor a model."""

__all__ = ["AttackCost", "OverRounds", "costs_of", "unsteadiness"]

import math
import statistics
from collections.abc import Sequence
from typing import NamedTuple

from unforeseen.experiment_folder.cost_times import BASELINE, AttackTimes, CostTimes
from unforeseen.report.tables import attack_heading

#: Seconds; in less no step is made, and a stranger's record may hold any number.
_SHORTEST = 1e-9
#: How far PGD beside itself may be from 1, either way.
_STEADY = 1.25


class OverRounds(NamedTuple):
    """The median over rounds, and their range; rounds are too few for an interval."""

    median: float
    low: float
    high: float

    @classmethod
    def of(cls, values: Sequence[float]) -> "OverRounds":
        """Of at least one value."""
        return cls(statistics.median(values), min(values), max(values))


class AttackCost(NamedTuple):
    """What an attack costs. None where nothing was measured, or where a step took no time.

    Attributes:
        attack: Its name in the benchmark.
        ratio: A step of it, in steps of the PGD beside it.
        seconds: A step for one picture.
        once: What comes once for each picture (scene, start, judging), in steps of the attack;
            both are medians.
        updates: How many the benchmark gives it.
        whole: All of it, in all of PGD's.
        rounds: How many these are of: those in which a step of PGD took any time.
        timed: In how many it was timed.
    """

    attack: str
    ratio: OverRounds | None
    seconds: OverRounds | None
    once: float | None
    updates: int
    whole: OverRounds | None
    rounds: int
    timed: int

    @property
    def label(self) -> str:
        """What it is called, and of how many rounds its figures are where some say nothing."""
        name = attack_heading(self.attack)
        if self.rounds == self.timed:
            return name
        return f"{name} ({self.rounds} of {self.timed} rounds)"


def costs_of(times: CostTimes) -> tuple[AttackCost, ...]:
    """The figures of each attack, the quickest first; those without any at the end."""
    (baseline,) = (each for each in times.attacks if each.attack == BASELINE)
    costs = [_cost(each, times, baseline.updates) for each in times.attacks]
    return tuple(sorted(costs, key=lambda cost: cost.ratio.median if cost.ratio else math.inf))


def unsteadiness(costs: Sequence[AttackCost]) -> str | None:
    """What must be read before the figures where PGD beside itself was far from 1; else None."""
    (ratio,) = (cost.ratio for cost in costs if cost.attack == BASELINE)
    if ratio is None or (ratio.low >= 1 / _STEADY and ratio.high <= _STEADY):
        return None
    return (
        f"The machine was busy: PGD beside itself took {ratio.low:.2f} to {ratio.high:.2f} times as "
        "long, and other attacks' ratios are as far off. Measure anew on an idle machine, or with "
        "more --steps and --rounds."
    )


class _Round(NamedTuple):
    """Seconds of a batch, in one round: (T(s) − T(0)) / s per step, and T(0)."""

    own: float
    own_once: float
    pgd: float
    pgd_once: float


def _cost(attack: AttackTimes, times: CostTimes, pgd_updates: int) -> AttackCost:
    rounds = [
        _Round(
            own=(pair.with_steps - pair.without_steps) / times.timed_steps,
            own_once=pair.without_steps,
            pgd=(pair.pgd_with_steps - pair.pgd_without_steps) / times.timed_steps,
            pgd_once=pair.pgd_without_steps,
        )
        for pair in attack.rounds
    ]
    # Without regard to the attack's own step: to leave those out that came out short would raise the
    # ratio.
    rounds = [each for each in rounds if each.pgd > _SHORTEST]
    step = statistics.median(each.own for each in rounds) if rounds else 0.0
    ratio = OverRounds.of([each.own / each.pgd for each in rounds]) if rounds else None
    if ratio is None or ratio.median <= 0 or step <= _SHORTEST:
        return AttackCost(
            attack=attack.attack,
            ratio=None,
            seconds=None,
            once=None,
            updates=attack.updates,
            whole=None,
            rounds=len(rounds),
            timed=len(attack.rounds),
        )
    return AttackCost(
        attack=attack.attack,
        ratio=ratio,
        seconds=OverRounds.of([each.own / times.batch_size for each in rounds]),
        once=statistics.median(each.own_once for each in rounds) / step,
        updates=attack.updates,
        whole=OverRounds.of(
            [
                (each.own_once + attack.updates * each.own)
                / max(each.pgd_once + pgd_updates * each.pgd, _SHORTEST)
                for each in rounds
            ]
        ),
        rounds=len(rounds),
        timed=len(attack.rounds),
    )
