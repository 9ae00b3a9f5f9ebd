"""What a user is told is one printable line of bounded length, whatever stands in it."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from unforeseen.errors import (
    MissingExtraError,
    UnknownNameError,
    UserError,
    one_line,
    printable,
    shown,
)


def test_white_space_is_joined_and_nothing_else_changes_in_a_plain_message() -> None:
    assert one_line("  expected ε ≤ 1,\n\tgot 2.  ", longest=100) == "expected ε ≤ 1, got 2."


@pytest.mark.parametrize(
    ("text", "escaped"),
    [
        ("\x1b[2J\x07", r"\x1b[2J\x07"),
        ("a\u202eb", r"a\u202eb"),
        ("\ud800", r"\ud800"),
        ("a\x00b", r"a\x00b"),
    ],
)
def test_what_could_change_a_terminal_is_escaped(text: str, escaped: str) -> None:
    assert one_line(text, longest=100) == escaped


def test_a_long_text_is_cut_in_the_middle_so_that_the_advice_stays() -> None:
    line = one_line(f"name {'x' * 10_000} is unknown. Use another.", longest=100)
    assert len(line) == 100
    assert line.startswith("name xxx")
    assert line.endswith("xxx is unknown. Use another.")


@pytest.mark.parametrize(
    ("value", "text"),
    [
        ("caf\u00e9", "'caf\u00e9'"),
        ("\x1b[2J", r"'\x1b[2J'"),
        (None, "None"),
        ([1, {"a": 2.5}], "[1, {'a': 2.5}]"),
        ("x" * 100, f"'{'x' * 50} … {'x' * 25}'"),
    ],
)
def test_a_value_is_shown_as_python_writes_it_and_no_longer_than_80(
    value: object, text: str
) -> None:
    assert shown(value) == text
    assert len(shown(value)) <= 80


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


def test_names_too_many_to_list_are_counted_or_left_to_the_hint() -> None:
    known = [f"name {number}" for number in range(50)]
    assert str(UnknownNameError("thing", "?", known)).endswith("There are 50.")
    assert "50" not in str(UnknownNameError("thing", "?", known, "See the lists."))


@pytest.mark.parametrize(
    ("text", "safe"),
    [
        ("\x1b[31m", r"\x1b[31m"),
        ("\x9b31m", r"\x9b31m"),
        ("\u202eabc\ud800", r"\u202eabc\ud800"),
        ("two\nlines, ε\xa0木", "two\nlines, ε\xa0木"),
    ],
)
def test_text_for_a_terminal_steers_it_no_more(text: str, safe: str) -> None:
    assert printable(text) == safe


@pytest.mark.parametrize(
    ("name", "known", "near"),
    [
        (
            "shark",
            ["hare", "harp", "great white shark, man-eater", "sharkskin"],
            "great white shark, man-eater or sharkskin",
        ),
        ("Snow", ["snow", "snowplough", "slow"], "snow or snowplough"),
        (
            "efficientnet-lite",
            [f"efficientnet-lite{i}" for i in (2, 1, 0, 3)],
            "efficientnet-lite0 or efficientnet-lite1 or efficientnet-lite2",
        ),
        ("lite9", ["lite2", "lite0", "lite1"], "lite0 or lite1 or lite2"),
        ("a", ["castle"], ""),
        ("", ["cat"], ""),
        ("(", ["a(b)"], ""),
        ("zebra", [], ""),
    ],
)
def test_near_matches_are_names_that_hold_it_then_names_spelt_alike(
    name: str, known: list[str], near: str
) -> None:
    message = str(UnknownNameError("class", name, known))
    said = message.partition("Did you mean ")[2].partition("?")[0]
    assert said == near
