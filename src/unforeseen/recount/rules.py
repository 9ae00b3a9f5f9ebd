"""Every rule that a row must keep, whatever the model and the attack.

There are as many rules as there are columns that say the same in two ways. A value that was changed
by hand breaks one of them if anything else in the folder determines it, unless all that depends on it
was changed with it. Such a forgery isn't found here but by running again. Nothing determines which of
the allowed values ``correct_8bit`` of a model with gradients, ``norm``, ``zero_gradient_share``,
``nonfinite_gradients``, ``device`` and ``seconds`` have.
"""

__all__ = ["check_row"]

from unforeseen.recount.answer_rules import EVERY_ROW, OF_CLEAN, READABLE, UNREADABLE
from unforeseen.recount.attack_rules import ATTACKED, NOT_SEARCHED, SEARCHED
from unforeseen.recount.obfuscation_rules import OBFUSCATED
from unforeseen.recount.ranking_rules import ANSWERED
from unforeseen.recount.rule import Expected, RowContent, Rule
from unforeseen.recount.transfer_rules import TRANSFERRED
from unforeseen.recount.violations import Violations
from unforeseen.rows import CLEAN


def check_row(row: RowContent, expected: Expected, violations: Violations) -> None:
    """Holds one row against the rules that concern it.

    Args:
        row: By column.
        expected: What its cell's rows are held against.
        violations: Where broken rules go.
    """
    where = f"{expected.cell.name}, picture {row['example_id'][:60]}"
    for rule in _rules_for(row, expected):
        if not rule.holds(row, expected):
            violations.add(rule.words, where, {name: row[name] for name in rule.shown})


def _rules_for(row: RowContent, expected: Expected) -> tuple[Rule, ...]:
    if row["status"] == "unreadable":
        return EVERY_ROW + UNREADABLE
    if expected.cell.transform == CLEAN:
        return EVERY_ROW + READABLE + ANSWERED + OF_CLEAN
    if expected.obfuscated:
        return EVERY_ROW + READABLE + ANSWERED + OBFUSCATED
    if expected.cell.source is not None:
        return EVERY_ROW + READABLE + ANSWERED + TRANSFERRED
    if row["norm"] is None:
        return EVERY_ROW + READABLE + ATTACKED + ANSWERED + NOT_SEARCHED
    return EVERY_ROW + READABLE + ATTACKED + ANSWERED + SEARCHED
