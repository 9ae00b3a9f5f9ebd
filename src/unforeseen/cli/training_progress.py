"""What a person sees while a network is trained."""

__all__ = ["TrainingProgress"]

import time
from types import TracebackType
from typing import TYPE_CHECKING, Self

from rich.console import Console
from rich.markup import escape
from rich.progress import TextColumn

from unforeseen.cli.bars import bars_on, start_bars, stop_bars
from unforeseen.cli.progress import QUIET_SECONDS
from unforeseen.errors import one_line

if TYPE_CHECKING:
    from rich.progress import TaskID

#: Of how many parts the bar is: training has no count that is known before.
_PARTS = 1000


class TrainingProgress:
    """A bar; lines where there is no terminal.

    Args:
        console: Where to draw; None takes standard error.
    """

    def __init__(self, console: Console | None = None) -> None:
        self._console = console or Console(stderr=True)
        self._bars = bars_on(self._console, TextColumn("loss {task.fields[loss]}"))
        self._task: TaskID | None = None
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
        """Says what the user should know."""
        self._console.print(f"note: {escape(one_line(text))}", highlight=False, soft_wrap=True)

    def trained(self, share: float, loss: float) -> None:
        """Takes how much of the training is done, from 0 to 1, and the last mean of the loss."""
        if self._task is None:
            start_bars(self._bars)
            self._task = self._bars.add_task("training", total=_PARTS, loss="")
        self._bars.update(self._task, completed=round(share * _PARTS), loss=f"{loss:.4g}")
        if not self._console.is_terminal and time.monotonic() - self._said > QUIET_SECONDS:
            self._said = time.monotonic()
            self._console.print(
                f"training: {share:.1%}, loss {loss:.4g}", highlight=False, soft_wrap=True
            )
