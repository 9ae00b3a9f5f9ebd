"""Progress bars, as all commands draw them: on a terminal only, and from the first task on."""

__all__ = ["QUIET_SECONDS", "WithBars"]

from types import TracebackType
from typing import Self

from rich.console import Console
from rich.markup import escape
from rich.progress import (
    BarColumn,
    MofNCompleteColumn,
    Progress,
    ProgressColumn,
    TextColumn,
    TimeElapsedColumn,
    TimeRemainingColumn,
)

from unforeseen.errors import one_line

#: How often a line is written where there is no terminal to draw a bar on.
QUIET_SECONDS = 30.0


class WithBars:
    """What is drawn while a command works, and taken off the terminal when it ends, however that ends.

    Args:
        console: Where to draw; None takes standard error.
        columns: Of bars, between the counts and the times.
    """

    def __init__(self, console: Console | None, *columns: ProgressColumn) -> None:
        self._console = console or Console(stderr=True)
        self._bars = Progress(
            TextColumn("{task.description}"),
            BarColumn(bar_width=24),
            MofNCompleteColumn(),
            *columns,
            TimeElapsedColumn(),
            TextColumn("left"),
            TimeRemainingColumn(),
            console=self._console,
            transient=True,
            speed_estimate_period=300,
        )

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        if self._bars.live.is_started:
            self._bars.stop()

    def _start_bars(self) -> None:
        """Draws bars from now on, if there is a terminal.

        Not before there is a task: bars leave an empty line behind, even before an error.
        """
        if self._console.is_terminal and not self._bars.live.is_started:
            self._bars.start()

    def _print_note(self, text: str) -> None:
        """Names of classes and files stand in it, which may be a stranger's."""
        self._console.print(f"note: {escape(one_line(text))}", highlight=False, soft_wrap=True)
