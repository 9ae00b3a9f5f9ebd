"""A sheet of pictures under headings, each with its name below it."""

__all__ = ["Section", "SheetPicture", "draw_sheet"]

from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

import numpy as np
from matplotlib.figure import Figure
from matplotlib.patches import Polygon
from numpy.typing import NDArray

from unforeseen.report.drawing import literal, save_figure

_DPI = 150
#: All in inches.
_WIDTH = 11.5
_GAP = 0.07
_MARGIN = 0.15
_HEADING = 0.36
_CAPTION = 0.16


class SheetPicture(NamedTuple):
    """One picture.

    Attributes:
        name: Stands below it.
        pixels: (H, W, 3), uint8.
        outline: Is drawn over it: corners of a polygon, (N, 2), x and y in pixels from the upper left.
    """

    name: str
    pixels: NDArray[np.uint8]
    outline: NDArray[np.float32] | None = None


class Section(NamedTuple):
    """Pictures of one shape.

    Attributes:
        title: Stands above them.
        in_a_row: How many stand side by side; they fill the sheet's width.
        pictures: At least one.
    """

    title: str
    in_a_row: int
    pictures: Sequence[SheetPicture]


def draw_sheet(path: Path, sections: Sequence[Section]) -> None:
    """Draws a PNG, one section below the other.

    Args:
        path: Where to.
        sections: In their order.

    Raises:
        RunError: It can't be written.
    """
    height = 2 * _MARGIN + sum(map(_height, sections))
    figure = Figure(figsize=(_WIDTH, height), dpi=_DPI)
    top = _MARGIN
    for section in sections:
        _draw(figure, section, top)
        top += _height(section)
    save_figure(figure, path)


def _draw(figure: Figure, section: Section, top: float) -> None:
    """Draws a section that begins this far below the figure's upper edge."""
    height = figure.get_figheight()
    figure.text(
        _MARGIN / _WIDTH,
        1 - (top + _HEADING / 2) / height,
        literal(section.title),
        fontsize=11,
        va="center",
    )
    wide, tall = _cell(section)
    for number, picture in enumerate(section.pictures):
        row, column = divmod(number, section.in_a_row)
        left = _MARGIN + column * (wide + _GAP)
        below = top + _HEADING + row * (tall + _CAPTION + _GAP) + tall
        place = (left / _WIDTH, 1 - below / height, wide / _WIDTH, tall / height)
        axes = figure.add_axes(place, frameon=False)
        axes.set_xticks([])
        axes.set_yticks([])
        axes.imshow(picture.pixels, interpolation="nearest", aspect="auto")
        if picture.outline is not None:
            # Matplotlib counts from the centre of the first pixel.
            corners = picture.outline - 0.5
            axes.add_patch(Polygon(corners, fill=False, edgecolor="#ff00ff", linewidth=1.2))
        axes.set_xlabel(literal(picture.name), fontsize=7.5, labelpad=2)


def _height(section: Section) -> float:
    rows = -(-len(section.pictures) // section.in_a_row)
    return _HEADING + rows * (_cell(section)[1] + _CAPTION + _GAP)


def _cell(section: Section) -> tuple[float, float]:
    """Width and height of each picture."""
    wide = (_WIDTH - 2 * _MARGIN - (section.in_a_row - 1) * _GAP) / section.in_a_row
    rows, columns = section.pictures[0].pixels.shape[:2]
    return wide, wide * rows / columns
