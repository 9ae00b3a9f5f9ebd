"""A contact sheet: many pictures in a grid, each pixel as it is."""

__all__ = ["draw_contact_sheet"]

import textwrap
from collections.abc import Sequence
from pathlib import Path

import numpy as np
from matplotlib.figure import Figure
from numpy.typing import NDArray

from unforeseen.report.drawing import halved, literal, save_figure

DPI = 150
#: In pixels: between pictures; left of them, for names.
GAP, LEFT = 6, 180
#: Below each picture, where some have captions.
CAPTION = 22
#: Smaller pictures are enlarged by a whole number, until they come near to it.
TILE = 224
#: Letters of a line left of and above pictures, and of the title beside each picture.
_LETTERS, _TITLE_LETTERS = 15, 22
_FONT, _TITLE_FONT = 8, 9.5
#: Of a line of that size, in pixels.
_LINE, _TITLE_LINE = 20, 24
#: Room for a letter below a picture, in pixels.
_LETTER = 9


def draw_contact_sheet(
    path: Path,
    *,
    title: str,
    columns: Sequence[str],
    rows: Sequence[tuple[str, Sequence[NDArray[np.uint8]]]],
    captions: Sequence[Sequence[str]] = (),
    headed: int = 0,
) -> None:
    """Draws a PNG.

    Args:
        path: Where to.
        title: Above all; cut after two lines.
        columns: Headings.
        rows: What stands on the left, and a picture (H, W, 3) per column. All are of one size.
        captions: What stands below each picture of each row, on a line that is cut; there is none below any
            picture unless there is one below some.
        headed: The row above which headings stand; they aren't about rows before it.

    Raises:
        RunError: It can't be written.
    """
    tall, wide = rows[0][1][0].shape[:2]
    scale = max(1, round(TILE / max(tall, wide)))
    captioned = any(caption for row in captions for caption in row)
    below = CAPTION if captioned else 0
    tall, wide = tall * scale + below + GAP, wide * scale + GAP
    letters = max(40, _TITLE_LETTERS * len(columns))
    titles = textwrap.wrap(title, letters, max_lines=2, placeholder=" …")
    headings = [_wrapped(heading) for heading in columns]
    band = max(heading.count("\n") + 1 for heading in headings) * _LINE + GAP
    above = len(titles) * _TITLE_LINE + 2 * GAP
    tops = [row * tall + band * (row >= headed) for row in range(len(rows))]
    mosaic = np.full((tall * len(rows) + band, wide * len(columns), 3), 255, dtype=np.uint8)
    for top, (_, pictures) in zip(tops, rows, strict=True):
        for column, picture in enumerate(pictures):
            enlarged = picture.repeat(scale, 0).repeat(scale, 1)
            left = column * wide
            mosaic[top : top + tall - below - GAP, left : left + wide - GAP] = enlarged
    height, width = mosaic.shape[0] + above, mosaic.shape[1] + LEFT
    figure = Figure(figsize=(width / DPI, height / DPI), dpi=DPI)
    figure.figimage(mosaic, xo=LEFT, yo=0)

    def write(text: str, x: float, y: float, size: float, across: str, down: str) -> None:
        """Places are in pixels from the upper left corner."""
        figure.text(
            x / width,
            1 - y / height,
            literal(text),
            fontsize=size,
            horizontalalignment=across,
            verticalalignment=down,
            multialignment=across,
        )

    write("\n".join(titles), GAP, GAP, _TITLE_FONT, "left", "top")
    for column, heading in enumerate(headings):
        x = LEFT + column * wide + (wide - GAP) / 2
        write(heading, x, above + tops[headed] - GAP, _FONT, "center", "bottom")
    for top, line in zip(tops, captions, strict=False):
        for column, caption in enumerate(line):
            x = LEFT + column * wide + (wide - GAP) / 2
            y = above + top + tall - GAP - below + GAP / 2
            write(_cut(caption, (wide - GAP) // _LETTER), x, y, _FONT, "center", "top")
    for top, (name, _) in zip(tops, rows, strict=True):
        y = above + top + (tall - below - GAP) / 2
        write(_wrapped(name), LEFT - 2 * GAP, y, _FONT, "right", "center")
    save_figure(figure, path)


def _cut(text: str, letters: int) -> str:
    """One line."""
    text = " ".join(text.split())
    return text if len(text) <= letters else f"{text[: letters - 1]}…"


def _wrapped(text: str) -> str:
    """At most three lines."""
    lines = [line for word in text.split() for line in halved(word, _LETTERS)]
    joined: list[str] = []
    for line in lines:
        if joined and len(joined[-1]) + 1 + len(line) <= _LETTERS:
            joined[-1] += f" {line}"
        else:
            joined.append(line)
    return "\n".join([*joined[:2], *(["…"] if len(joined) > 3 else joined[2:])])
