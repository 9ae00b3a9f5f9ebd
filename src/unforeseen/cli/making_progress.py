"""What a person sees while data or patches are made."""

__all__ = ["MakingProgress"]

from typing import TYPE_CHECKING

from rich.console import Console

from unforeseen.cli.bars import WatchedMaking, start_bars

if TYPE_CHECKING:
    from rich.progress import TaskID


class MakingProgress(WatchedMaking):
    """A bar for each stage; lines where there is no terminal.

    Args:
        console: Where to draw; None takes standard error.
    """

    def __init__(self, console: Console | None = None) -> None:
        super().__init__(console)
        self._tasks: dict[str, TaskID] = {}

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
        self._say_seldom(f"{stage}: {done:,} of {total:,}")
