"""What was measured, as people read it."""

import pytest

from unforeseen.check.figures import figures_of
from unforeseen.check.findings import MEASUREMENTS, Measurement
from unforeseen.check.result import CheckResult


@pytest.mark.parametrize(
    ("name", "value", "shown"),
    [
        ("chance", 0.1, "10.0 %"),
        ("zero_gradients", 0.0, "0.0 %"),
        ("resolution", 3.8e-7, "< 0.1 %"),
        ("resolution", 0.0005, "0.1 %"),
        ("randomness", 1.5, "150.0 %"),
        ("gap", 13.17, "13.2"),
        ("accuracy", 0.5, "50.0 %"),
    ],
)
def test_shares_are_percent_as_everywhere_and_the_gap_is_none(
    name: str, value: float, shown: str
) -> None:
    result = CheckResult(pictures=8, subset="", measurements=(Measurement(name, value, 8),))
    assert figures_of(result) == [(MEASUREMENTS[name], shown, "8")]


def test_the_interval_stands_beside_the_accuracy() -> None:
    names = {"accuracy": 0.9, "accuracy_low": 0.533, "accuracy_high": 0.986}
    measured = tuple(Measurement(name, value, 20) for name, value in names.items())
    result = CheckResult(pictures=20, subset="", measurements=measured)
    assert figures_of(result) == [(MEASUREMENTS["accuracy"], "90.0 % [53.3, 98.6]", "20")]


def test_what_is_not_of_pictures_has_no_number_of_them() -> None:
    result = CheckResult(
        pictures=8, subset="", measurements=(Measurement("expected_accuracy", 0.751, None),)
    )
    assert figures_of(result) == [("accuracy to be expected", "75.1 %", "")]
