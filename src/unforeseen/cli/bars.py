"""Progress bars, as all commands draw them: on a terminal only, and from the first task on."""

__all__ = ["QUIET_SECONDS", "bars_on", "start_bars", "stop_bars"]

from rich.console import Console
from rich.progress import (
    BarColumn,
    MofNCompleteColumn,
    Progress,
    ProgressColumn,
    TextColumn,
    TimeElapsedColumn,
    TimeRemainingColumn,
)

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
