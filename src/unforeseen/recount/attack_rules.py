"""Rules about what an attack's row says of its search, and of the picture before it."""

__all__ = ["ATTACKED", "NOT_SEARCHED", "REPEATS_CLEAN", "SEARCHED"]

from unforeseen.recount.rule import (
    CLEAN_COLUMNS,
    OF_A_SEARCH,
    TIMED,
    CleanAnswer,
    Expected,
    RowContent,
    Rule,
)

#: float32's rounding of a norm over many entries.
_NORM_TOLERANCE = 1e-5


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
        and row["steps"] == 0
        and row["gradient_evaluations"]
        == (0 if expected.cell.steps and expected.gradients else None)
        and row["device"] is row["seconds"] is row["donor"] is None
        and all(row[name] is None for name in OF_A_SEARCH)
    )


def _starts(row: RowContent, expected: Expected) -> int:
    """Starts of a picture that survives them all: no more than there are classes to aim at."""
    if expected.untargeted_starts is None:
        return expected.restarts
    # Nine are aimed at, or all but the true one: one less than a row lists.
    return min(expected.restarts, expected.untargeted_starts + len(row["top10"] or ()) - 1)


def _updates(row: RowContent, expected: Expected) -> int | None:
    """All updates of a searched row, over its restarts, as its verdicts tell; None where they don't."""
    steps, first, restart = expected.cell.updates, row["first_success_step"], row["restart"]
    if steps is None:
        return None
    if row["correct"]:
        return steps * _starts(row, expected)
    if expected.judging == "any":
        return None if first is None else int(first)
    return None if restart is None else steps * (int(restart) + 1)


def _steps_as_far_as_judged(row: RowContent, expected: Expected) -> bool:
    steps, restart, most = row["steps"], row["restart"], expected.cell.updates
    if steps is None or restart is None or not 0 <= restart < expected.restarts or steps < 0:
        return False
    if most is None:
        return True
    if expected.judging == "last":
        return bool(steps == most)
    first = row["first_success_step"]
    return bool(steps <= most and (first is None or first == restart * most + steps))


def _counts_its_gradients(row: RowContent, expected: Expected) -> bool:
    spent, updates, bad = (
        row["gradient_evaluations"],
        _updates(row, expected),
        row["nonfinite_gradients"],
    )
    if (spent is None) != (bad is None):
        return False
    if spent is None:
        return expected.function or not expected.cell.updates
    if expected.function or updates is None:
        return not expected.function
    if not expected.gradients:
        return bool(spent == bad == 0)
    return bool(spent == updates * expected.eot and 0 <= bad <= updates)


def _shares_gradients(row: RowContent, expected: Expected) -> bool:
    share, updates = row["zero_gradient_share"], _updates(row, expected)
    if not expected.gradients:
        return share is None
    if updates is None or share is None or not 0 <= share <= 1:
        return share is None and not updates
    # float32's rounding of a fraction with so large a denominator.
    return updates > 0 and abs(share * updates - round(share * updates)) <= 1e-6 * updates


def _succeeds_where_it_says(row: RowContent, expected: Expected) -> bool:
    first, steps, restart = row["first_success_step"], row["steps"], row["restart"]
    if (first is None) != (row["correct_any"] is True):
        return False
    if first is None or None in (expected.cell.updates, steps, restart):
        return first is None
    all_updates = _updates(row, expected) or 0
    judged = restart * expected.cell.updates + steps
    return bool(0 <= first <= (all_updates if row["correct"] else judged))


#: Also of pictures that were attacked before.
REPEATS_CLEAN = Rule(
    "label and the clean columns are those of the picture's clean row",
    ("label", *CLEAN_COLUMNS),
    _repeats_the_clean_row,
)

ATTACKED: tuple[Rule, ...] = (
    REPEATS_CLEAN,
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
            *("true_rank", "top10", "steps", "gradient_evaluations", *OF_A_SEARCH),
            *("device", "seconds"),
        ),
        _is_judged_as_it_is,
    ),
)

SEARCHED: tuple[Rule, ...] = (
    Rule(
        "no latent leaves its ball: norm is at most 1, unless the start is not projected",
        ("norm",),
        lambda row, expected: (
            0 <= row["norm"] < float("inf")
            and (row["norm"] <= 1 + _NORM_TOLERANCE or not expected.cell.start_is_projected)
        ),
    ),
    Rule(
        "steps and restart are within the cell's, and where the judging ends the search",
        ("steps", "restart", "first_success_step"),
        _steps_as_far_as_judged,
    ),
    Rule(
        "gradient_evaluations are what the updates take; a function has no gradients",
        ("gradient_evaluations", "nonfinite_gradients", "steps", "first_success_step"),
        _counts_its_gradients,
    ),
    Rule(
        "zero_gradient_share is a share of the updates, and null where there were none",
        ("zero_gradient_share", "steps"),
        _shares_gradients,
    ),
    TIMED,
    Rule(
        "another picture is the donor where the attack takes from one, else none",
        ("donor", "example_id"),
        lambda row, expected: (
            (row["donor"] is not None) == expected.cell.needs_donor
            and row["donor"] != row["example_id"]
        ),
    ),
    Rule(
        "first_success_step is null exactly where correct_any, and not after the judged picture",
        ("first_success_step", "correct_any", "correct", "steps", "restart"),
        _succeeds_where_it_says,
    ),
)
