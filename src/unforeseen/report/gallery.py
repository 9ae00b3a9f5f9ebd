"""A grid of pictures: one line per picture, one column per attack, what the model says below."""

__all__ = ["LETTERS", "Tile", "class_in_words", "draw_gallery"]

import textwrap
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Self

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.layout_engine import ConstrainedLayoutEngine
from numpy.typing import NDArray

from unforeseen.report.drawing import literal, save_figure

#: Side of a tile in inches; a 224 px picture is then shown about one to one at DPI.
TILE = 1.55
#: Height of a line of a caption.
LINE = 0.16
DPI = 150
#: Of the title, so that it stays inside the figure.
LETTERS_PER_TILE = 18
#: Of a line below a tile.
LETTERS = 20
RIGHT, WRONG = "#1a7f37", "#c62828"


@dataclass(frozen=True, kw_only=True)
class Tile:
    """One picture of a gallery.

    Attributes:
        image: (H, W, 3), uint8.
        caption: What the model says.
        right: Whether that is true.
        remark: What else there is to say; a line below the caption, where it isn't empty.
    """

    image: NDArray[np.uint8]
    caption: str
    right: bool
    remark: str = ""

    @classmethod
    def of(
        cls,
        image: NDArray[np.uint8],
        prediction: int | None,
        *,
        truth: int,
        words: Sequence[str],
        remark: str = "",
    ) -> Self:
        """A picture with what a model takes it for.

        Args:
            image: (H, W, 3).
            prediction: Class; None where its scores weren't finite.
            truth: The class that is right.
            words: Class names; empty where there are none.
            remark: What else there is to say.
        """
        caption = "not finite" if prediction is None else class_in_words(prediction, words)
        return cls(image=image, caption=caption, right=prediction == truth, remark=remark)


def class_in_words(number: int, words: Sequence[str]) -> str:
    """The name of a class, or its number where it has none."""
    return words[number] if 0 <= number < len(words) else f"class {number}"


def draw_gallery(
    path: Path,
    *,
    title: str,
    columns: Sequence[str],
    rows: Sequence[tuple[str, Sequence[Tile | None]]],
) -> None:
    """Draws a PNG. Captions are green where the model is right and red where it is wrong.

    Args:
        path: Where to.
        title: Above all; wrapped where it doesn't fit, and cut after four lines.
        columns: Headings.
        rows: What stands on the left, such as the true class, and a tile (or nothing) per column.
            Where the first is nothing, the text stands where it does in the other rows.

    Raises:
        RunError: It can't be written.
    """
    above = _title_lines(title, LETTERS_PER_TILE * len(columns))
    tiles_of_all = [tile for _, tiles in rows for tile in tiles if tile is not None]
    below = max((len(_below(tile).splitlines()) for tile in tiles_of_all), default=0)
    height = (TILE + LINE * below) * len(rows) + 0.35 + 0.2 * len(above)
    size = (TILE * len(columns) + 0.3, height)
    layout = ConstrainedLayoutEngine(w_pad=0.02, h_pad=0.02, wspace=0.02, hspace=0.02)
    figure = Figure(figsize=size, dpi=DPI, layout=layout)
    figure.suptitle(literal("\n".join(above)), fontsize=11)
    grid = figure.subplots(len(rows), len(columns), squeeze=False)
    for line, (truth, tiles) in enumerate(rows):
        for column, tile in enumerate(tiles):
            axes = grid[line][column]
            axes.set_xticks([])
            axes.set_yticks([])
            for spine in axes.spines.values():
                spine.set_visible(False)
            if line == 0:
                axes.set_title(columns[column], fontsize=10)
            if tile is not None:
                _draw(axes, tile)
            elif column == 0:
                # As high and wide as a picture, so that the text stands below that of other rows.
                axes.set_box_aspect(1)
            if column == 0:
                axes.set_ylabel(_wrapped(truth), fontsize=9)
    save_figure(figure, path)


def _draw(axes: Axes, tile: Tile) -> None:
    axes.imshow(tile.image, interpolation="nearest")
    colour = RIGHT if tile.right else WRONG
    axes.set_xlabel(_below(tile), fontsize=8.5, color=colour, labelpad=2)


def _below(tile: Tile) -> str:
    return "\n".join(filter(None, (_wrapped(tile.caption), _wrapped(tile.remark))))


def _wrapped(text: str) -> str:
    """At most two lines."""
    return literal("\n".join(textwrap.wrap(text, LETTERS, max_lines=2, placeholder="…")))


def _title_lines(title: str, letters: int) -> list[str]:
    return [part for line in title.splitlines() for part in textwrap.wrap(line, letters)][:4]
