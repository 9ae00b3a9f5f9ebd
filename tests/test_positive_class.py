"""What a filter looks for."""

import pytest

from unforeseen.errors import UnknownNameError, UserError
from unforeseen.positive_class import Filter, class_number


def test_a_class_is_found_by_its_name_in_any_case_or_by_its_number() -> None:
    names = ["allow", "Block", "0"]
    assert [class_number(each, names, of="data") for each in ("block", "1", "allow")] == [1, 1, 0]
    # A name comes before a number.
    assert class_number("0", names, of="data") == 2


def test_of_names_that_differ_in_case_the_one_in_the_same_case_is_meant() -> None:
    names = ["Cardigan", "collie", "cardigan"]
    assert [class_number(each, names, of="data") for each in ("Cardigan", "cardigan")] == [0, 2]
    with pytest.raises(UserError, match=r"got several of that name. Give its number: 0, 2\."):
        class_number("CARDIGAN", names, of="data")


def test_a_name_of_several_classes_is_refused_with_their_numbers() -> None:
    names = ["crane", "heron", "crane"]
    with pytest.raises(UserError, match=r"'crane'.*number: 0, 2\."):
        class_number("crane", names, of="data")
    assert class_number("2", names, of="data") == 2


@pytest.mark.parametrize("name", ["blokc", "3", "-1", "¹", "9" * 5000])
def test_a_class_that_is_not_there_is_refused_with_those_that_are(name: str) -> None:
    with pytest.raises(UnknownNameError, match="There are: allow, block"):
        class_number(name, ["allow", "block"], of="data")


@pytest.mark.parametrize("threshold", [0.0, -0.1, 1.01, 80.0, float("nan"), float("inf")])
def test_a_threshold_is_a_probability_above_0(threshold: float) -> None:
    with pytest.raises(UserError, match="expected a probability above 0, at most 1"):
        Filter(positive="block", threshold=threshold)


def test_a_class_without_a_threshold_says_nothing() -> None:
    with pytest.raises(UserError, match="--threshold T is missing"):
        Filter.asked("block", None)
    with pytest.raises(UserError, match="--positive CLASS is missing"):
        Filter.asked(None, 0.5)
    assert Filter.asked(None, None) is None
