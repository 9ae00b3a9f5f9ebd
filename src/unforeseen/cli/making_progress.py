"""What a person sees while data or patches are made."""

__all__ = ["MakingProgress"]

import time
from types import TracebackType
from typing import TYPE_CHECKING, Self

from rich.console import Console
from rich.markup import escape

from unforeseen.cli.bars import bars_on, start_bars, stop_bars
from unforeseen.cli.progress import QUIET_SECONDS
from unforeseen.errors import one_line

if TYPE_CHECKING:
    from rich.progress import TaskID


class MakingProgress:
    """A bar for each stage; lines where there is no terminal.

    Args:
        console: Where to draw; None takes standard error.
    """

    def __init__(self, console: Console | None = None) -> None:
        self._console = console or Console(stderr=True)
        self._bars = bars_on(self._console)
        self._tasks: dict[str, TaskID] = {}
        self._said = time.monotonic()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        stop_bars(self._bars)

    def note(self, text: str) -> None:
        """See :class:`unforeseen.making.reporter.MakingReporter`."""
        # Names of files stand in it, which may be a stranger's.
        self._console.print(f"note: {escape(one_line(text))}", highlight=False, soft_wrap=True)

    def indexing(self, done: int, total: int) -> None:
        """See :class:`unforeseen.making.reporter.MakingReporter`."""
        self.advance("identifying pictures", done, total)

    def making(self, done: int, total: int) -> None:
        """See :class:`unforeseen.making.reporter.MakingReporter`."""
        self.advance("making pictures", done, total)

    def advance(self, stage: str, done: int, total: int) -> None:
        """So much of a stage is done; its name is shown."""
        if stage not in self._tasks:
            start_bars(self._bars)
            self._tasks[stage] = self._bars.add_task(stage, total=total, completed=done)
        self._bars.update(self._tasks[stage], completed=done, visible=done < total)
        if not self._console.is_terminal and time.monotonic() - self._said > QUIET_SECONDS:
            self._said = time.monotonic()
            self._console.print(f"{stage}: {done:,} of {total:,}", highlight=False, soft_wrap=True)
