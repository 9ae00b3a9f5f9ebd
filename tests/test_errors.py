"""What a user is told is one printable line of bounded length, whatever stands in it."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from unforeseen.errors import MissingExtraError, UnknownNameError, UserError, one_line


def test_white_space_is_joined_and_nothing_else_changes_in_a_plain_message() -> None:
    assert one_line("  expected ε ≤ 1,\n\tgot 2.  ", longest=100) == "expected ε ≤ 1, got 2."


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("\x1b[2J\x07", r"\x1b[2J\x07"),
        ("a\u202eb", r"a\u202eb"),
        ("\ud800", r"\ud800"),
        ("a\x00b", r"a\x00b"),
    ],
)
def test_what_could_change_a_terminal_is_escaped(text: str, shown: str) -> None:
    assert one_line(text, longest=100) == shown


def test_a_long_text_is_cut_in_the_middle_so_that_the_advice_stays() -> None:
    shown = one_line(f"name {'x' * 10_000} is unknown. Use another.", longest=100)
    assert len(shown) == 100
    assert shown.startswith("name xxx")
    assert shown.endswith("xxx is unknown. Use another.")


@given(st.text(), st.integers(min_value=10, max_value=50))
def test_any_text_becomes_one_printable_line_that_stays_as_it_is(text: str, longest: int) -> None:
    line = one_line(text, longest=longest)
    assert line.isprintable()
    assert len(line) <= longest
    assert one_line(line, longest=longest) == line


@pytest.mark.parametrize("kind", [UserError, *UserError.__subclasses__()])
def test_every_user_error_is_such_a_line(kind: type[UserError]) -> None:
    text = "\x1b[2J\n" * 10_000
    if kind is UnknownNameError:
        error: UserError = UnknownNameError("attack", text, ["wood"], hint="See the list.")
        assert str(error).endswith("There are: wood. See the list.")
        assert len(str(error)) < 400
    elif kind is MissingExtraError:
        error = MissingExtraError(text, "package", "extra")
    else:
        error = kind(text)
    assert str(error).isprintable()
    assert len(str(error)) <= 2000
