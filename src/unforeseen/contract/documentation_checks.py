"""What must hold for what an attack says of itself, and for its parameters."""

__all__ = ["DOCUMENTATION_CHECKS"]

import inspect
import math
from collections.abc import Iterator
from dataclasses import Field, fields
from typing import Any

from unforeseen.benchmarks.attack_setting import Parameter
from unforeseen.contract.case import Case
from unforeseen.contract.check import Check
from unforeseen.errors import UserError
from unforeseen.transforms.faults import lineage_faults, text_faults


def _untold(case: Case) -> Iterator[str]:
    yield from text_faults(type(case.attack))


def _undocumented(case: Case) -> Iterator[str]:
    kind = type(case.attack)
    documented = inspect.getdoc(kind) or ""
    if documented.startswith(f"{kind.__name__}("):  # what @dataclass writes where there is none
        documented = ""
    for field in _parameters(case):
        if not field.metadata.get("meaning"):
            yield f"{field.name}: no meaning; write parameter(default, meaning)"
        if f"{field.name}: " not in documented:
            yield f"{field.name}: not among the class docstring's Attributes"


def _overridden(case: Case) -> Iterator[str]:
    yield from lineage_faults(type(case.attack))


def _taken_unknown(case: Case) -> Iterator[str]:
    yield from _accepted(case, "geometry", "centred", f"unknown parameter of {case.attack.name}")
    yield from _accepted(case, "no_such_parameter", 1, f"unknown parameter of {case.attack.name}")


def _taken_of_another_type(case: Case) -> Iterator[str]:
    for field in _parameters(case):
        for wrong in (True, "7", 7.5):
            if not (isinstance(field.default, float) and isinstance(wrong, float)):
                yield from _accepted(case, field.name, wrong, f"{_name(case, field)}: expected")


def _taken_out_of_bounds(case: Case) -> Iterator[str]:
    kind, geometry = type(case.attack), case.attack.geometry
    for field in _parameters(case):
        low, high = field.metadata.get("minimum"), field.metadata.get("maximum")
        for bound, beyond in ((low, -1), (high, 1)):
            if bound is None:
                continue
            made = kind.from_parameters({field.name: bound}, geometry=geometry)
            if getattr(made, field.name) != bound or made.geometry != geometry:
                yield f"{field.name} = {bound!r} makes {made!r:.120}"
            refusal = f"{_name(case, field)}: expected"
            yield from _accepted(case, field.name, bound + beyond, refusal)
            if isinstance(field.default, float):
                yield from _accepted(case, field.name, math.nan, refusal)


def _accepted(case: Case, name: str, value: Parameter, refusal: str) -> Iterator[str]:
    """What is wrong with how a wrong parameter is refused."""
    try:
        type(case.attack).from_parameters({name: value}, geometry=case.attack.geometry)
    except UserError as error:
        if not str(error).startswith(refusal):
            yield f"{name} = {value!r} is refused with: {error}"
    else:
        yield f"{name} = {value!r} is taken"


def _parameters(case: Case) -> list[Field[Any]]:
    return [field for field in fields(type(case.attack)) if field.name != "geometry"]


def _name(case: Case, field: Field[Any]) -> str:
    return f"{case.attack.name}.{field.name}"


_OWN_RULES = "A from_parameters() or __post_init__() of one's own; a field without parameter()"

DOCUMENTATION_CHECKS = {
    "texts": Check(
        "Name, summary, formula and source are there, in one line each, and a version from 1",
        "Blanks around it, or a line break in it",
        _untold,
    ),
    "parameters": Check(
        "Each parameter says what it means, in parameter() and in the class's docstring",
        "A field without parameter(default, meaning), or missing under Attributes: in the docstring",
        _undocumented,
    ),
    "final": Check(
        "Only what is meant to be is overridden, and nothing derives from it",
        "A render() or begin() of one's own: paint in paint(), start in start(). A base class or a "
        "derived one that is an attack too",
        _overridden,
    ),
    "unknown-parameters": Check(
        "An unknown parameter is refused in one line", _OWN_RULES, _taken_unknown
    ),
    "parameter-types": Check(
        "A parameter of the wrong type is refused in one line", _OWN_RULES, _taken_of_another_type
    ),
    "parameter-bounds": Check(
        "A parameter's bounds are accepted, and what lies beyond is refused in one line",
        f"{_OWN_RULES}; bounds at which the attack can't be made",
        _taken_out_of_bounds,
    ),
}
