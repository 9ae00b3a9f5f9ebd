"""What a plot holds, as Matplotlib was told, for comparison with its table."""

__all__ = ["drawn", "numbers", "tick_labels"]

from collections.abc import Callable
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest
from matplotlib.axes import Axes

if TYPE_CHECKING:
    from matplotlib.figure import Figure


def drawn(
    monkeypatch: pytest.MonkeyPatch, module: ModuleType, draw: Callable[[Path], None]
) -> list[Axes]:
    """The axes of the figure that a module saves."""
    figures: list[Figure] = []
    monkeypatch.setattr(module, "save_figure", lambda figure, _: figures.append(figure))
    draw(Path("plot.png"))
    (figure,) = figures
    # Ticks and limits are settled when a figure is drawn.
    figure.draw_without_rendering()
    return figure.axes


def tick_labels(axes: Axes, which: str) -> dict[float, str]:
    """What is written at which place of an axis, ``x`` or ``y``."""
    axis = axes.xaxis if which == "x" else axes.yaxis
    return {
        float(place): label.get_text()
        for place, label in zip(axis.get_ticklocs(), axis.get_ticklabels(), strict=True)
    }


def numbers(values: Any) -> list[Any]:
    """Coordinates, which Matplotlib gives back as anything that holds some."""
    listed: list[Any] = np.asarray(values).tolist()
    return listed
