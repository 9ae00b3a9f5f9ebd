"""Sizes that users give."""

import numpy as np
import pytest

from unforeseen.errors import UserError
from unforeseen.positive import positive_number


@pytest.mark.parametrize("value", [2, 2.0, "2", np.float32(2), np.int64(2)])
def test_numbers_become_pythons_own(value: object) -> None:
    number = positive_number("rate", value)
    assert number == 2.0
    assert type(number) is float


@pytest.mark.parametrize("value", [0, -1, "nan", float("inf"), "1e999", "two", None, [], 10**400])
def test_anything_else_is_told(value: object) -> None:
    with pytest.raises(UserError, match=r"^rate: expected a finite number above 0, got "):
        positive_number("rate", value)
