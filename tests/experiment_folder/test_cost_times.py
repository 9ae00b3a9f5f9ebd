"""Times of attacks in their file, which may be a stranger's."""

import json
from pathlib import Path
from typing import Any

import pytest

from made_costs import PGD, made_times
from unforeseen.errors import RunError
from unforeseen.experiment_folder.cost_times import AttackTimes, Pair, read_times, write_times

WOOD = AttackTimes(
    attack="wood", updates=10, rounds=(Pair(10.0, 20.0, 1.0, 3.0), Pair(8.0, 24.0, 4.0, 8.0))
)


def test_an_unfinished_measurement_says_how_many_rounds_it_has() -> None:
    begun = AttackTimes(attack="fog", updates=1, rounds=WOOD.rounds[:1])
    assert made_times(WOOD, PGD, begun).finished_rounds == 1
    assert made_times(WOOD, PGD).finished_rounds == 2


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
    with pytest.raises(RunError, match=r"cost\.json: .*expected") as caught:
        read_times(tmp_path)
    assert "the run's record" not in str(caught.value)


def test_what_is_missing_or_no_object_is_said_to_be_written_by_the_command_that_writes_it(
    tmp_path: Path,
) -> None:
    with pytest.raises(RunError, match="written by unforeseen cost, found none"):
        read_times(tmp_path)
    (tmp_path / "cost.json").write_text("[]", encoding="utf-8")
    with pytest.raises(RunError, match="written by unforeseen cost, got JSON that is not"):
        read_times(tmp_path)


@pytest.mark.parametrize("value", [-1.0, 1e300, True, "1", None, [1]])
def test_times_that_are_no_seconds_are_refused(tmp_path: Path, value: object) -> None:
    write_times(tmp_path, made_times(WOOD, PGD))
    record = json.loads((tmp_path / "cost.json").read_text(encoding="utf-8"))
    record["attacks"][0]["rounds"][0]["with_steps"] = value
    (tmp_path / "cost.json").write_text(json.dumps(record), encoding="utf-8")
    with pytest.raises(
        RunError, match=r"^cost\.json: with_steps: expected seconds from 0 to 1e\+09"
    ):
        read_times(tmp_path)
