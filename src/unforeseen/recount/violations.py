"""Broken rules, counted, each with its first example."""

__all__ = ["Violation", "Violations"]

from collections.abc import Mapping
from typing import NamedTuple

from unforeseen.errors import shown

_LONGEST_VALUE = 60
_AS_IN_JSON = {"None": "null", "True": "true", "False": "false"}


class Violation(NamedTuple):
    """A rule that something in a run folder breaks.

    Attributes:
        rule: What must hold.
        cases: How often it doesn't.
        example: The first case, in words.
    """

    rule: str
    cases: int
    example: str


class Violations:
    """Collects violations, in the order in which rules were first broken."""

    def __init__(self) -> None:
        self._found: dict[str, Violation] = {}

    def add(self, rule: str, where: str, seen: Mapping[str, object] | None = None) -> None:
        """Counts one more.

        Args:
            rule: What must hold.
            where: Which cell, picture or file.
            seen: What was there instead, by name.
        """
        before = self._found.get(rule)
        if before is None:
            values = ", ".join(f"{name} {_in_json(each)}" for name, each in (seen or {}).items())
            before = Violation(rule, 0, f"{where}: {values}" if values else where)
        self._found[rule] = before._replace(cases=before.cases + 1)

    def found(self) -> tuple[Violation, ...]:
        """All of them."""
        return tuple(self._found.values())


def _in_json(value: object) -> str:
    text = shown(value, longest=_LONGEST_VALUE)
    return _AS_IN_JSON.get(text, text)
