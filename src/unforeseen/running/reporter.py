"""Whoever watches a run: a progress bar, a notebook, nobody."""

__all__ = ["Reporter", "Silent"]

from collections.abc import Sequence
from typing import Protocol

from unforeseen.rows import Row
from unforeseen.running.cell_kinds import Cell
from unforeseen.running.plan import Plan
from unforeseen.stage_reporter import SilentStages, StageReporter


class Reporter(StageReporter, Protocol):
    """Whoever watches a run: its stages, and the rows of its cells."""

    def part_begins(self, title: str) -> None:
        """One of an experiment's runs starts, or several that go together; not said of a run alone."""

    def run_begins(self, plan: Plan) -> None:
        """What a run or a check is of is known now; it is said before the first cell begins."""

    def cell_begins(self, cell: Cell, *, total: int, done: Sequence[bool | None]) -> None:
        """A cell starts; ``done`` holds a verdict for each row that was there (None: unreadable).

        Of runs on one trajectory it is the one of the most steps; then, where other pictures lack only
        the rows of fewer steps, another one of the same transform and level.
        """

    def row(self, row: Row) -> None:
        """One more row of that cell."""

    def cell_ends(self) -> None:
        """The cell that began last is complete and on disk."""


class Silent(SilentStages):
    """A reporter that reports nothing."""

    def part_begins(self, title: str) -> None:
        """See :class:`Reporter`."""

    def run_begins(self, plan: Plan) -> None:
        """See :class:`Reporter`."""

    def cell_begins(self, cell: Cell, *, total: int, done: Sequence[bool | None]) -> None:
        """See :class:`Reporter`."""

    def row(self, row: Row) -> None:
        """See :class:`Reporter`."""

    def cell_ends(self) -> None:
        """See :class:`Reporter`."""
