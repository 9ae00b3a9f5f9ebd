"""One of a thing is singular."""

from unforeseen.counted import counted


def test_one_is_singular_and_thousands_have_a_comma() -> None:
    said = [counted(number, "picture") for number in (0, 1, 2, 12_000)]
    assert said == ["0 pictures", "1 picture", "2 pictures", "12,000 pictures"]
