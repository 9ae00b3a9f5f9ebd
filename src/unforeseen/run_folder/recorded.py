"""Reading records that may come from strangers: the type is checked, what came is shown."""

__all__ = ["count_of", "recorded_in", "taken", "unexpected", "whole_count"]

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any, TypeVar

from unforeseen.errors import RunError, shown
from unforeseen.files.json_file import CHANGED

_Value = TypeVar("_Value", int, str, dict[str, Any], list[Any])

_KINDS = {int: "a whole number", str: "text", dict: "an object", list: "a list"}


def taken(content: Mapping[str, Any], key: str, kind: type[_Value]) -> _Value:
    """The value of a key that must be there and of a kind; a truth value is no number.

    Raises:
        RunError: It isn't.
    """
    value = content.get(key)
    if isinstance(value, bool) or not isinstance(value, kind):
        raise unexpected(key, _KINDS[kind], value)
    return value


def count_of(content: Mapping[str, Any], key: str) -> int:
    """A whole number from 0 that fits into 63 bits, as rows and figures can hold it.

    Raises:
        RunError: It is another, or something else.
    """
    return whole_count(key, content.get(key))


def whole_count(key: str, value: object) -> int:
    """The same of a value that was taken already."""
    if isinstance(value, bool) or not isinstance(value, int) or not 0 <= value < 2**63:
        raise unexpected(key, "a whole number from 0 that fits into 63 bits", value)
    return value


def unexpected(key: str, expected: str, got: object) -> RunError:
    """The error of a value that a record must not hold."""
    return _UnexpectedError(f"{key}: expected {expected}, got {shown(got)}.")


@contextmanager
def recorded_in(origin: str) -> Iterator[None]:
    """Names another file than the run's record in what is raised inside; also decorates a function.

    Raises:
        RunError: A value was unexpected.
    """
    try:
        yield
    except _UnexpectedError as error:
        raise RunError(f"{origin}: {error.what} {CHANGED}") from None


class _UnexpectedError(RunError):
    """Says what is wrong, of the run's record unless somebody knows better."""

    def __init__(self, what: str) -> None:
        super().__init__(f"the run's record: {what}")
        self.what = what
