"""What a person sees while a network is trained."""

__all__ = ["TrainingProgress"]

from typing import TYPE_CHECKING

from rich.console import Console
from rich.progress import TextColumn

from unforeseen.cli.bars import WatchedMaking, start_bars

if TYPE_CHECKING:
    from rich.progress import TaskID

#: Of how many parts the bar is: training has no count that is known before.
_PARTS = 1000


class TrainingProgress(WatchedMaking):
    """A bar; lines where there is no terminal.

    Args:
        console: Where to draw; None takes standard error.
    """

    def __init__(self, console: Console | None = None) -> None:
        super().__init__(console, TextColumn("loss {task.fields[loss]}"))
        self._task: TaskID | None = None

    def trained(self, share: float, loss: float) -> None:
        """Takes how much of the training is done, from 0 to 1, and the last mean of the loss."""
        if self._task is None:
            start_bars(self._bars)
            self._task = self._bars.add_task("training", total=_PARTS, loss="")
        self._bars.update(self._task, completed=round(share * _PARTS), loss=f"{loss:.4g}")
        self._say_seldom(f"training: {share:.1%}, loss {loss:.4g}")
