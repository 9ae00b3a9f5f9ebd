"""Accuracy against what a sweep varies: figures 4a and 4b of the paper."""

__all__ = ["draw_sweep"]

from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

import matplotlib as mpl
from matplotlib.axes import Axes
from matplotlib.colors import to_hex
from matplotlib.figure import Figure
from matplotlib.layout_engine import ConstrainedLayoutEngine
from matplotlib.ticker import FixedFormatter, FixedLocator, NullLocator

from unforeseen.errors import one_line
from unforeseen.experiment_folder.record import ExperimentName
from unforeseen.report.drawing import literal, save_figure, spread_out
from unforeseen.report.experiment_tables import ExperimentTable, Line
from unforeseen.report.grids import plain

#: Of one panel, in inches.
_SIZE = (6.4, 4.4)
#: Of what a label adds to the height beyond those that have room, and how many these are.
_LABEL, _LABELS = 0.17, 20
_DPI = 200
_FONT = 9
#: Of a value's letters and of the space between two values, in shares of a panel's width.
_LETTER = 0.014
#: Width in points of the interval where there is one value only.
_BAR = 9
_MARKERS = "osD^vPX<>p"
_COLOURS = mpl.color_sequences["tab10"]
_MEAN_COLOUR, _CLEAN_COLOUR = "black", "0.45"
_LONGEST_TITLE = 96
#: How many times the smallest number of steps the largest is where a linear axis would hide it.
_MUCH = 10

_AXIS: dict[ExperimentName, str] = {
    "steps": "number of steps",
    "radii": "radius, in multiples of the benchmark's",
    "step-sizes": "step size, in multiples of the benchmark's",
}


def draw_sweep(tables: Sequence[ExperimentTable], path: Path) -> None:
    """Draws a PNG with a panel for each level.

    A line is an attack, thick is the mean over the core attacks with its 95 % interval, dashed grey
    the unattacked pictures. Where there are several models, all are means over them.

    Args:
        tables: Of one sweep, at least one.
        path: Where to.

    Raises:
        RunError: It can't be written.
    """
    layout = ConstrainedLayoutEngine(w_pad=0.08, h_pad=0.06)
    labels = max(len(_looks(table)) for table in tables)
    height = _SIZE[1] + _LABEL * max(0, labels - _LABELS)
    figure = Figure(figsize=(_SIZE[0] * len(tables), height), dpi=_DPI, layout=layout)
    for axes, table in zip(figure.subplots(1, len(tables), squeeze=False)[0], tables, strict=True):
        _draw_panel(axes, table)
    # Places of labels depend on how high the axes come out.
    figure.draw_without_rendering()
    for axes, table in zip(figure.axes, tables, strict=True):
        _label_lines(axes, table)
    save_figure(figure, path)


def _draw_panel(axes: Axes, table: ExperimentTable) -> None:
    for look in _looks(table):
        line, colour, thick = look.line, look.colour, look.line.kind == "mean"
        x, y = _points(table, line)
        axes.plot(
            x,
            y,
            color=colour,
            marker=look.marker,
            markersize=4 if thick else 3.5,
            linewidth=2.6 if thick else 1.2,
            linestyle=look.dashes,
            zorder=4 if thick else 3,
        )
        if thick:
            band = [figure for figure in line.figures if figure is not None]
            low, high = [100 * each.low for each in band], [100 * each.high for each in band]
            if len(x) > 1:
                axes.fill_between(x, low, high, color=colour, alpha=0.12, linewidth=0, zorder=1)
            else:
                axes.vlines(x, low, high, color=colour, alpha=0.12, linewidth=_BAR, zorder=1)
    _scale(axes, table)
    axes.set_ylim(-2, 102)
    axes.set_xlabel(_AXIS[table.experiment], fontsize=_FONT)
    axes.set_ylabel("accuracy (%)", fontsize=_FONT)
    axes.tick_params(labelsize=_FONT - 1)
    axes.grid(visible=True, color="0.92", linewidth=0.6)
    axes.set_axisbelow(True)
    for side in ("top", "right"):
        axes.spines[side].set_visible(False)
    about, _, of = table.title.partition(": ")
    title = f"{plain(about)}\n{one_line(of, longest=_LONGEST_TITLE)}"
    axes.set_title(literal(title), fontsize=_FONT + 0.5)


