"""Rows of styles: paintings first, each kind in its own order."""

import pytest

from unforeseen.errors import UnknownNameError
from unforeseen.stylization.names import StyleNames

NAMES = StyleNames(paintings=("night", "river"), textures=("bark", "night"))


def test_paintings_come_first_and_a_name_may_be_of_both_kinds() -> None:
    assert len(NAMES) == 4
    assert NAMES.row("painting", "river") == 1
    assert NAMES.row("texture", "bark") == 2
    assert NAMES.row("painting", "night") == 0
    assert NAMES.row("texture", "night") == 3


def test_a_style_of_the_other_kind_is_unknown() -> None:
    with pytest.raises(
        UnknownNameError, match=r"unknown painting 'bark'. There are: night, river."
    ):
        NAMES.row("painting", "bark")
