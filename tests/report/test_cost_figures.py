"""Costs are ratios within a round, and medians over rounds that leave none out for its ratio."""

import statistics

import pytest

from made_costs import PGD, made_times
from unforeseen.experiment_folder.cost_times import AttackTimes, Pair
from unforeseen.report.cost_figures import AttackCost, costs_of

#: Per step of a batch 5 s and 1 s; then 8 s and 2 s; then 3 s and 1 s.
WOOD = AttackTimes(
    attack="wood",
    updates=10,
    rounds=(
        Pair(10.0, 20.0, 1.0, 3.0),
        Pair(8.0, 24.0, 4.0, 8.0),
        Pair(3.0, 9.0, 1.0, 3.0),
    ),
)


def costs(*attacks: AttackTimes) -> dict[str, AttackCost]:
    return {cost.attack: cost for cost in costs_of(made_times(*attacks))}


def test_ratios_are_taken_within_a_round_and_medians_over_rounds() -> None:
    pgd, wood = costs_of(made_times(WOOD, PGD))
    assert (pgd.attack, wood.attack) == ("pgd", "wood")
    assert wood.ratio == (4.0, 3.0, 5.0)
    assert wood.seconds == (0.5, 0.3, 0.8)
    assert wood.once == 8 / 5
    assert wood.whole == pytest.approx((88 / 12, 33 / 5, 60 / 5))
    assert pgd.ratio == (1.0, 1.0, 1.0)
    assert (wood.rounds, wood.timed, wood.label) == (3, 3, "Wood")


def test_rounds_in_which_more_steps_of_pgd_took_no_longer_are_left_out_and_that_is_said() -> None:
    odd_pgd = Pair(1.0, 3.0, 3.0, 2.9)
    mixed = AttackTimes(attack="wood", updates=1, rounds=(WOOD.rounds[0], odd_pgd))
    never = AttackTimes(attack="fog", updates=1, rounds=(odd_pgd,))
    found = costs(mixed, never, PGD)
    assert found["wood"].ratio == (5.0, 5.0, 5.0)
    assert found["wood"].label == "Wood (1 of 2 rounds)"
    assert found["fog"].ratio is found["fog"].whole is found["fog"].seconds is None
    assert list(found) == ["pgd", "wood", "fog"]


def test_no_round_is_left_out_as_an_attacks_own_steps_came_out_short() -> None:
    """The noise of each difference is even, so that leaving out those below 0 raises the ratio."""
    noise = (-3.0, -1.0, 0.5, 1.0, 3.0)
    rounds = tuple(Pair(5.0, 5.0 + 2 * (1 + each), 1.0, 3.0) for each in noise)
    wood = costs(AttackTimes(attack="wood", updates=1, rounds=rounds), PGD)["wood"]
    ratios = [1 + each for each in noise]
    assert wood.ratio == (statistics.median(ratios), min(ratios), max(ratios))
    assert wood.label == "Wood"


def test_an_attack_whose_steps_took_no_time_has_no_ratio() -> None:
    rounds = (Pair(5.0, 5.0, 1.0, 3.0), Pair(5.0, 4.0, 1.0, 3.0))
    fog = costs(AttackTimes(attack="fog", updates=1, rounds=rounds), PGD)["fog"]
    assert [fog.ratio, fog.seconds, fog.once, fog.whole] == [None] * 4


def test_times_of_nothing_divide_by_nothing() -> None:
    instant = AttackTimes(attack="pgd", updates=0, rounds=(Pair(0.0, 1.0, 0.0, 1.0),))
    tiny = AttackTimes(attack="wood", updates=1, rounds=(Pair(0.0, 1e9, 0.0, 5e-324),))
    found = costs(instant, tiny)
    assert found["pgd"].whole == (0.0, 0.0, 0.0)
    assert found["wood"].ratio is None
