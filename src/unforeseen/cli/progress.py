"""What a person sees while a run goes on."""

__all__ = ["Progress"]

import time
from collections.abc import Sequence
from typing import TYPE_CHECKING, final

from rich.console import Console
from rich.markup import escape

from unforeseen.cli.bars import WithBars
from unforeseen.counted import counted
from unforeseen.errors import one_line

if TYPE_CHECKING:
    from rich.progress import TaskID

    from unforeseen.rows import Row
    from unforeseen.running.cell_kinds import Cell
    from unforeseen.running.plan import Plan

#: Characters that lines leave for names at least.
_NAMES_WIDTH = 19


@final
class Progress(WithBars):
    """A bar per attack, and one for the whole run; a line for each attack that is done.

    Args:
        console: Where to draw; None takes standard error.

    Attributes:
        plan: What is run or checked, once it is known.
    """

    plan: "Plan | None" = None

    def __init__(self, console: Console | None = None) -> None:
        super().__init__(console)
        self._parts = 0
        self._notes: set[str] = set()
        self._cells = 0
        self._begun = 0
        self._whole: TaskID | None = None
        self._cell: TaskID | None = None
        self._name = ""
        self._width = _NAMES_WIDTH
        self._fooled_first = False
        self._total = self._done = self._new = self._correct = self._judged = 0
        self._since = self._run_since = time.monotonic()
        self._run_new = 0

    def part_begins(self, title: str) -> None:
        """See :class:`unforeseen.running.reporter.Reporter`."""
        if self._whole is not None:
            self._bars.remove_task(self._whole)
        self._whole = None
        self._begun = self._run_new = 0
        self._parts += 1
        self.lines.print(escape(one_line(title)), style="bold")

    def run_begins(self, plan: "Plan") -> None:
        """See :class:`unforeseen.running.reporter.Reporter`."""
        self.plan = plan
        self._cells = len(plan.cells)
        self._width = max(_NAMES_WIDTH, *map(len, map(_name_of, plan.cells)))
        self._run_since = time.monotonic()

    def note(self, text: str) -> None:
        """See :class:`unforeseen.running.reporter.Reporter`."""
        # The runs of an experiment have much in common.
        if self._parts and text in self._notes:
            return
        self._notes.add(text)
        self._print_note(text)

    def cell_begins(self, cell: "Cell", *, total: int, done: Sequence[bool | None]) -> None:
        """See :class:`unforeseen.running.reporter.Reporter`."""
        # Only now, as torch takes seconds to import.
        from unforeseen.running.cell_kinds import AttackedCell
        from unforeseen.running.obfuscation_plan import ObfuscationPlan

        if self._whole is None:
            if isinstance(self.plan, ObfuscationPlan):
                self.note("% right below weighs pictures alike, results weigh classes alike")
            self._whole = self._add("whole run", total * self._cells)
        name = _name_of(cell)
        # Where some pictures need fewer steps than others, one comes a second time.
        self._begun += name != self._name
        self._name = name
        self._fooled_first = isinstance(cell, AttackedCell) and cell.search.judging == "any"
        self._total, self._done, self._new = total, len(done), 0
        verdicts = [verdict for verdict in done if verdict is not None]
        self._correct, self._judged = sum(verdicts), len(verdicts)
        self._since = time.monotonic()
        self._cell = self._add(self._name, total)
        self._bars.update(self._cell, completed=self._done)
        self._bars.update(self._whole, completed=(self._begun - 1) * total + self._done)
        self.lines.begin(self._cell_so_far)

    def row(self, row: "Row") -> None:
        """See :class:`unforeseen.running.reporter.Reporter`."""
        assert self._cell is not None
        assert self._whole is not None
        self._done += 1
        self._new += 1
        self._run_new += 1
        if row.correct is not None:
            self._judged += 1
            self._correct += row.correct
        pace = _pace(self._new, time.monotonic() - self._since)
        self._bars.update(self._cell, advance=1, told=f"{pace} {self._accuracy()}")
        self._bars.advance(self._whole)

    def cell_ends(self) -> None:
        """See :class:`unforeseen.running.reporter.Reporter`."""
        assert self._cell is not None
        self._bars.remove_task(self._cell)
        self.lines.end()
        seconds = time.monotonic() - self._since
        took = f"{self._new} new in {seconds:.0f} s" if self._new else "was there"
        self.lines.print(self._line(f"{counted(self._total, 'picture')}, {took}"))

    def _line(self, text: str) -> str:
        place = f"{self._begun}/{self._cells}"
        return f"{place:>5} {self._name:<{self._width}} {self._accuracy():<16} {text}"

    def _cell_so_far(self, seconds: float) -> str:
        pace = f"{_pace(self._new, seconds)}{self._left()}" if self._new else f"{seconds:.0f} s"
        return self._line(f"{self._done} of {counted(self._total, 'picture')}, {pace}")

    def _left(self) -> str:
        """How long the whole run will take at its pace so far; attacks differ in what they cost."""
        rows = self._total * (self._cells - self._begun) + self._total - self._done
        seconds = rows * (time.monotonic() - self._run_since) / max(self._run_new, 1)
        return f", about {max(1, round(seconds / 60))} min left in all"

    def _accuracy(self) -> str:
        """Of what has been judged; where the fooled are judged first, an upper bound of the whole."""
        if not self._judged:
            return ""
        if self._fooled_first and self._done < self._total:
            wrong, unreadable = self._judged - self._correct, self._done - self._judged
            return f"≤ {100 * (1 - wrong / (self._total - unreadable)):.1f} % right"
        return f"{100 * self._correct / self._judged:5.1f} % right"


def _name_of(cell: "Cell") -> str:
    return f"{cell.transform} {cell.level}".strip()


def _pace(pictures: int, seconds: float) -> str:
    """Pictures per second, or seconds per picture where that is the larger number."""
    rate = pictures / max(seconds, 1e-9)
    return f"{rate:.1f} pictures/s" if rate >= 1 else f"{1 / rate:.1f} s/picture"
