"""Confusion as heat maps, like figures C.23 to C.26 of Stimberg et al. 2023."""

__all__ = ["draw_confusion"]

import math
from collections.abc import Sequence
from pathlib import Path

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from unforeseen.errors import UserError, one_line
from unforeseen.report.confusion_table import MOST_CLASSES, ConfusionTable
from unforeseen.report.drawing import literal, save_figure
from unforeseen.report.grids import plain

#: Of a field, and beside the fields of a panel, in inches.
_FIELD, _MARGIN = 0.3, 1.95
_DPI = 130
#: More make a picture that is unreadable at the width of a screen.
_ACROSS = 2
#: Shares above are written in white.
_DARK = 0.6
_LONGEST_NAME = 22
_LONGEST_TITLE = 60


def draw_confusion(path: Path, tables: Sequence[ConfusionTable]) -> None:
    """Draws a PNG with a panel for each table: percent of the pictures of the true class.

    Args:
        path: Where to.
        tables: At least one.

    Raises:
        UserError: There are too many classes.
        RunError: It can't be written.
    """
    classes = max(len(each.classes) for each in tables)
    if classes > MOST_CLASSES:
        raise UserError(f"{classes} classes are too many for a heat map of confusion.")
    across = min(_ACROSS, len(tables))
    down = math.ceil(len(tables) / across)
    side = _FIELD * classes + _MARGIN
    size = (side * across, side * down)
    figure = Figure(figsize=size, dpi=_DPI, layout="compressed")
    panels = figure.subplots(down, across, squeeze=False).ravel()
    for axes, table in zip(panels, tables, strict=False):
        _draw_panel(axes, table)
    for axes in panels[len(tables) :]:
        axes.set_axis_off()
    save_figure(figure, path)


def _draw_panel(axes: Axes, table: ConfusionTable) -> None:
    shares = table.counts.shares
    axes.imshow(np.ma.masked_invalid(shares), cmap="Blues", vmin=0, vmax=1)
    axes.set_facecolor("0.9")
    for (true, said), share in np.ndenumerate(shares):
        if share >= 0.005:
            colour = "white" if share > _DARK else "black"
            text = f"{100 * share:.0f}"
            axes.text(said, true, text, ha="center", va="center", fontsize=6.5, color=colour)
    names = [literal(one_line(plain(name), longest=_LONGEST_NAME)) for name in table.classes]
    pictures = table.counts.pictures.tolist()
    rows = [f"{name} ({n:,})" for name, n in zip(names, pictures, strict=True)]
    axes.set_xticks(range(len(names)), names, fontsize=7, rotation=90)
    axes.set_yticks(range(len(names)), rows, fontsize=7)
    axes.set_xlabel("taken for, in % of the pictures of the class on the left", fontsize=7)
    axes.tick_params(length=0)
    axes.spines[:].set_visible(False)
    lost = int(table.counts.nonfinite.sum())
    said = f"{table.transform}, {lost:,} not finite" if lost else table.transform
    title = f"{said}\n{one_line(plain(table.run), longest=_LONGEST_TITLE)}"
    axes.set_title(literal(title), fontsize=9)
