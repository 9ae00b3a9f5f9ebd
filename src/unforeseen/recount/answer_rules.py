"""Rules about what a row says of one picture: verdicts, answers, and the file that names it."""

__all__ = ["ANSWERED", "EVERY_ROW", "OF_CLEAN", "READABLE", "UNREADABLE"]

from itertools import pairwise
from typing import Any, get_args

from unforeseen.recount.rule import Expected, RowContent, Rule
from unforeseen.rows import Status

_VERDICTS = ("correct_clean", "correct", "correct_any", "correct_8bit")
_MEASURED = (*_VERDICTS, "prediction", "confidence", "true_rank", "top10", "clean_prediction")


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
    shares += [entry["probability"] for entry in _top(row)]
    return all(share is None or 0 <= share <= 1 for share in shares)


def _is_counted_right(row: RowContent, _: Expected) -> bool:
    if row["status"] == "nonfinite":
        return row["prediction"] is None and row["correct"] is False
    if row["prediction"] is None or row["correct"] is None:
        return False
    return bool(row["correct"] == (row["prediction"] == row["label"]))


def _is_the_most_probable(row: RowContent, _: Expected) -> bool:
    if row["status"] == "nonfinite":
        return row["confidence"] is None and row["top10"] is None
    top, confidence = _top(row), row["confidence"]
    if not top or len(top) < len(row["top10"]):
        return False
    probabilities = [entry["probability"] for entry in top]
    classes = [entry["class_index"] for entry in top]
    if confidence != probabilities[0]:
        return False
    falling = all(p >= q for p, q in pairwise(probabilities))
    if not falling or len(set(classes)) < len(classes):
        return False
    if row["prediction"] in classes:
        return bool(probabilities[classes.index(row["prediction"])] == confidence)
    # Among more than ten equally probable classes, it may be an eleventh.
    return bool(probabilities[-1] == confidence)


def _ranks_the_truth(row: RowContent, _: Expected) -> bool:
    rank, top = row["true_rank"], _top(row)
    if row["status"] == "nonfinite":
        return rank is None
    if rank is None or rank < 1 or (row["correct"] and rank != 1):
        return False
    of_label = [entry for entry in top if entry["class_index"] == row["label"]] or top[-1:]
    return all(
        rank > sum(entry["probability"] > each["probability"] for entry in top) for each in of_label
    )


def _answers_twice_alike(row: RowContent, _: Expected) -> bool:
    twice = {
        "clean_prediction": "prediction",
        "clean_confidence": "confidence",
        "clean_loss": "loss",
    }
    verdicts = {row[name] for name in _VERDICTS}
    return len(verdicts) == 1 and all(row[one] == row[other] for one, other in twice.items())


def _top(row: RowContent) -> list[dict[str, Any]]:
    """Its ten most probable classes, those left out of which something is null."""
    return [entry for entry in row["top10"] or [] if entry and None not in entry.values()]


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
        lambda row, expected: (
            expected.clean is None
            or row["example_id"] not in expected.clean
            or expected.clean[row["example_id"]].unreadable == (row["status"] == "unreadable")
        ),
    ),
)

UNREADABLE: tuple[Rule, ...] = (
    Rule(
        "what is unreadable has no verdicts and no answers",
        _MEASURED,
        lambda row, _: all(row[name] is None for name in _MEASURED),
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
)

#: Of pictures that the model was asked about, for this row or for the clean one that it repeats.
ANSWERED: tuple[Rule, ...] = (
    Rule(
        "prediction is the most probable class, and confidence its probability",
        ("prediction", "confidence", "top10"),
        _is_the_most_probable,
    ),
    Rule(
        "true_rank is where the true class stands",
        ("true_rank", "label", "correct", "top10"),
        _ranks_the_truth,
    ),
)

OF_CLEAN: tuple[Rule, ...] = (
    Rule(
        "a clean row says the same of the clean and of the judged picture",
        ("clean_prediction", "prediction", "clean_confidence", "confidence", *_VERDICTS),
        _answers_twice_alike,
    ),
    Rule(
        "nothing is searched for in a clean row",
        ("steps", "gradient_evaluations", "norm", "first_success_step"),
        lambda row, _: (
            not row["steps"]
            and not row["gradient_evaluations"]
            and row["norm"] is None
            and row["first_success_step"] is None
        ),
    ),
)
