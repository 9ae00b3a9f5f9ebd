"""What every attack owes the search and its users, as a table of checks that can be run on any."""

__all__ = ["CHECKS", "ROOTS", "SUBJECTS", "Case", "Check"]

from unforeseen.contract.ball_checks import BALL_CHECKS
from unforeseen.contract.batch_checks import BATCH_CHECKS
from unforeseen.contract.case import Case
from unforeseen.contract.check import Check
from unforeseen.contract.documentation_checks import DOCUMENTATION_CHECKS
from unforeseen.contract.draw_checks import DRAW_CHECKS
from unforeseen.contract.gradient_checks import GRADIENT_CHECKS
from unforeseen.contract.picture_checks import PICTURE_CHECKS

#: The checks by their names, subject by subject.
SUBJECTS = {
    "documentation": DOCUMENTATION_CHECKS,
    "draws": DRAW_CHECKS,
    "batches": BATCH_CHECKS,
    "balls": BALL_CHECKS,
    "pictures": PICTURE_CHECKS,
    "gradients": GRADIENT_CHECKS,
}

#: Checks of what makes others fail too, when it is broken.
ROOTS = ("global-generators", "inputs")

_BY_SUBJECT = {name: check for subject in SUBJECTS.values() for name, check in subject.items()}
#: All of them by their names, in the order in which they are tried.
CHECKS: dict[str, Check] = {name: _BY_SUBJECT[name] for name in ROOTS} | _BY_SUBJECT
