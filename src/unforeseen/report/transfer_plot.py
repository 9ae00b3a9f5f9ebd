"""The accuracies of a transfer as a heat map: models down, attacks across, as in the paper's table 18."""

__all__ = ["draw_transfer"]

import textwrap
from collections.abc import Sequence
from pathlib import Path

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from numpy.typing import NDArray

from unforeseen.metrics import Estimate
from unforeseen.report.drawing import literal, save_figure
from unforeseen.report.tables import ResultTable

#: Of a field, in inches; a figure in it takes five letters.
_WIDTH, _HEIGHT = 0.62, 0.42
_DPI = 150
#: From light to dark: what is dark, holds.
_COLOURS = "Blues"
#: Accuracies above are written in white.
_DARK = 0.65
#: Of the title.
_LETTERS_PER_INCH = 12
#: Letters of a model's name on a line.
_NAME = 28


def draw_transfer(path: Path, table: ResultTable, names: Sequence[str]) -> None:
    """Draws a PNG.

    Args:
        path: Where to.
        table: Of the source and the targets.
        names: What each row is called, in the order of the table's.

    Raises:
        RunError: It can't be written.
    """
    # No field for UA2 where not all core attacks were run.
    keys = [
        key for key in table.columns if any(row.figures.get(key) is not None for row in table.rows)
    ] or list(table.columns)
    shares = np.array([[_share(row.figures.get(key)) for key in keys] for row in table.rows])
    lines, columns = shares.shape
    width = _WIDTH * columns + 3.1
    title = textwrap.wrap(_title(table), int(width * _LETTERS_PER_INCH))
    size = (width, _HEIGHT * lines + 1.6 + 0.15 * len(title))
    figure = Figure(figsize=size, dpi=_DPI, layout="constrained")
    figure.suptitle(literal("\n".join(title)), fontsize=10)
    axes = figure.subplots()
    drawn = axes.imshow(np.ma.masked_invalid(shares), cmap=_COLOURS, vmin=0, vmax=1, aspect="auto")
    _write_figures(axes, shares)
    axes.set_xticks(
        range(columns), [table.columns[key] for key in keys], fontsize=9, rotation=45, ha="right"
    )
    axes.set_yticks(range(lines), [literal(_wrapped(name)) for name in names], fontsize=9)
    axes.tick_params(length=0)
    axes.set_xticks(np.arange(0.5, columns - 1), minor=True)
    axes.set_yticks(np.arange(0.5, lines - 1), minor=True)
    axes.grid(which="minor", color="white", linewidth=1.5)
    axes.tick_params(which="minor", length=0)
    axes.spines[:].set_visible(False)
    bar = figure.colorbar(drawn, ax=axes, fraction=0.04, pad=0.02, ticks=[0, 0.5, 1])
    bar.ax.set_yticklabels(["0 %", "50 %", "100 %"], fontsize=8)
    bar.outline.set_visible(False)
    save_figure(figure, path)


def _share(figure: object) -> float:
    """A figure's value; NaN where there is none."""
    if isinstance(figure, Estimate):
        return figure.value
    return figure if isinstance(figure, float) else float("nan")


def _write_figures(axes: Axes, shares: NDArray[np.float64]) -> None:
    for (line, column), share in np.ndenumerate(shares):
        text = "–" if np.isnan(share) else f"{100 * share:.1f}"
        colour = "white" if share > _DARK else "black"
        axes.text(column, line, text, ha="center", va="center", fontsize=8.5, color=colour)


def _title(table: ResultTable) -> str:
    counts = sorted({row.n for row in table.rows if row.n is not None})
    pictures = f", {' to '.join(f'{n:,}' for n in {*counts[:1], *counts[-1:]})} pictures"
    return f"Transfer, accuracy in percent: {table.title}{pictures if counts else ''}"


def _wrapped(name: str) -> str:
    """At most three lines, which is what a row has room for."""
    lines = [line for part in name.splitlines() for line in textwrap.wrap(part, _NAME)]
    return "\n".join(lines[:3])
