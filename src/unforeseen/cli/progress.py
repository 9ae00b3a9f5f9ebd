"""What a person sees while a run goes on."""

__all__ = ["Progress"]

import time
from collections.abc import Sequence
from typing import TYPE_CHECKING, final

from rich.console import Console
from rich.markup import escape
from rich.progress import TaskID, TextColumn

from unforeseen.cli.bars import QUIET_SECONDS, WithBars
from unforeseen.counted import counted
from unforeseen.errors import one_line

if TYPE_CHECKING:
    from unforeseen.rows import Row
    from unforeseen.running.cell_kinds import Cell
    from unforeseen.running.plan import Plan

#: How often it is said, where there is no terminal, what a check is asking.
CHECK_SECONDS = 2.0
#: Characters that lines leave for names at least.
_NAMES_WIDTH = 19


@final
class Progress(WithBars):
    """A bar per attack, and one for the whole run; lines where there is no terminal.

    Args:
        console: Where to draw; None takes standard error.

    Attributes:
        plan: What is run or checked, once it is known.
    """

    plan: "Plan | None" = None

    def __init__(self, console: Console | None = None) -> None:
        super().__init__(
            console, TextColumn("{task.fields[rate]}"), TextColumn("{task.fields[accuracy]}")
        )
        self._parts = 0
        self._notes: set[str] = set()
        self._cells = 0
        self._begun = 0
        self._whole: TaskID | None = None
        self._indexing: TaskID | None = None
        self._checking: TaskID | None = None
        self._cell: TaskID | None = None
        self._name = ""
        self._width = _NAMES_WIDTH
        self._fooled_first = False
        self._total = self._done = self._new = self._correct = self._judged = 0
        self._since = self._said = self._run_since = time.monotonic()
        self._run_new = 0

    def part_begins(self, title: str) -> None:
        """See :class:`unforeseen.running.reporter.Reporter`."""
        for task in (self._whole, self._indexing, self._checking):
            if task is not None:
                self._bars.remove_task(task)
        self._whole = self._indexing = self._checking = None
        self._begun = self._run_new = 0
        self._parts += 1
        self._console.print(escape(one_line(title)), style="bold", highlight=False, soft_wrap=True)

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

    def indexing(self, done: int, total: int) -> None:
        """See :class:`unforeseen.running.reporter.Reporter`."""
        if self._indexing is None:
            self._indexing = self._add("identifying pictures", total)
        self._bars.update(self._indexing, completed=done)
        if done == total:
            self._bars.update(self._indexing, visible=False)

    def checking(self, about: str, done: int, total: int) -> None:
        """See :class:`unforeseen.running.reporter.Reporter`."""
        if self._checking is None:
            self._checking = self._add("checking the model", total)
            self._say_checking("checking the model …")
        elif done < total and time.monotonic() - self._said > CHECK_SECONDS:
            self._say_checking(f"checking the model: {about} ({done + 1} of {total})")
        self._bars.update(
            self._checking,
            description=f"checking the model: {about}",
            completed=done,
            total=total,
            visible=done < total,
        )

    def _say_checking(self, text: str) -> None:
        if not self._console.is_terminal:
            self._said = time.monotonic()
            self._console.print(text, highlight=False)

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
        self._since = self._said = time.monotonic()
        self._cell = self._add(self._name, total)
        self._bars.update(self._cell, completed=self._done)
        self._bars.update(self._whole, completed=(self._begun - 1) * total + self._done)

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
        rate = self._new / max(time.monotonic() - self._since, 1e-9)
        self._bars.update(self._cell, advance=1, rate=_pace(rate), accuracy=self._accuracy())
        self._bars.advance(self._whole)
        if not self._console.is_terminal and time.monotonic() - self._said > QUIET_SECONDS:
            self._said = time.monotonic()
            total = counted(self._total, "picture")
            self._line(f"{self._done} of {total}, {_pace(rate)}{self._left()}")

    def cell_ends(self) -> None:
        """See :class:`unforeseen.running.reporter.Reporter`."""
        assert self._cell is not None
        self._bars.remove_task(self._cell)
        seconds = time.monotonic() - self._since
        took = f"{self._new} new in {seconds:.0f} s" if self._new else "was there"
        self._line(f"{counted(self._total, 'picture')}, {took}")

    def _line(self, text: str) -> None:
        place = f"{self._begun}/{self._cells}"
        line = f"{place:>5} {self._name:<{self._width}} {self._accuracy():<16} {text}"
        self._console.print(line, highlight=False, soft_wrap=True)

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

    def _add(self, description: str, total: int) -> TaskID:
        self._start_bars()
        return self._bars.add_task(description, total=total, rate="", accuracy="")


def _name_of(cell: "Cell") -> str:
    return f"{cell.transform} {cell.level}".strip()


def _pace(rate: float) -> str:
    """Pictures per second, or seconds per picture where that is the larger number."""
    return f"{rate:.1f} pictures/s" if rate >= 1 else f"{1 / rate:.1f} s/picture"
