"""How far apart seeds lie, beside how far off the choice of pictures may be.

Of attacks appendix D.5 of their paper; of obfuscations figure C.22 of theirs.
"""

__all__ = ["draw_seeds"]

from collections.abc import Sequence
from pathlib import Path

from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.layout_engine import ConstrainedLayoutEngine

from unforeseen.errors import one_line
from unforeseen.report.drawing import literal, save_figure
from unforeseen.report.grids import plain
from unforeseen.report.seeds_panels import SeedsPanel

#: Of one panel: its width, its height beside the lines, and a line's, in inches.
_WIDTH, _MARGINS, _LINE = 6.0, 1.4, 0.26
#: How long a heading may be before a panel becomes wider, and by how many inches for each character.
_HEADING, _CHARACTER = 20, 0.075
#: Between equal dots, and what all of them have, where a line is 1 high.
_GAP, _BAND = 0.16, 0.64
_DPI = 200
_FONT = 9
_LONGEST_TITLE = 90


def draw_seeds(panels: Sequence[SeedsPanel], path: Path) -> None:
    """Draws a PNG of panels: a line is a figure, a dot on it a seed.

    The grey bar is the 95 % interval of the first seed, which is about the choice of pictures: where
    all dots lie well inside, the seed matters less than that choice.

    Args:
        panels: Of one experiment, at least one.
        path: Where to.

    Raises:
        RunError: It can't be written.
    """
    lines = max(len(panel.lines) for panel in panels)
    longest = max(len(line.heading) for panel in panels for line in panel.lines)
    width = _WIDTH + _CHARACTER * max(0, longest - _HEADING)
    layout = ConstrainedLayoutEngine(w_pad=0.08, h_pad=0.06)
    size = (width * len(panels), _MARGINS + _LINE * lines)
    figure = Figure(figsize=size, dpi=_DPI, layout=layout)
    for axes, panel in zip(figure.subplots(1, len(panels), squeeze=False)[0], panels, strict=True):
        _draw_panel(axes, panel)
    save_figure(figure, path)


def _beside_each_other(values: Sequence[float]) -> list[float]:
    """How far dots lie off their line: only those of equal values do, evenly around it."""
    gap = min(_GAP, _BAND / max(map(values.count, values), default=1))
    return [
        gap * (values[:index].count(value) - (values.count(value) - 1) / 2)
        for index, value in enumerate(values)
    ]


def _draw_panel(axes: Axes, panel: SeedsPanel) -> None:
    lines = panel.lines
    for place, line in enumerate(lines):
        there = [figure for figure in line.figures if figure is not None]
        if there:
            low, high = 100 * there[0].low, 100 * there[0].high
            axes.barh(place, high - low, left=low, height=0.55, color="0.88", zorder=1)
        values = [100 * figure.value for figure in there]
        axes.scatter(
            values,
            [place + off for off in _beside_each_other(values)],
            s=22,
            color="black" if line.summed_up else "#1f77b4",
            alpha=0.55,
            linewidths=0,
            zorder=3,
        )
        if line.spread is not None:
            middle = 100 * line.spread.mean
            axes.plot([middle, middle], [place - 0.3, place + 0.3], color="black", linewidth=1.2)
    axes.set_yticks(range(len(lines)), [literal(line.heading) for line in lines])
    axes.set_ylim(len(lines) - 0.4, -0.6)
    axes.set_xlim(-2, 102)
    axes.set_xlabel(
        "accuracy (%); a dot is a seed, the stroke their mean,\ngrey the first seed's 95 % interval",
        fontsize=_FONT - 1,
    )
    axes.tick_params(labelsize=_FONT - 1)
    axes.grid(visible=True, axis="x", color="0.92", linewidth=0.6)
    axes.set_axisbelow(True)
    for side in ("top", "right", "left"):
        axes.spines[side].set_visible(False)
    title = f"{plain(panel.title)}\n{one_line(panel.of, longest=_LONGEST_TITLE)}"
    axes.set_title(literal(title), fontsize=_FONT + 0.5)
