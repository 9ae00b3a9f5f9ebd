"""Bars: a step of each attack in steps of PGD's (as figure 5 of the paper, which shows seconds)."""

__all__ = ["draw_costs"]

import textwrap
from pathlib import Path

from matplotlib.figure import Figure
from matplotlib.ticker import FuncFormatter, NullFormatter

from unforeseen.experiment_folder.cost_times import BASELINE, CostTimes
from unforeseen.report.cost_figures import costs_of, unsteadiness
from unforeseen.report.cost_table import about
from unforeseen.report.drawing import literal, save_figure

DPI = 150
WIDTH = 8.0
BAR, PGD_BAR, RANGE = "#5b8db8", "#b5651d", "#333333"
#: Beyond this ratio of the slowest to the quickest short bars would be too short to tell apart.
_LOG_BEYOND = 8.0
_LETTERS = 96
_HELD = "\N{NO-BREAK SPACE}"


def draw_costs(path: Path, times: CostTimes) -> None:
    """Draws a PNG: medians as bars, ranges over rounds as whiskers, PGD in another colour.

    Args:
        path: Where to.
        times: Of which at least one attack was measured.

    Raises:
        RunError: It can't be written.
    """
    measured = costs_of(times)
    costs = [(cost, cost.ratio) for cost in measured if cost.ratio is not None]
    names = [literal(cost.label) for cost, _ in costs]
    medians = [ratio.median for _, ratio in costs]
    whiskers = [
        [ratio.median - ratio.low for _, ratio in costs],
        [ratio.high - ratio.median for _, ratio in costs],
    ]
    note = textwrap.wrap(unsteadiness(measured) or "", _LETTERS)
    size = (WIDTH, 1.3 + 0.27 * len(costs) + 0.15 * len(note))
    figure = Figure(figsize=size, dpi=DPI, layout="constrained")
    axes = figure.subplots()
    axes.barh(
        names,
        medians,
        xerr=whiskers,
        color=[PGD_BAR if cost.attack == BASELINE else BAR for cost, _ in costs],
        error_kw={"ecolor": RANGE, "elinewidth": 1, "capsize": 2},
        height=0.7,
    )
    axes.axvline(1, color=PGD_BAR, linewidth=1, linestyle="--")
    if max(medians) > _LOG_BEYOND * min(medians):
        axes.set_xscale("log")
        axes.xaxis.set_major_formatter(FuncFormatter(lambda value, _: f"{value:g}"))
        axes.xaxis.set_minor_formatter(NullFormatter())
    axes.set_xlabel("time per step, PGD = 1 (bar: median, whisker: range over rounds)")
    axes.invert_yaxis()
    axes.grid(axis="x", linewidth=0.4, alpha=0.6)
    axes.set_axisbelow(True)
    axes.spines[["top", "right"]].set_visible(False)
    # No line ends within "16 × 32×32 px".
    conditions = about(times).replace(" × ", f"{_HELD}×{_HELD}").replace(" px", f"{_HELD}px")
    title = textwrap.wrap(conditions, _LETTERS)[:3] + note
    axes.set_title(literal("\n".join(title)), fontsize=8, loc="left")
    save_figure(figure, path)
