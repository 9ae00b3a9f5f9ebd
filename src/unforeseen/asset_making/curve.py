"""How losses went down, step by step: a line for every so many steps, as a table and as a plot."""

__all__ = ["Curve"]

import math
from collections.abc import Sequence
from pathlib import Path

from matplotlib.figure import Figure

from unforeseen.asset_making.checkpoint import Checkpoint
from unforeseen.files.atomic import save_file
from unforeseen.report.drawing import save_figure

_SIZE, _DPI = (7.5, 4.5), 130


class Curve:
    """Lines of a step and the means of the losses since the line before.

    Args:
        columns: What the losses are called; the first is what is made small.
        every: So many steps there is a line.
        found: What it goes on from.
    """

    def __init__(self, columns: Sequence[str], every: int, found: Checkpoint | None) -> None:
        self.columns = columns
        self.lines = [] if found is None else found.lines
        self.waiting = [] if found is None else found.waiting
        self._every = every

    def add(self, step: int, losses: Sequence[float]) -> None:
        """Takes the losses of a step; one whose losses aren't finite changed nothing and counts nowhere."""
        if all(map(math.isfinite, losses)):
            self.waiting.append([float(step), *losses])
        if step % self._every == 0 and self.waiting:
            self.lines.append(self._line())
            self.waiting = []

    @property
    def all_lines(self) -> list[list[float]]:
        """With one for the last steps, however few."""
        return [*self.lines, self._line()] if self.waiting else self.lines

    def write(self, path: Path) -> None:
        """Writes the lines as CSV, and draws them beside it.

        Args:
            path: Of the table; the plot is called the same, but for ``.png``.

        Raises:
            RunError: One can't be written.
        """
        lines = [",".join(("step", *self.columns)), *map(_in_csv, self.all_lines)]
        save_file(path, ("\n".join(lines) + "\n").encode())
        if self.all_lines:
            save_figure(self._figure(), path.with_suffix(".png"))

    def _line(self) -> list[float]:
        _, *means = (sum(column) / len(column) for column in zip(*self.waiting, strict=True))
        return [self.waiting[-1][0], *means]

    def _figure(self) -> Figure:
        figure = Figure(figsize=_SIZE, dpi=_DPI, layout="constrained")
        axes = figure.add_subplot()
        steps, *columns = zip(*self.all_lines, strict=True)
        for name, column in zip(self.columns, columns, strict=True):
            axes.plot(steps, column, label=name, linewidth=2.2 if name == self.columns[0] else 1.2)
        # Several losses lie decades apart. One alone may be a lead of logits, which passes zero.
        if len(columns) > 1 and min(map(min, columns)) > 0:
            axes.set_yscale("log")
        axes.set_xlabel("step")
        axes.set_ylabel("loss")
        axes.grid(visible=True, color="0.92", linewidth=0.6)
        axes.legend(frameon=False)
        return figure


def _in_csv(line: Sequence[float]) -> str:
    step, *losses = line
    return ",".join([str(int(step)), *(f"{each:.6g}" for each in losses)])
