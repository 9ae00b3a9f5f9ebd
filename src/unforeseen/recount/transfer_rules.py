"""Rules about what a target's row says of a picture that was made against another model."""

__all__ = ["TRANSFERRED"]

from unforeseen.recount.attack_rules import REPEATS_CLEAN
from unforeseen.recount.rule import OF_A_SEARCH, TIMED, Rule

TRANSFERRED: tuple[Rule, ...] = (
    REPEATS_CLEAN,
    TIMED,
    Rule(
        "a stored picture is of 8 bits: correct, correct_any and correct_8bit are one",
        ("correct", "correct_any", "correct_8bit"),
        lambda row, _: row["correct"] is row["correct_any"] is row["correct_8bit"],
    ),
    Rule(
        "nothing is searched for where stored pictures are judged",
        ("steps", "gradient_evaluations", "donor", *OF_A_SEARCH),
        lambda row, _: (
            row["gradient_evaluations"] == 0
            and row["steps"] is row["donor"] is None
            and all(row[name] is None for name in OF_A_SEARCH)
        ),
    ),
)
