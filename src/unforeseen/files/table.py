"""A table of a file whose keys and values are checked as they are taken out.

Files are written by hand and records may come from strangers, so every complaint says where it
is, what was expected and what came, in one short line.
"""

__all__ = ["Table"]

import difflib
import math
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Never, Self, TypeVar

from unforeseen.errors import UserError, shown

_FRACTION = re.compile(r"\s*(\d{1,9}(?:\.\d{1,9})?)\s*/\s*(\d{1,9}(?:\.\d{1,9})?)\s*")
_PARAMETER = r"[a-z][a-z0-9_]{0,39}"
_LONGEST_SHOWN = 60
_LONGEST_TEXT = 1000

_Choice = TypeVar("_Choice", bound=str)


@dataclass(frozen=True, kw_only=True)
class Table:
    """A TOML table or JSON object.

    Attributes:
        content: What it holds, unchecked.
        origin: The file's name or another word for where it came from.
        error: What every complaint is raised as.
        path: The keys that lead to it, joined by dots; empty for the whole file.
    """

    content: Mapping[str, object]
    origin: str
    error: type[UserError]
    path: str = ""

    @classmethod
    def of(
        cls,
        value: object,
        *,
        origin: str,
        error: type[UserError],
        path: str = "",
    ) -> Self:
        """Checks that ``value`` is a table; raises ``error``."""
        if not isinstance(value, Mapping):
            place = f" {path}" if path else ""
            raise error(f"{origin}:{place} expected a table, got {_shown(value)}.")
        return cls(content=value, origin=origin, path=path, error=error)

    def __contains__(self, key: str) -> bool:
        return key in self.content

    def reject(self, key: str, expected: str, got: str) -> Never:
        """Complains about one key."""
        raise self.error(f"{self.origin}: {self._at(key)}: expected {expected}, got {got}.")

    def expect_schema(self, version: int) -> None:
        """Checks ``schema`` first: another version has other keys."""
        schema = self.content.get("schema")
        if schema != version or isinstance(schema, bool):
            got = _shown(schema) if "schema" in self.content else "none"
            self.reject("schema", f"{version} (the layout this release reads)", got)

    def expect(self, *, required: Sequence[str] = (), optional: Sequence[str] = ()) -> None:
        """Checks that all ``required`` keys are there and none that isn't named."""
        known = [*required, *optional]
        for key in self.content:
            if key not in known:
                near = difflib.get_close_matches(str(key)[:_LONGEST_SHOWN], known, n=1)
                hint = f"did you mean {near[0]}?" if near else f"known: {', '.join(known)}."
                raise self.error(
                    f"{self.origin}: unknown key {_shown(key)} in {self.path or 'the file'}; {hint}"
                )
        missing = [key for key in required if key not in self.content]
        if missing:
            raise self.error(
                f"{self.origin}: {self.path or 'the file'} lacks {', '.join(missing)}."
            )

    def table(self, key: str) -> "Table":
        """The table under ``key``."""
        return Table.of(self.content[key], origin=self.origin, path=self._at(key), error=self.error)

    def tables(self, pattern: str) -> dict[str, "Table"]:
        """All content as tables, under names that match ``pattern``; at least one."""
        if not self.content:
            raise self.error(f"{self.origin}: {self.path}: expected at least one, got none.")
        self._check_names(pattern)
        return {name: self.table(name) for name in self.content}

    def scalars(self) -> dict[str, int | float | str | bool]:
        """All content as single values, under names in lower case."""
        self._check_names(_PARAMETER)
        return {name: self._scalar(name) for name in self.content}

    def text(self, key: str, *, pattern: str = r"[^\x00-\x1f\x7f]+") -> str:
        """A string of one line that matches ``pattern`` from end to end."""
        value = self.content[key]
        if not isinstance(value, str) or not re.fullmatch(pattern, value):
            self.reject(key, f"text of the form {pattern}", _shown(value))
        if len(value) > _LONGEST_TEXT:
            self.reject(key, f"at most {_LONGEST_TEXT} characters", f"{len(value)}")
        return value

    def choice(self, key: str, choices: Sequence[_Choice]) -> _Choice:
        """One of ``choices``."""
        value = self.content[key]
        for choice in choices:
            if value == choice:
                return choice
        return self.reject(key, " or ".join(map(repr, choices)), _shown(value))

    def integer(self, key: str, *, minimum: int) -> int:
        """A whole number of at least ``minimum`` that fits into 31 bits."""
        value = self.content[key]
        if isinstance(value, bool) or not isinstance(value, int):
            self.reject(key, "a whole number", _shown(value))
        if not minimum <= value < 2**31:
            self.reject(key, f"a whole number from {minimum} to 2147483647", _shown(value))
        return value

    def optional_integer(self, key: str, *, minimum: int) -> int | None:
        """As :meth:`integer`, or None where the key is absent."""
        return self.integer(key, minimum=minimum) if key in self.content else None

    def boolean(self, key: str) -> bool:
        """True or false."""
        value = self.content[key]
        if not isinstance(value, bool):
            self.reject(key, "true or false", _shown(value))
        return value

    def positive(self, key: str) -> float:
        """A number above 0, or a fraction of two such as text: ``"4/255"``."""
        value = self.content[key]
        fraction = _FRACTION.fullmatch(value) if isinstance(value, str) else None
        if fraction:
            above, below = map(float, fraction.groups())
            number = above / below if below else math.inf
        elif isinstance(value, int | float) and not isinstance(value, bool):
            number = _float(value)
        else:
            number = math.nan
        if not (math.isfinite(number) and number > 0):
            self.reject(key, 'a finite number above 0 or a fraction as "4/255"', _shown(value))
        return number

    def sides(self, key: str) -> tuple[int, int]:
        """``[height, width]`` in pixels."""
        value = self.content[key]
        if isinstance(value, list | tuple) and len(value) == 2:
            pair = Table(
                content={"0": value[0], "1": value[1]},
                origin=self.origin,
                path=self._at(key),
                error=self.error,
            )
            return pair.integer("0", minimum=1), pair.integer("1", minimum=1)
        return self.reject(key, "[height, width] in pixels", _shown(value))

    def ranges(self) -> dict[str, tuple[float, float]]:
        """All content as ``[lowest, highest]``, under names in lower case."""
        self._check_names(_PARAMETER)
        return {name: self._range(name) for name in self.content}

    def _range(self, key: str) -> tuple[float, float]:
        value = self.content[key]
        if isinstance(value, list | tuple) and len(value) == 2:
            low, high = (
                _float(each)
                if isinstance(each, int | float) and not isinstance(each, bool)
                else math.nan
                for each in value
            )
            if -math.inf < low <= high < math.inf:
                return low, high
        return self.reject(key, "[lowest, highest], two finite numbers", _shown(value))

    def _scalar(self, key: str) -> int | float | str | bool:
        value = self.content[key]
        if isinstance(value, bool):
            return value
        if isinstance(value, int):
            return self.integer(key, minimum=-(2**31))
        if isinstance(value, str):
            return self.text(key)
        if isinstance(value, float) and math.isfinite(value):
            return value
        return self.reject(key, "a finite number, text, true or false", _shown(value))

    def _check_names(self, pattern: str) -> None:
        for name in self.content:
            if not isinstance(name, str) or not re.fullmatch(pattern, name):
                where = self.path or "the file"
                raise self.error(
                    f"{self.origin}: {where}: expected names of the form {pattern}, got {_shown(name)}."
                )

    def _at(self, key: str) -> str:
        name = key if re.fullmatch(r"[\w.-]{1,64}", key) else _shown(key)
        return f"{self.path}.{name}" if self.path else name


def _float(value: float) -> float:
    try:
        return float(value)
    except OverflowError:
        return math.inf


def _shown(value: object) -> str:
    if isinstance(value, Mapping | list | tuple):
        # Its text may be of any length and depth.
        return f"a {'table' if isinstance(value, Mapping) else 'list'} of {len(value)}"
    if isinstance(value, int) and abs(value) >= 10**_LONGEST_SHOWN:
        return "a very large number"
    return shown(value, longest=_LONGEST_SHOWN)
