"""What a check found, in records that may be a stranger's."""

import json
from typing import Any

import pytest

from made_runs import CHECKED, made_frame, made_record, planned_attack_run
from unforeseen.check.findings import MEASUREMENTS, Evidence, Finding, Measurement
from unforeseen.check.result import CheckResult
from unforeseen.errors import RunError
from unforeseen.run_folder.attack_summary import summarise_attacks

SUSPICIOUS = Finding(kind="suspicious", about="label order", seen="Off by one.", advice="Renumber.")
MASKED = Finding(
    kind="masked", about="softmax outputs", seen="They add up to 1.", advice="Take it out."
)
FOUND = CheckResult(pictures=128, subset="a" * 32, findings=(MASKED, SUSPICIOUS))


def test_the_verdict_names_all_that_was_found_gravest_first() -> None:
    result = CheckResult.of(
        [Evidence((SUSPICIOUS,)), Evidence((MASKED,))], pictures=128, subset="a" * 32
    )
    assert result == FOUND
    assert result.verdict == "masked: softmax outputs; suspicious: label order"
    assert result.lines == ("masked: They add up to 1.", "suspicious: Off by one.")
    assert result.lines_with_advice == (
        "masked: They add up to 1. Take it out.",
        "suspicious: Off by one. Renumber.",
    )
    assert not result.fine
    assert CHECKED.verdict == "fine"
    assert CHECKED.fine


@pytest.mark.parametrize("pictures", [1, 99, 100])
def test_that_all_is_fine_is_said_with_how_much_could_be_seen(pictures: int) -> None:
    result = CheckResult(pictures=pictures, subset="")
    assert ("gross mistakes only" in result.lines[0]) == (pictures < 100)
    assert result.lines == result.lines_with_advice
    assert result.verdict == "fine"


def test_measurements_come_in_their_own_order_whatever_was_asked_first() -> None:
    names = list(MEASUREMENTS)
    evidence = [Evidence(measurements=(Measurement(name, 0.5, 3),)) for name in reversed(names)]
    result = CheckResult.of(evidence, pictures=3, subset="")
    assert [each.name for each in result.measurements] == names


@pytest.mark.parametrize("result", [FOUND, CHECKED])
def test_a_record_is_read_as_it_was_written(result: CheckResult) -> None:
    assert CheckResult.from_record(json.loads(json.dumps(result.to_record()))) == result


def test_whatever_a_check_finds_can_be_read_again() -> None:
    endless = Finding(kind="masked", about="softmax outputs", seen="s" * 9000, advice="a" * 9000)
    result = CheckResult.of([Evidence((endless,), ("n" * 9000,))], pictures=1, subset="")
    assert CheckResult.from_record(json.loads(json.dumps(result.to_record()))) == result


def test_the_verdict_is_made_of_the_findings_whatever_a_record_claims() -> None:
    record = FOUND.to_record() | {"verdict": "fine"}
    assert CheckResult.from_record(record).verdict == FOUND.verdict


WRONG: list[dict[str, Any]] = [
    {"pictures": -1},
    {"pictures": True},
    {"pictures": 10**400},
    {"subset": None},
    {"findings": None},
    {"findings": ["fine"]},
    {"findings": [{"kind": "fine", "about": "", "seen": "", "advice": ""}]},
    {"findings": [{"kind": ["masked"], "about": "", "seen": "", "advice": ""}]},
    {"findings": [{"kind": "masked", "about": 1, "seen": "", "advice": ""}]},
    {"findings": [{"kind": "masked", "about": "", "seen": ""}]},
    {"findings": [{"kind": "masked", "about": "", "seen": "x" * 10_000, "advice": ""}]},
    {"notes": [1]},
    {"notes": ["x"] * 1000},
    {"measurements": [{"name": "accuracy", "value": "1", "n": 1}]},
    {"measurements": [{"name": "accuracy", "value": True, "n": 1}]},
    {"measurements": [{"name": "accuracy", "value": 10**400, "n": 1}]},
    {"measurements": [{"name": "accuracy", "value": 1.0, "n": -1}]},
    {"at_zero": [{"attack": "wood", "right": 1.5, "of": 2}]},
    {"version": "1"},
]


@pytest.mark.parametrize("change", WRONG, ids=[str(n) for n in range(len(WRONG))])
def test_a_record_that_no_check_wrote_is_refused_in_one_line(change: dict[str, Any]) -> None:
    with pytest.raises(RunError, match=r"^the run's record: ") as refused:
        CheckResult.from_record(CHECKED.to_record() | change)
    assert len(str(refused.value).splitlines()) == 1
    assert len(str(refused.value)) < 300


def test_measurements_of_a_later_release_are_left_out() -> None:
    record = CHECKED.to_record()
    record["measurements"].append({"name": "new", "value": 1.0, "n": 2})
    assert CheckResult.from_record(record) == CHECKED


def test_a_run_of_before_there_was_a_check_was_not_checked() -> None:
    record = made_record()
    del record["check"]
    assert summarise_attacks(planned_attack_run(record), made_frame(record)).check is None
