"""Rules about what an attack's row says of its search, and of the picture before it."""

__all__ = ["ATTACKED", "NOT_SEARCHED", "SEARCHED"]

from unforeseen.recount.rule import CLEAN_COLUMNS, CleanAnswer, Expected, RowContent, Rule

#: float32's rounding of a norm over many entries.
_NORM_TOLERANCE = 1e-5

#: Columns that only a search fills.
_OF_A_SEARCH = (
    *("norm", "first_success_step", "restart"),
    *("zero_gradient_share", "nonfinite_gradients"),
)


def _repeats_the_clean_row(row: RowContent, expected: Expected) -> bool:
    clean = (expected.clean or {}).get(row["example_id"])
    return clean is not None and CleanAnswer.of(row)._replace(ranking=clean.ranking) == clean


def _is_searched_where_needed(row: RowContent, expected: Expected) -> bool:
    left_alone = expected.judging == "any" and row["correct_clean"] is False
    return (row["norm"] is None) == left_alone


def _is_judged_as_it_is(row: RowContent, expected: Expected) -> bool:
    columns = ("prediction", "confidence", "loss")
    alike = all(row[name] == row[f"clean_{name}"] for name in columns)
    clean = (expected.clean or {}).get(row["example_id"])
    return bool(
        alike
        and (clean is None or CleanAnswer.of(row).ranking == clean.ranking)
        and row["correct"] is row["correct_any"] is row["correct_8bit"] is False
        and not row["steps"]
        and not row["gradient_evaluations"]
        and all(row[name] is None for name in _OF_A_SEARCH)
    )


def _counts_its_gradients(row: RowContent, expected: Expected) -> bool:
    spent, steps = row["gradient_evaluations"], expected.cell.steps
    if spent is None:
        return True
    most = None if steps is None else steps * expected.restarts * expected.eot
    return bool(spent >= (row["steps"] or 0) and (most is None or spent <= most))


def _succeeds_where_it_says(row: RowContent, expected: Expected) -> bool:
    first, steps, restart = row["first_success_step"], expected.cell.steps, row["restart"]
    if (first is None) != (row["correct_any"] is True):
        return False
    if first is None or row["steps"] is None or restart is None:
        return first is None
    judged = restart * (steps or 0) + row["steps"]
    return bool(first >= 0 and (row["correct"] or first <= judged))


ATTACKED: tuple[Rule, ...] = (
    Rule(
        "label and the clean columns are those of the picture's clean row",
        ("label", *CLEAN_COLUMNS),
        _repeats_the_clean_row,
    ),
    Rule(
        "correct_any is correct where any visited point counts",
        ("correct_any", "correct"),
        lambda row, expected: expected.judging != "any" or row["correct_any"] == row["correct"],
    ),
    Rule(
        "all are attacked, but for those misclassified as they are where any visited point counts",
        ("norm", "correct_clean"),
        _is_searched_where_needed,
    ),
)

NOT_SEARCHED: tuple[Rule, ...] = (
    Rule(
        "a picture that isn't attacked is judged as it is",
        (
            *("correct", "correct_any", "correct_8bit", "prediction", "confidence", "loss"),
            *("true_rank", "top10", "steps", "gradient_evaluations", *_OF_A_SEARCH),
        ),
        _is_judged_as_it_is,
    ),
)

SEARCHED: tuple[Rule, ...] = (
    Rule(
        "no latent leaves its ball: norm is at most 1",
        ("norm",),
        lambda row, _: 0 <= row["norm"] <= 1 + _NORM_TOLERANCE,
    ),
    Rule(
        "steps and restart are within the cell's",
        ("steps", "restart"),
        lambda row, expected: (
            row["steps"] is not None
            and row["restart"] is not None
            and 0 <= row["restart"] < expected.restarts
            and row["steps"] >= 0
            and (expected.cell.steps is None or row["steps"] <= expected.cell.steps)
        ),
    ),
    Rule(
        "gradient_evaluations are at least steps, and at most what the cell's steps take",
        ("gradient_evaluations", "steps"),
        _counts_its_gradients,
    ),
    Rule(
        "first_success_step is null exactly where correct_any, and not after the judged picture",
        ("first_success_step", "correct_any", "correct", "steps", "restart"),
        _succeeds_where_it_says,
    ),
)
