"""A run's figures again, by a path of its own, and whether its rows contradict each other.

``metrics`` counts whole columns with polars and numpy. What is here counts row by row, with
dictionaries, fractions and the standard library, and shares with it only the reader of row files
and the random stream of the bootstrap: a fault in one of the two shows as a difference.
"""

__all__ = ["Difference", "Recount", "Violation", "recount"]

from unforeseen.recount.folder import Recount, recount
from unforeseen.recount.summaries import Difference
from unforeseen.recount.violations import Violation
