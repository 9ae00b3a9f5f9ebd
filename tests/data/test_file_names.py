"""What names of files become in keys and messages."""

import pytest

from unforeseen.data.file_names import (
    first_names,
    is_picture_name,
    keys_of_rows,
    portable,
    skipped_note,
)


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("cafe\u0301.png", "caf\u00e9.png"),
        ("\udcff.png", "\\udcff.png"),
        ("CON.png", "CON.png"),
        ("a:b?.png", "a:b?.png"),
        ("x" * 255, "x" * 255),
    ],
)
def test_names_are_written_alike_on_every_file_system(name: str, expected: str) -> None:
    assert portable(name) == expected
    assert portable(expected) == expected


def test_pictures_are_known_by_their_endings_in_any_case() -> None:
    assert all(map(is_picture_name, ("x.jpg", "x.JPEG", "a.b.Png")))
    assert not any(map(is_picture_name, ("x.txt", "jpg", "x.jpg.part", "x.eps")))


def test_messages_name_three_and_count_the_rest() -> None:
    assert first_names(["a", "b", "c"]) == "a, b, c"
    assert first_names(list("abcde")) == "a, b, c and 2 more"
    assert skipped_note([], "hidden") == ()
    assert skipped_note(["a"], "hidden") == ("skipped, hidden: 1 file (a)",)
    assert skipped_note(["a", "b"], "odd", "member") == ("skipped, odd: 2 members (a, b)",)


def test_rows_are_called_like_their_files_or_by_number() -> None:
    assert keys_of_rows(["/home/me/a.png", "C:\\me\\b.png", "c/a.png", None, ""]) == [
        "a.png",
        "b.png",
        "a.png row 2",
        "row 3",
        "row 4",
    ]
