"""Progress bars, as all commands draw them: on a terminal only, and from the first task on."""

__all__ = ["WithBars"]

from types import TracebackType
from typing import Self

from rich.console import Console
from rich.markup import escape
from rich.progress import (
    BarColumn,
    MofNCompleteColumn,
    Progress,
    TaskID,
    TextColumn,
    TimeElapsedColumn,
    TimeRemainingColumn,
)

from unforeseen.cli.quiet_lines import QuietLines
from unforeseen.errors import one_line


class WithBars:
    """What is drawn while a command works, and taken off the terminal when it ends, however that ends.

    Where there is no terminal, lines stand for the bars of what lasts.

    Args:
        console: Where to draw; None takes standard error.

    Attributes:
        lines: All that is written as lines goes through them.
    """

    def __init__(self, console: Console | None = None) -> None:
        self._console = console or Console(stderr=True)
        self.lines = QuietLines(self._console)
        self._stages: dict[str, TaskID] = {}
        self._now = "", 0, 0, ""
        self._bars = Progress(
            TextColumn("{task.description}"),
            BarColumn(bar_width=24),
            MofNCompleteColumn(),
            TextColumn("{task.fields[told]}"),
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
        self.lines.close()
        if self._bars.live.is_started:
            self._bars.stop()

    def advance(self, stage: str, done: int, total: int, about: str = "") -> None:
        """See :class:`unforeseen.stage_reporter.StageReporter`."""
        if done >= total:
            if stage in self._stages:
                self._bars.remove_task(self._stages.pop(stage))
            if not self._stages:
                self.lines.end()
            return
        self._now = stage, done, total, about
        if stage not in self._stages:
            self._stages[stage] = self._add(escape(stage), total)
            self.lines.begin(self._so_far)
        self._bars.update(self._stages[stage], completed=done, total=total, told=escape(about))

    def _so_far(self, seconds: float) -> str:
        """The stage that advanced last, in a line."""
        stage, done, total, about = self._now
        counted = f"{done:,} of {total:,}" if total > 1 else ""
        told = ", ".join(filter(None, (counted, about, f"{seconds:.0f} s")))
        return one_line(f"{stage}: {told}")

    def _add(self, description: str, total: int) -> TaskID:
        """A bar; drawn, if there is a terminal.

        None before there is a task: bars leave an empty line behind, even before an error.
        """
        if self._console.is_terminal and not self._bars.live.is_started:
            self._bars.start()
        return self._bars.add_task(description, total=total, told="")

    def _print_note(self, text: str) -> None:
        """Names of classes and files stand in it, which may be a stranger's."""
        self.lines.print(f"note: {escape(one_line(text))}")
