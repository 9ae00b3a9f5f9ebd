"""Options that take several names or numbers, joined by commas, and may be given again.

A command declares each as a list of texts, as of an option that takes one the last would count alone.
"""

__all__ = ["names_in", "numbers_in", "whole_numbers_in"]

import re
from collections.abc import Sequence

from unforeseen.errors import UserError, one_line

#: More of them would be a mistake.
_LONGEST_RANGE = 1000
#: What float() takes of digits 0 to 9 alone; it also takes others, and 1_0 for 10.
_NUMBER = re.compile(r"[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?", re.ASCII | re.IGNORECASE)


def names_in(given: Sequence[str] | None) -> list[str] | None:
    """``--option a,b --option c`` → [a, b, c]; None where the option wasn't given."""
    return _words(given) if given else None


def numbers_in(given: Sequence[str], option: str) -> list[float]:
    """``0.5,1,2`` → [0.5, 1.0, 2.0]; raises UserError where something else stands between commas."""
    numbers = []
    for word in _words(given):
        if _NUMBER.fullmatch(word) is None:
            raise _unexpected(option, "numbers joined by commas, e.g. 0.5,1,2", word)
        numbers.append(float(word))
    return numbers


def whole_numbers_in(given: Sequence[str], option: str) -> list[int]:
    """``0..2,7`` → [0, 1, 2, 7], ranges with both their ends.

    Raises:
        UserError: Something else stands between commas, or a range falls or is very long.
    """
    numbers: list[int] = []
    for word in _words(given):
        found = re.fullmatch(r"(\d{1,19})(?:\.\.(\d{1,19}))?", word, re.ASCII)
        if found is None:
            raise _unexpected(
                option, "whole numbers or ranges joined by commas, e.g. 0..4 or 0,1,5", word
            )
        first, last = int(found[1]), int(found[2] or found[1])
        if not first <= last < first + _LONGEST_RANGE:
            raise _unexpected(
                option, f"ranges a..b that rise, of up to {_LONGEST_RANGE:,} numbers", word
            )
        numbers += range(first, last + 1)
    return numbers


def _words(given: Sequence[str]) -> list[str]:
    return [word.strip() for joined in given for word in joined.split(",") if word.strip()]


def _unexpected(option: str, expected: str, word: str) -> UserError:
    return UserError(f"{option}: expected {expected}; got {one_line(word, longest=40)}.")
