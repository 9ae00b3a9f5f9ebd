"""Progress bars, as all commands draw them: on a terminal only, and from the first task on."""

__all__ = ["QUIET_SECONDS", "WatchedMaking", "bars_on", "start_bars", "stop_bars"]

import time
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


def bars_on(console: Console, *columns: ProgressColumn) -> Progress:
    """Bars that aren't drawn yet; ``columns`` stand between the counts and the times."""
    return Progress(
        TextColumn("{task.description}"),
        BarColumn(bar_width=24),
        MofNCompleteColumn(),
        *columns,
        TimeElapsedColumn(),
        TextColumn("left"),
        TimeRemainingColumn(),
        console=console,
        transient=True,
        speed_estimate_period=300,
    )


def start_bars(bars: Progress) -> None:
    """Draws bars from now on, if there is a terminal.

    Not before there is a task: bars leave an empty line behind, even before an error.
    """
    if bars.console.is_terminal and not bars.live.is_started:
        bars.start()


def stop_bars(bars: Progress) -> None:
    """Takes bars off the terminal, if they are on it."""
    if bars.live.is_started:
        bars.stop()


class WatchedMaking:
    """What a person sees while something is made: notes and bars; lines where there is no terminal.

    Args:
        console: Where to draw; None takes standard error.
        columns: Stand in the bars between the counts and the times.
    """

    def __init__(self, console: Console | None = None, *columns: ProgressColumn) -> None:
        self._console = console or Console(stderr=True)
        self._bars = bars_on(self._console, *columns)
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
        # Names of files stand in it, which may be a stranger's.
        self._console.print(f"note: {escape(one_line(text))}", highlight=False, soft_wrap=True)

    def _say_seldom(self, text: str) -> None:
        """Prints a line where there are no bars, if none was for a while."""
        if not self._console.is_terminal and time.monotonic() - self._said > QUIET_SECONDS:
            self._said = time.monotonic()
            self._console.print(text, highlight=False, soft_wrap=True)
