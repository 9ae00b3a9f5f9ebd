"""A run's figures again, by a path of its own, and whether its rows contradict each other.

``metrics`` counts whole columns with polars and numpy. What is here counts row by row, with
dictionaries, fractions and the standard library. A fault in one of the two shows as a difference.

They share what reads a run folder (:mod:`unforeseen.run_folder`: record, row files and the list of
pictures, with :class:`~unforeseen.run_folder.planned.PlannedRun` and its benchmark) and the random
stream of the bootstrap; a fault in these shows in neither.
"""

__all__ = ["Difference", "Recount", "Violation", "recount"]

from unforeseen.recount.folder import Recount, recount
from unforeseen.recount.summaries import Difference
from unforeseen.recount.violations import Violation
