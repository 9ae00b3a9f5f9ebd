"""Powers of two by trying."""

from unforeseen.ops.power_of_two import next_power_of_two


def test_it_is_the_smallest_that_is_not_less() -> None:
    powers = [2**exponent for exponent in range(12)]
    for length in range(1, 2049):
        assert next_power_of_two(length) == min(each for each in powers if each >= length)
