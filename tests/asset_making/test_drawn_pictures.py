"""Drawing until something is of use."""

import pytest

from data.in_memory import InMemory
from unforeseen.asset_making.drawn_pictures import first_of_use
from unforeseen.errors import DataError


def test_what_is_no_use_is_passed_over() -> None:
    drawn = iter(["damaged", "grey", 7, 8])
    assert first_of_use(InMemory([]), "numbers", lambda: next(drawn)) == 7


def test_twenty_in_a_row_are_an_error_with_the_last_reason() -> None:
    reasons = iter([*["damaged"] * 19, "grey", 7])
    with pytest.raises(DataError, match=r"memory: expected numbers; 20 in a row .* because: grey"):
        first_of_use(InMemory([]), "numbers", lambda: next(reasons))
