"""What a check says in all: a verdict, and what stands behind it.

Imports no torch: reports read it from the records of runs, which may be a stranger's.
"""

__all__ = ["CHECK_VERSION", "MANY", "CheckResult"]

import math
from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass, replace
from typing import Any, Self, get_args

from unforeseen.check.findings import (
    MEASUREMENTS,
    AtZero,
    Evidence,
    Finding,
    Kind,
    Measurement,
)
from unforeseen.counted import counted
from unforeseen.run_folder.recorded import count_of, taken, unexpected

#: Raised whenever a check would find something else on the same model and pictures.
CHECK_VERSION = 1

#: Fewer pictures show gross mistakes only; from here on being near chance ends a run.
MANY = 100

#: A record with longer texts, or more of them, was not written by a check.
_LONGEST = 2000
_MOST = 200


@dataclass(frozen=True, kw_only=True)
class CheckResult:
    """What a check says of a model on a data set.

    Attributes:
        pictures: How many were looked at.
        subset: A hash of their ids.
        findings: What is wrong, gravest first; none where all is fine.
        notes: What one should know, and what is not wrong.
        measurements: The figures behind it, in the order of :data:`MEASUREMENTS`.
        at_zero: Per attack of the plan, in edition ``published``: what it costs where δ = 0.
        version: Of the check.
    """

    pictures: int
    subset: str
    findings: tuple[Finding, ...] = ()
    notes: tuple[str, ...] = ()
    measurements: tuple[Measurement, ...] = ()
    at_zero: tuple[AtZero, ...] = ()
    version: int = CHECK_VERSION

    @classmethod
    def of(
        cls,
        evidence: Iterable[Evidence],
        *,
        pictures: int,
        subset: str,
        at_zero: Iterable[AtZero] = (),
    ) -> Self:
        """Puts the answers to all questions together; cuts what no record may hold."""
        parts = list(evidence)
        order = list(MEASUREMENTS)
        return cls(
            pictures=pictures,
            subset=subset,
            findings=tuple(
                _cut(finding)
                for kind in get_args(Kind)
                for part in parts
                for finding in part.findings
                if finding.kind == kind
            ),
            notes=tuple(note[:_LONGEST] for part in parts for note in part.notes),
            measurements=tuple(
                sorted(
                    (each for part in parts for each in part.measurements),
                    key=lambda each: order.index(each.name),
                )
            ),
            at_zero=tuple(at_zero),
        )

    @property
    def verdict(self) -> str:
        """``fine``, or what is wrong in a few words: ``masked: …``, ``suspicious: …``, or both."""
        parts = []
        for kind in get_args(Kind):
            abouts = [finding.about for finding in self.findings if finding.kind == kind]
            if abouts:
                parts.append(f"{kind}: {', '.join(abouts)}")
        return "; ".join(parts) or "fine"

    @property
    def lines(self) -> tuple[str, ...]:
        """What must be read before any figure: a line per finding, or one that says it is fine."""
        return tuple(f"{each.kind}: {each.seen}" for each in self.findings) or (self._fine,)

    @property
    def lines_with_advice(self) -> tuple[str, ...]:
        """The same, and for each finding its likely cause and what to do."""
        return tuple(f"{each.kind}: {each.text}" for each in self.findings) or (self._fine,)

    @property
    def fine(self) -> bool:
        """Whether nothing was found."""
        return not self.findings

    @property
    def _fine(self) -> str:
        reach = "" if self.pictures >= MANY else ": enough for gross mistakes only"
        return f"check: fine ({counted(self.pictures, 'picture')}{reach})"

    def measured(self, name: str) -> float | None:
        """A figure by its name, or None where it wasn't measured."""
        return next((each.value for each in self.measurements if each.name == name), None)

    def to_record(self) -> dict[str, Any]:
        """As JSON can hold it."""
        return {
            "verdict": self.verdict,
            "version": self.version,
            "pictures": self.pictures,
            "subset": self.subset,
            "findings": [asdict(finding) for finding in self.findings],
            "notes": list(self.notes),
            "measurements": [each._asdict() for each in self.measurements],
            "at_zero": [each._asdict() for each in self.at_zero],
        }

    @classmethod
    def from_record(cls, record: Mapping[str, Any]) -> Self:
        """Reads what :meth:`to_record` wrote. The verdict is made again from the findings.

        Raises:
            RunError: Something is missing or of another type.
        """
        return cls(
            pictures=count_of(record, "pictures"),
            subset=_text(taken(record, "subset", str), "subset"),
            findings=tuple(_finding(each) for each in _objects(record, "findings")),
            notes=tuple(_text(each, "notes") for each in _list(record, "notes")),
            measurements=tuple(
                each
                for each in map(_measurement, _objects(record, "measurements"))
                if each.name in MEASUREMENTS
            ),
            at_zero=tuple(
                AtZero(
                    _text(taken(each, "attack", str), "attack"),
                    count_of(each, "right"),
                    count_of(each, "of"),
                )
                for each in _objects(record, "at_zero")
            ),
            version=count_of(record, "version"),
        )


def _cut(finding: Finding) -> Finding:
    # Names of classes and buffers are a stranger's, and may be of any length.
    return replace(finding, seen=finding.seen[:_LONGEST], advice=finding.advice[:_LONGEST])


def _finding(content: Mapping[str, Any]) -> Finding:
    return Finding(
        kind=_kind(content.get("kind")),
        about=_text(taken(content, "about", str), "about"),
        seen=_text(taken(content, "seen", str), "seen"),
        advice=_text(taken(content, "advice", str), "advice"),
    )


def _kind(value: object) -> Kind:
    kinds: tuple[Kind, ...] = get_args(Kind)
    for kind in kinds:
        if value == kind:
            return kind
    raise unexpected("kind", " or ".join(kinds), value)


def _measurement(content: Mapping[str, Any]) -> Measurement:
    value = content.get("value")
    if isinstance(value, bool) or not isinstance(value, int | float) or not _finite(value):
        raise unexpected("value", "a finite number", value)
    n = None if content.get("n") is None else count_of(content, "n")
    return Measurement(taken(content, "name", str), float(value), n)


def _finite(value: float) -> bool:
    try:
        return math.isfinite(value)
    except OverflowError:  # JSON's whole numbers have no end
        return False


def _text(value: object, key: str) -> str:
    if not isinstance(value, str) or len(value) > _LONGEST:
        raise unexpected(key, f"text of at most {_LONGEST} characters", value)
    return value


def _list(content: Mapping[str, Any], key: str) -> list[Any]:
    values = taken(content, key, list)
    if len(values) > _MOST:
        raise unexpected(key, f"at most {_MOST} entries", len(values))
    return values


def _objects(content: Mapping[str, Any], key: str) -> list[dict[str, Any]]:
    values = _list(content, key)
    for value in values:
        if not isinstance(value, dict):
            raise unexpected(key, "objects", value)
    return values
