"""What a person sees while data, patches or styles are made."""

__all__ = ["MakingProgress"]

import time
from typing import TYPE_CHECKING, final

from rich.console import Console
from rich.markup import escape
from rich.progress import TextColumn

from unforeseen.cli.bars import QUIET_SECONDS, WithBars

if TYPE_CHECKING:
    from rich.progress import TaskID


@final
class MakingProgress(WithBars):
    """Notes, and a bar for each stage; where there is no terminal, a line when it begins and now and then.

    Args:
        console: Where to draw; None takes standard error.
    """

    def __init__(self, console: Console | None = None) -> None:
        super().__init__(console, TextColumn("{task.fields[loss]}"))
        self._tasks: dict[str, TaskID] = {}
        self._said: dict[str, float] = {}

    def note(self, text: str) -> None:
        """See :class:`unforeseen.stage_reporter.StageReporter`."""
        self._print_note(text)

    def advance(self, stage: str, done: int, total: int, loss: float | None = None) -> None:
        """See :class:`unforeseen.stage_reporter.StageReporter`."""
        told = "" if loss is None else f"loss {loss:.4g}"
        if stage not in self._tasks:
            self._start_bars()
            self._tasks[stage] = self._bars.add_task(escape(stage), total=total, loss=told)
        self._bars.update(self._tasks[stage], completed=done, visible=done < total, loss=told)
        if not self._console.is_terminal:
            self._say_seldom(stage, f"{done:,} of {total:,}{told and ', '}{told}", begins=not done)

    def _say_seldom(self, stage: str, how_far: str, *, begins: bool) -> None:
        """Prints a line for a stage that begins, and then if there was none of it for a while."""
        said, now = self._said.get(stage), time.monotonic()
        if said is None or now - said > QUIET_SECONDS:
            self._said[stage] = now
            self._print(f"{escape(stage)} …" if begins else f"{escape(stage)}: {how_far}")

    def _print(self, text: str) -> None:
        self._console.print(text, highlight=False, soft_wrap=True)
