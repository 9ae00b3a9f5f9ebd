"""How losses went down, step by step: a line for every so many steps, as a table and as a plot."""

__all__ = ["Column", "Curve"]

import math
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

from matplotlib.figure import Figure
from matplotlib.ticker import LogLocator, NullFormatter

from unforeseen.asset_making.checkpoint import Checkpoint
from unforeseen.files.atomic import save_file
from unforeseen.report.drawing import save_figure

_SIZE, _DPI = (7.5, 4.5), 130


class Column(NamedTuple):
    """One of the losses.

    Attributes:
        name: Of its column in the table.
        weight: By which it counts in what is made small. The table has it without, the plot with it, and
            none whose weight is 0.
        axis: What the plot's axis is called where it is the only loss.
    """

    name: str
    weight: float = 1.0
    axis: str = "loss"


class Curve:
    """Lines of a step and the means of the losses since the line before.

    Args:
        columns: The losses; the first is what is made small, any others are the parts of it.
        every: So many steps there is a line.
        found: What it goes on from.
    """

    def __init__(self, columns: Sequence[Column], every: int, found: Checkpoint | None) -> None:
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
        lines = [
            ",".join(("step", *(each.name for each in self.columns))),
            *map(_in_csv, self.all_lines),
        ]
        save_file(path, ("\n".join(lines) + "\n").encode())
        if self.all_lines:
            save_figure(self._figure(), path.with_suffix(".png"))

    def _line(self) -> list[float]:
        _, *means = (sum(column) / len(column) for column in zip(*self.waiting, strict=True))
        return [self.waiting[-1][0], *means]

    def _figure(self) -> Figure:
        figure = Figure(figsize=_SIZE, dpi=_DPI, layout="constrained")
        axes = figure.add_subplot()
        axes.set_xlabel("step")
        axes.grid(visible=True, color="0.92", linewidth=0.6)
        steps, *losses = zip(*self.all_lines, strict=True)
        whole, *parts = (
            (column, [column.weight * each for each in loss])
            for column, loss in zip(self.columns, losses, strict=True)
            if column.weight
        )
        axes.plot(steps, whole[1], label=whole[0].name, linewidth=2.2)
        if not parts:
            # It may be a lead of logits, which passes zero: not by its logarithm.
            axes.set_ylabel(whole[0].axis)
            return figure
        for column, loss in parts:
            axes.plot(steps, loss, label=_weighted(column), linewidth=1.2)
        if min(map(min, (loss for _, loss in (whole, *parts)))) > 0:
            axes.set_yscale("log")
            axes.yaxis.set_major_locator(LogLocator(subs=(1, 2, 5)))
            axes.yaxis.set_major_formatter("{x:g}")
            axes.yaxis.set_minor_formatter(NullFormatter())
        axes.set_ylabel(f"loss: {whole[0].name} and the parts of it")
        figure.legend(loc="outside right upper", frameon=False)
        return figure


def _weighted(column: Column) -> str:
    return column.name if column.weight == 1 else f"{column.weight:g} · {column.name}"


def _in_csv(line: Sequence[float]) -> str:
    step, *losses = line
    return ",".join([str(int(step)), *(f"{each:.6g}" for each in losses)])