def _scale(axes: Axes, table: ExperimentTable) -> None:
    """Multiples on a logarithmic axis; steps too where they span much, with 0 beside 1."""
    values = table.values
    if table.experiment != "steps":
        axes.set_xscale("log", base=2)
    elif values[-1] >= _MUCH * max(1, next((each for each in values if each), 1)):
        # With this scale from 0 to 1 is as far as from 1 to 2.
        axes.set_xscale("symlog", base=2, linthresh=1, linscale=0.5)
    axes.xaxis.set_major_locator(FixedLocator(list(values)))
    axes.xaxis.set_minor_locator(NullLocator())
    axes.xaxis.set_major_formatter(FixedFormatter(_with_room(axes, table)))


def _with_room(axes: Axes, table: ExperimentTable) -> list[str]:
    """Headings from the left, but for those that would be written over the one before."""
    axes.autoscale_view()
    shares = (axes.transScale + axes.transLimits).transform([(value, 0) for value in table.values])
    shown, end = [], float("-inf")
    for (share, _), heading in zip(shares, table.headings, strict=True):
        half = _LETTER * len(heading) / 2
        fits = share - half >= end
        shown.append(heading if fits else "")
        end = share + half + _LETTER if fits else end
    return shown


def _label_lines(axes: Axes, table: ExperimentTable) -> None:
    """Names at the lines' right ends, moved apart where they would overlap."""
    looks = _looks(table)
    ends = [(x[-1], y[-1]) for x, y in (_points(table, look.line) for look in looks)]
    # In shares of the axes' height, as text has a size on paper and not in data.
    points = axes.get_window_extent().height * 72 / axes.figure.dpi
    low, high = axes.get_ylim()
    wanted = [(y - low) / (high - low) for _, y in ends]
    places = spread_out(wanted, _FONT * 1.15 / points, 0.0, 1.0)
    for look, end, place in zip(looks, ends, places, strict=True):
        axes.annotate(
            literal(look.line.heading),
            xy=end,
            xycoords="data",
            xytext=(1.08, place),
            textcoords="axes fraction",
            fontsize=_FONT - 0.5,
            fontweight="bold" if look.line.kind == "mean" else "normal",
            color=look.colour,
            va="center",
            annotation_clip=False,
            arrowprops={
                "arrowstyle": "-",
                "color": look.colour,
                "linewidth": 0.5,
                "alpha": 0.7,
                # From the text's left edge, not out of its middle.
                "relpos": (0.0, 0.5),
                "shrinkA": 1,
                "shrinkB": 2,
            },
        )


class _Look(NamedTuple):
    line: Line
    colour: str
    marker: str
    dashes: str


def _looks(table: ExperimentTable) -> list[_Look]:
    """Lines that have a figure. Beyond ten attacks colours return, with dashes and other markers."""
    looks, attacks = [], 0
    for line in table.blocks[0].lines:
        if not any(line.figures):
            continue
        if line.kind == "attack":
            colour = to_hex(_COLOURS[attacks % len(_COLOURS)])
            marker = _MARKERS[(attacks + attacks // len(_COLOURS)) % len(_MARKERS)]
            looks.append(_Look(line, colour, marker, "-" if attacks < len(_COLOURS) else "-."))
            attacks += 1
        elif line.kind == "mean":
            looks.append(_Look(line, _MEAN_COLOUR, "o", "-"))
        else:
            looks.append(_Look(line, _CLEAN_COLOUR, "", "--"))
    return looks


def _points(table: ExperimentTable, line: Line) -> tuple[list[float], list[float]]:
    """Values and percent where there are both."""
    pairs = [
        (value, 100 * figure.value)
        for value, figure in zip(table.values, line.figures, strict=True)
        if figure is not None
    ]
    return [value for value, _ in pairs], [share for _, share in pairs]
