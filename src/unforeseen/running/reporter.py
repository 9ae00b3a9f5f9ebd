"""Whoever watches a run: a progress bar, a notebook, nobody."""

__all__ = ["Reporter", "Silent"]

from collections.abc import Sequence
from typing import Protocol

from unforeseen.rows import Row
from unforeseen.running.cell_kinds import Cell
from unforeseen.running.plan import Plan


class Reporter(Protocol):
    """Whoever watches a run. All methods are called from the thread that runs it."""

    def part_begins(self, title: str) -> None:
        """One of an experiment's runs starts, or several that go together; not said of a run alone."""

    def run_begins(self, plan: Plan) -> None:
        """A run or a check starts, before anything else is said of it."""

    def note(self, text: str) -> None:
        """Something the user should know."""

    def indexing(self, done: int, total: int) -> None:
        """Pictures are being identified."""

    def checking(self, about: str, done: int, total: int) -> None:
        """The model is being checked: ``about`` is the question that is asked now."""

    def cell_begins(self, cell: Cell, *, total: int, done: Sequence[bool | None]) -> None:
        """A cell starts; ``done`` holds a verdict for each row that was there (None: unreadable).

        Of runs on one trajectory it is the one of the most steps; then, where other pictures lack only
        the rows of fewer steps, another one of the same transform and level.
        """

    def row(self, row: Row) -> None:
        """One more row of that cell."""

    def cell_ends(self) -> None:
        """The cell that began last is complete and on disk."""


class Silent:
    """A reporter that reports nothing."""

    def part_begins(self, title: str) -> None:
        """See :class:`Reporter`."""

    def run_begins(self, plan: Plan) -> None:
        """See :class:`Reporter`."""

    def note(self, text: str) -> None:
        """See :class:`Reporter`."""

    def indexing(self, done: int, total: int) -> None:
        """See :class:`Reporter`."""

    def checking(self, about: str, done: int, total: int) -> None:
        """See :class:`Reporter`."""

    def cell_begins(self, cell: Cell, *, total: int, done: Sequence[bool | None]) -> None:
        """See :class:`Reporter`."""

    def row(self, row: Row) -> None:
        """See :class:`Reporter`."""

    def cell_ends(self) -> None:
        """See :class:`Reporter`."""
