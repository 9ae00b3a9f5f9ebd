"""Rules about what a row says of one picture: verdicts, and the file that names it."""

__all__ = ["EVERY_ROW", "OF_CLEAN", "READABLE", "UNREADABLE"]

from typing import get_args

from unforeseen.recount.rule import OF_A_SEARCH, TIMED, Expected, RowContent, Rule
from unforeseen.rows import ROW_SCHEMA, Status

_VERDICTS = ("correct_clean", "correct", "correct_any", "correct_8bit")
#: What a row says of a picture that can't be read.
_OF_UNREADABLE = (
    *("cell", "example_id", "label", "transform", "level", "seed", "status", "reason"),
)
_MEASURED = tuple(name for name in ROW_SCHEMA.names() if name not in _OF_UNREADABLE)


def _is_of_its_cell(row: RowContent, expected: Expected) -> bool:
    cell = expected.cell
    return (row["transform"], row["level"], row["seed"]) == (
        *(cell.transform, cell.level or ""),
        expected.seed,
    )


def _is_listed(row: RowContent, expected: Expected) -> bool:
    if row["label"] is None:
        return False
    labels = expected.labels
    return labels is None or labels.get(row["example_id"]) == row["label"]


def _are_shares(row: RowContent, _: Expected) -> bool:
    shares = [row[name] for name in ("confidence", "clean_confidence", "zero_gradient_share")]
    shares += [entry["probability"] for entry in row["top10"] or [] if entry]
    return all(share is None or 0 <= share <= 1 for share in shares)


def _is_counted_right(row: RowContent, _: Expected) -> bool:
    if row["status"] == "nonfinite":
        return row["prediction"] is None and row["correct"] is False
    if row["prediction"] is None or row["correct"] is None:
        return False
    return bool(row["correct"] == (row["prediction"] == row["label"]))


def _answers_twice_alike(row: RowContent, _: Expected) -> bool:
    twice = {
        "clean_prediction": "prediction",
        "clean_confidence": "confidence",
        "clean_loss": "loss",
    }
    verdicts = {row[name] for name in _VERDICTS}
    return len(verdicts) == 1 and all(row[one] == row[other] for one, other in twice.items())


EVERY_ROW: tuple[Rule, ...] = (
    Rule(
        "transform, level and seed are the cell's",
        ("transform", "level", "seed"),
        _is_of_its_cell,
    ),
    Rule(
        f"status is {', '.join(get_args(Status))}",
        ("status",),
        lambda row, _: row["status"] in get_args(Status),
    ),
    Rule("label is the one in pictures.parquet", ("label",), _is_listed),
    Rule(
        "probabilities and shares are in [0, 1]",
        ("confidence", "clean_confidence", "zero_gradient_share", "top10"),
        _are_shares,
    ),
    Rule(
        "a picture is unreadable in every cell or in none",
        ("status",),
        # Of what was obfuscated before, a single picture may be missing.
        lambda row, expected: (
            expected.ready_made
            or expected.clean is None
            or row["example_id"] not in expected.clean
            or expected.clean[row["example_id"]].unreadable == (row["status"] == "unreadable")
        ),
    ),
)

UNREADABLE: tuple[Rule, ...] = (
    Rule(
        "what is unreadable has no verdicts and no answers, but a reason",
        (*_MEASURED, "reason"),
        lambda row, _: all(row[name] is None for name in _MEASURED) and row["reason"] is not None,
    ),
)

READABLE: tuple[Rule, ...] = (
    Rule(
        "verdicts are null only where a picture is unreadable",
        _VERDICTS,
        lambda row, _: all(row[name] is not None for name in _VERDICTS),
    ),
    Rule(
        "correct is whether prediction is label, and false where nonfinite",
        ("correct", "prediction", "label", "status"),
        _is_counted_right,
    ),
    Rule(
        "correct_any implies correct",
        ("correct_any", "correct"),
        lambda row, _: row["correct_any"] is not True or row["correct"] is True,
    ),
    Rule(
        "correct_8bit is correct where the model is a function, which sees 8-bit pictures only",
        ("correct_8bit", "correct"),
        lambda row, expected: not expected.function or row["correct_8bit"] is row["correct"],
    ),
    Rule(
        "only what is unreadable has a reason; only what is obfuscated has parameters",
        ("reason", "parameters"),
        lambda row, expected: (
            row["reason"] is None and (expected.obfuscated or row["parameters"] is None)
        ),
    ),
)

OF_CLEAN: tuple[Rule, ...] = (
    Rule(
        "a clean row says the same of the clean and of the judged picture",
        ("clean_prediction", "prediction", "clean_confidence", "confidence", *_VERDICTS),
        _answers_twice_alike,
    ),
    TIMED,
    Rule(
        "nothing is searched for in a clean row",
        ("steps", "gradient_evaluations", *OF_A_SEARCH),
        lambda row, _: (
            row["steps"] == row["gradient_evaluations"] == 0
            and all(row[name] is None for name in OF_A_SEARCH)
        ),
    ),
)
