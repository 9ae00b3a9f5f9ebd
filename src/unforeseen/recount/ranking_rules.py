"""Rules about what a row says of probabilities: prediction, ``top10``, the true class's rank, loss."""

__all__ = ["ANSWERED"]

import math
from itertools import pairwise
from typing import Any

from unforeseen.recount.rule import Expected, RowContent, Rule

#: How many classes a row keeps.
_TOP = 10
#: float32's rounding of ten probabilities added up.
_ROUNDING = 1e-5
#: A loss is computed in float32 from logits of any size, a probability in float64: of logits around
#: a million their losses differ by hundredths.
_LOSS_TOLERANCE, _RELATIVE_LOSS_TOLERANCE = 0.1, 0.01
#: Below it float32 has few digits or none, and −log of it is known as at least so much only.
_LEAST_PROBABILITY = 1e-37


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


def _lists_the_classes(row: RowContent, expected: Expected) -> bool:
    top = _top(row)
    if not top:
        return True
    total = sum(entry["probability"] for entry in top)
    if not total <= 1 + _ROUNDING or (_all_listed(row, expected) and total < 1 - _ROUNDING):
        return False
    named = [entry["class_index"] for entry in top]
    named += [] if row["prediction"] is None else [row["prediction"]]
    if expected.classes is None:
        return len(top) <= _TOP and min(named) >= 0
    within = all(0 <= each < expected.classes for each in named)
    return within and len(top) == min(_TOP, expected.classes)


def _ranks_the_truth(row: RowContent, expected: Expected) -> bool:
    rank, top = row["true_rank"], _top(row)
    if row["status"] == "nonfinite":
        return rank is None
    if rank is None or rank < 1 or (row["correct"] and rank != 1):
        return False
    if expected.classes is not None and rank > expected.classes:
        return False
    own = _probability_of_truth(row)
    probabilities = [entry["probability"] for entry in top]
    if own is None:
        return bool(rank > sum(each > probabilities[-1] for each in probabilities))
    if rank <= sum(each > own for each in probabilities):
        return False
    # Of equally probable ones, any may come first; those that aren't listed are no more probable
    # than the last that is.
    tied_outside = own == probabilities[-1] and not _all_listed(row, expected)
    return bool(tied_outside or rank <= sum(each >= own for each in probabilities))


def _loses_what_it_says(row: RowContent, expected: Expected) -> bool:
    loss, top = row["loss"], _top(row)
    if row["status"] == "nonfinite":
        return loss is None
    if loss is None or not loss >= 0:
        return False
    if not top:
        return True
    own = _probability_of_truth(row)
    if own is not None and own >= _LEAST_PROBABILITY:
        surprise = -math.log(own)
        tolerance = _tolerance(surprise)
        # The mean loss of several passes is larger than that of their mean probabilities.
        return bool(
            loss >= surprise - tolerance and (expected.eot > 1 or loss <= surprise + tolerance)
        )
    rest = 1 - sum(entry["probability"] for entry in top)
    most = own if own is not None else min(top[-1]["probability"], rest + _ROUNDING)
    least = -math.log(max(most, _LEAST_PROBABILITY))
    return bool(loss >= least - _tolerance(least))


def _tolerance(loss: float) -> float:
    return _LOSS_TOLERANCE + _RELATIVE_LOSS_TOLERANCE * loss


def _all_listed(row: RowContent, expected: Expected) -> bool:
    listed = len(_top(row))
    return listed < _TOP or listed == expected.classes


def _probability_of_truth(row: RowContent) -> float | None:
    """As ``top10`` gives it; None where the true class isn't among them."""
    return next(
        (each["probability"] for each in _top(row) if each["class_index"] == row["label"]), None
    )


def _top(row: RowContent) -> list[dict[str, Any]]:
    """Its most probable classes; none where one of them is no class with a probability."""
    top: list[dict[str, Any]] = row["top10"] or []
    whole = all(
        entry and None not in entry.values() and 0 <= entry["probability"] <= 1 for entry in top
    )
    return top if whole else []


#: Of pictures that the model was asked about, for this row or for the clean one that it repeats.
ANSWERED: tuple[Rule, ...] = (
    Rule(
        "prediction is the most probable class, and confidence its probability",
        ("prediction", "confidence", "top10"),
        _is_the_most_probable,
    ),
    Rule(
        "top10 are classes of the model, whose probabilities add up to at most 1",
        ("prediction", "top10"),
        _lists_the_classes,
    ),
    Rule(
        "true_rank is where the true class stands",
        ("true_rank", "label", "correct", "top10"),
        _ranks_the_truth,
    ),
    Rule(
        "loss is what the true class's probability makes it",
        ("loss", "label", "top10"),
        _loses_what_it_says,
    ),
)
