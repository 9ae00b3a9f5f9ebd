"""Figures made of times, and times that come from a stranger's file."""

import json
from pathlib import Path
from typing import Any

import pytest

from unforeseen.errors import RunError
from unforeseen.experiment_folder.cost_times import (
    AttackTimes,
    CostTimes,
    Pair,
    costs_of,
    read_times,
    write_times,
)


def made_times(*attacks: AttackTimes, rounds: int = 3) -> CostTimes:
    return CostTimes(
        benchmark="small",
        edition="published",
        level="medium",
        model="py:model.py:make",
        data=None,
        picture_size=(32, 48),
        batch_size=10,
        timed_steps=2,
        rounds=rounds,
        environment={"device": "cpu", "threads": 1},
        attacks=attacks,
    )


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
PGD = AttackTimes(attack="pgd", updates=4, rounds=(Pair(1.0, 3.0, 1.0, 3.0),) * 3)


def test_ratios_are_taken_within_a_round_and_medians_over_rounds() -> None:
    pgd, wood = costs_of(made_times(WOOD, PGD))
    assert (pgd.attack, wood.attack) == ("pgd", "wood")
    assert wood.ratio == (4.0, 3.0, 5.0)
    assert wood.seconds == (0.5, 0.3, 0.8)
    assert wood.once == (1.0, 1.0, 2.0)
    assert wood.whole == pytest.approx((88 / 12, 33 / 5, 60 / 5))
    assert pgd.ratio == (1.0, 1.0, 1.0)
    assert wood.rounds == 3


def test_rounds_in_which_more_steps_took_no_longer_count_nowhere() -> None:
    odd = Pair(5.0, 5.0, 1.0, 3.0)
    odd_pgd = Pair(1.0, 3.0, 3.0, 2.9)
    mixed = AttackTimes(attack="wood", updates=1, rounds=(odd, WOOD.rounds[0], odd_pgd))
    never = AttackTimes(attack="fog", updates=1, rounds=(odd, odd_pgd))
    costs = {cost.attack: cost for cost in costs_of(made_times(mixed, never, PGD))}
    assert costs["wood"].ratio == (5.0, 5.0, 5.0)
    assert costs["wood"].rounds == 1
    assert costs["fog"].ratio is costs["fog"].whole is costs["fog"].seconds is None
    assert list(costs) == ["pgd", "wood", "fog"]


def test_an_unfinished_measurement_says_how_many_rounds_it_has() -> None:
    begun = AttackTimes(attack="fog", updates=1, rounds=WOOD.rounds[:1])
    assert made_times(WOOD, PGD, begun).finished_rounds == 1
    assert made_times(WOOD, PGD).finished_rounds == 3


def test_times_come_back_from_their_file(tmp_path: Path) -> None:
    times = made_times(WOOD, PGD, AttackTimes(attack="fog", updates=1))
    write_times(tmp_path / "new", times)
    assert read_times(tmp_path / "new") == times


@pytest.mark.parametrize(
    "change",
    [
        {"experiment": "steps"},
        {"schema": 2},
        {"attacks": []},
        {"attacks": [1]},
        {"attacks": [{"attack": "pgd", "updates": 1, "rounds": []}] * 2},
        {"attacks": [{"attack": "pgd", "updates": -1, "rounds": []}]},
        {"attacks": [{"attack": "pgd", "updates": 1, "rounds": [[1, 2, 3, 4]]}]},
        {"picture_size": [32]},
        {"picture_size": [32, "32"]},
        {"batch_size": 0},
        {"timed_steps": 0},
        {"environment": None},
        {"data": 3},
    ],
    ids=str,
)
def test_what_this_release_does_not_write_is_refused_in_one_line(
    tmp_path: Path, change: dict[str, Any]
) -> None:
    write_times(tmp_path, made_times(WOOD, PGD))
    record = json.loads((tmp_path / "cost.json").read_text(encoding="utf-8")) | change
    (tmp_path / "cost.json").write_text(json.dumps(record), encoding="utf-8")
    with pytest.raises(RunError, match="expected"):
        read_times(tmp_path)


@pytest.mark.parametrize("value", [-1.0, 1e300, True, "1", None, [1]])
def test_times_that_are_no_seconds_are_refused(tmp_path: Path, value: object) -> None:
    write_times(tmp_path, made_times(WOOD, PGD))
    record = json.loads((tmp_path / "cost.json").read_text(encoding="utf-8"))
    record["attacks"][0]["rounds"][0]["with_steps"] = value
    (tmp_path / "cost.json").write_text(json.dumps(record), encoding="utf-8")
    with pytest.raises(RunError, match="with_steps: expected seconds"):
        read_times(tmp_path)
