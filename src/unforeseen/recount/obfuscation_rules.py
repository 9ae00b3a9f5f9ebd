"""Rules about what a row says of an obfuscated picture."""

__all__ = ["OBFUSCATED"]

import json
from functools import cache

from unforeseen.errors import DataError
from unforeseen.recount.attack_rules import REPEATS_CLEAN
from unforeseen.recount.rule import OF_A_SEARCH, TIMED, Expected, RowContent, Rule


def _has_its_record(row: RowContent, expected: Expected) -> bool:
    """Of ready-made pictures, whatever their maker kept."""
    record = row["parameters"]
    if record is None:
        return expected.ready_made
    if not expected.ready_made:
        return _is_of_the_obfuscation(expected.cell.transform, record)
    try:
        return isinstance(json.loads(record), dict)
    except (ValueError, RecursionError):
        return False


@cache
def _is_of_the_obfuscation(name: str, record: str) -> bool:
    # Records are of classes that draw pictures too: only where there are some is torch needed.
    from unforeseen.transforms import OBFUSCATIONS  # noqa: PLC0415 – imports torch

    if name not in OBFUSCATIONS:
        return False
    try:
        OBFUSCATIONS[name].parameters.from_json(record)
    except DataError:
        return False
    return True


def _keeps_one_of_its_draws(row: RowContent, expected: Expected) -> bool:
    draw = row["restart"]
    if expected.worst_of == 1:
        return draw is None
    return draw is not None and 0 <= draw < expected.worst_of


def _was_drawn(row: RowContent, expected: Expected) -> bool:
    """Where the draw can be one of the cell's: of others another rule says so."""
    draw = row["restart"] or 0
    if expected.drawn is None or not 0 <= draw < expected.worst_of:
        return True
    return bool(row["parameters"] == expected.drawn(row["example_id"], draw))


OBFUSCATED: tuple[Rule, ...] = (
    REPEATS_CLEAN,
    TIMED,
    Rule(
        "an obfuscated picture is of 8 bits: correct, correct_8bit and, of one draw, correct_any are one",
        ("correct", "correct_any", "correct_8bit"),
        lambda row, expected: (
            row["correct"] is row["correct_8bit"]
            and (expected.worst_of > 1 or row["correct"] is row["correct_any"])
        ),
    ),
    Rule(
        "parameters are the record of what the obfuscation draws",
        ("parameters",),
        _has_its_record,
    ),
    Rule(
        "parameters are what seed, ranges, picture and draw make them",
        ("parameters",),
        _was_drawn,
    ),
    Rule(
        "restart is one of the draws, and null where there is one only",
        ("restart",),
        _keeps_one_of_its_draws,
    ),
    Rule(
        "nothing is searched for where pictures are obfuscated",
        ("steps", "gradient_evaluations", "donor", *OF_A_SEARCH),
        lambda row, _: (
            row["gradient_evaluations"] == 0
            and row["steps"] is row["donor"] is None
            and all(row[name] is None for name in OF_A_SEARCH if name != "restart")
        ),
    ),
)
