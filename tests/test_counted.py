"""One of a thing is singular, and short times are told in seconds."""

from unforeseen.counted import counted, lasting


def test_one_is_singular_and_thousands_have_a_comma() -> None:
    said = [counted(number, "picture") for number in (0, 1, 2, 12_000)]
    assert said == ["0 pictures", "1 picture", "2 pictures", "12,000 pictures"]


def test_times_are_told_in_seconds_up_to_two_minutes() -> None:
    said = [lasting(seconds) for seconds in (0.4, 1, 119.4, 119.6, 150.1, 3600, 60_060)]
    assert said == [
        "0 seconds",
        "1 second",
        "119 seconds",
        "2 minutes",
        "3 minutes",
        "60 minutes",
        "1,001 minutes",
    ]
