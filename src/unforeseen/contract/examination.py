"""Tries every check on an attack and goes on whatever happens, also where its code raises."""

__all__ = ["Verdict", "examine"]

import inspect
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

from unforeseen.contract import CHECKS
from unforeseen.contract.case import Case
from unforeseen.contract.check import Check
from unforeseen.errors import first_line
from unforeseen.python_files import place_of
from unforeseen.transforms.python_attacks import code_of


class Verdict(NamedTuple):
    """What came of one check.

    Attributes:
        name: The check's.
        check: What must hold, and what usually breaks it.
        seen: What was seen where it doesn't hold, in words; empty where it does.
        raised: Whether all that was seen is that the attack's code raised.
    """

    name: str
    check: Check
    seen: tuple[str, ...]
    raised: bool

    @property
    def fine(self) -> bool:
        """Whether it holds."""
        return not self.seen


def examine(cases: Sequence[Case], checks: Mapping[str, Check] = CHECKS) -> Iterator[Verdict]:
    """Tries an attack; yields a verdict as soon as it is known.

    Args:
        cases: The attack in one or more geometries.
        checks: What to try, by name.
    """
    for name, check in checks.items():
        seen: dict[str, list[str]] = {}
        raised = set()
        for case in cases:
            broken, error = _tried(check, case)
            if error is not None:
                line = (
                    f"{place_of(error, _source(case))}{type(error).__name__}: {first_line(error)}"
                )
                raised.add(line)
                broken.append(line)
            for each in broken:
                seen.setdefault(each, []).append(case.attack.geometry)
        told = tuple(
            each if len(geometries) == len(cases) else f"geometry {geometries[0]}: {each}"
            for each, geometries in seen.items()
        )
        yield Verdict(name, check, told, raised=bool(raised) and raised == set(seen))


def _tried(check: Check, case: Case) -> tuple[list[str], BaseException | None]:
    """What was seen, and with which exception it ended."""
    seen = []
    try:
        for each in check.broken(case):
            seen.append(each)  # noqa: PERF402 – what was seen before an exception counts
    except (Exception, SystemExit) as error:  # noqa: BLE001 – it is the attack's code, tried here
        return seen, error
    return seen, None


def _source(case: Case) -> Path | None:
    """The file that the attack's class stands in."""
    code = code_of(type(case.attack))
    if code is not None:
        return code.source
    found = inspect.getsourcefile(type(case.attack))
    return None if found is None else Path(found)
