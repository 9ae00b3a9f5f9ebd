"""The histogram of worst-case accuracy over all choices of hold-outs: figures C.8 to C.12."""

__all__ = ["draw_hold_outs"]

from collections.abc import Sequence
from pathlib import Path

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from unforeseen.errors import one_line
from unforeseen.report.drawing import literal, save_figure
from unforeseen.report.grids import plain
from unforeseen.report.hold_out_table import HoldOutChoices

#: Of one panel, in inches.
_WIDTH, _HEIGHT = 6.4, 2.9
_DPI = 150
_BINS = 40
_LONGEST_NAME = 80
_OWN = "#d62728"


def draw_hold_outs(path: Path, found: Sequence[HoldOutChoices]) -> None:
    """Draws a PNG with a panel for each run; a line marks the benchmark's own choice.

    Args:
        path: Where to.
        found: The choices of each run.

    Raises:
        RunError: It can't be written.
    """
    size = (_WIDTH, _HEIGHT * len(found))
    figure = Figure(figsize=size, dpi=_DPI, layout="constrained")
    panels = figure.subplots(len(found), 1, squeeze=False)[:, 0]
    highest = max(max(each.choices.values()) for each in found)
    # One axis for all, so that models can be compared.
    bins = np.linspace(0, max(highest * 1.02, 0.05), _BINS + 1) * 100
    for axes, each in zip(panels, found, strict=True):
        _draw_panel(axes, each, bins.tolist())
    panels[-1].set_xlabel("worst-case accuracy over a choice (%)", fontsize=9)
    save_figure(figure, path)


def _draw_panel(axes: Axes, found: HoldOutChoices, bins: Sequence[float]) -> None:
    axes.hist([100 * share for share in found.choices.values()], bins=bins, color="#7f9fbf")
    # Above the bars there is room for what the line means.
    axes.set_ylim(top=1.3 * axes.get_ylim()[1])
    own = 100 * found.place.worst
    axes.axvline(own, color=_OWN, linewidth=1.6)
    left = own > (bins[0] + bins[-1]) / 2
    axes.annotate(
        f"the benchmark's choice: {own:.1f} %\n{found.place.harder:,} of {found.place.of:,} are harder",
        (own, 0.96),
        xycoords=("data", "axes fraction"),
        xytext=(-6 if left else 6, 0),
        textcoords="offset points",
        ha="right" if left else "left",
        va="top",
        fontsize=8.5,
        color=_OWN,
        bbox={"facecolor": "white", "edgecolor": "none", "alpha": 0.8, "pad": 1.5},
    )
    axes.set_ylabel("choices", fontsize=9)
    axes.tick_params(labelsize=8)
    title = f"{one_line(plain(found.name), longest=_LONGEST_NAME)}, {found.pictures:,} pictures"
    axes.set_title(literal(title), fontsize=9.5)
    axes.spines[["top", "right"]].set_visible(False)
