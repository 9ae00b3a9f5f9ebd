"""A sheet of the pictures that got through most often: each as it is, then what got it through."""

__all__ = ["SheetResult", "draw_evasion_sheet"]

from collections.abc import Sequence
from itertools import islice
from pathlib import Path
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from unforeseen.report.drawing import halved
from unforeseen.report.evasion_list import Evasion
from unforeseen.report.gallery import LETTERS, Tile, draw_gallery
from unforeseen.running.made_again import PicturesAgain, WantedPicture
from unforeseen.stage_reporter import SilentStages, StageReporter, in_one

#: Obfuscations beside each picture.
MOST_OBFUSCATIONS = 5
_HEADINGS = ("as it is", "least probable", "2nd", "3rd", "4th", "5th")
_NOT_FINITE = "not finite"
_AGAIN = "obfuscating them again"


class SheetResult(NamedTuple):
    """What was drawn.

    Attributes:
        pictures: How many have a line.
        missing: How many pictures, clean or obfuscated, couldn't be made as the rows say.
    """

    pictures: int
    missing: int


def draw_evasion_sheet(
    path: Path,
    evasions: Sequence[Evasion],
    again: PicturesAgain,
    *,
    title: str,
    pictures: int,
    reporter: StageReporter | None = None,
) -> SheetResult:
    """Draws a PNG, a line for each picture.

    Args:
        path: Where to.
        evasions: What got through, the worst picture first and all of one picture together.
        again: Makes the pictures.
        title: What all of it is.
        pictures: How many at most.
        reporter: Who watches; None is silent.

    Raises:
        RunError: It can't be written.
    """
    watching = reporter or SilentStages()
    of_picture: dict[str, list[Evasion]] = {}
    for each in evasions:
        of_picture.setdefault(each.example_id, []).append(each)
    shown = dict(islice(of_picture.items(), pictures))
    with in_one(watching, "looking for the pictures"):
        index_of = again.find([WantedPicture(name, of[0].file) for name, of in shown.items()])
    most = min(MOST_OBFUSCATIONS, max(map(len, shown.values()), default=0))
    lines: list[tuple[str, list[Tile | None]]] = []
    missing = 0
    watching.advance(_AGAIN, 0, len(shown))
    for done, (name, of) in enumerate(shown.items(), start=1):
        tiles = _tiles(again, index_of.get(name), of[:most])
        missing += tiles.count(None)
        lines.append((of[0].true_class, tiles + [None] * (most + 1 - len(tiles))))
        watching.advance(_AGAIN, done, len(shown))
    drawn = [line for line in lines if any(tile is not None for tile in line[1])]
    if drawn:
        with in_one(watching, "drawing the sheet"):
            draw_gallery(path, title=title, columns=_HEADINGS[: most + 1], rows=drawn)
    return SheetResult(len(drawn), missing)


def _tiles(
    again: PicturesAgain, index: int | None, evasions: Sequence[Evasion]
) -> list[Tile | None]:
    """The picture as it is, then as each obfuscation made it."""
    if index is None:
        return [None] * (1 + len(evasions))
    first = evasions[0]
    clean = again.clean(index, first.example_id)
    tiles = [_tile(clean, "", first.probability_clean, first.taken_for_clean, right=True)]
    for each in evasions:
        image = again.obfuscated(
            index, each.example_id, each.obfuscation, each.draw, each.parameters
        )
        tiles.append(_tile(image, each.obfuscation, each.probability, each.taken_for, right=False))
    return tiles


def _tile(
    image: NDArray[np.uint8] | None,
    name: str,
    probability: float | None,
    taken_for: str | None,
    *,
    right: bool,
) -> Tile | None:
    if image is None:
        return None
    said = (
        _NOT_FINITE
        if taken_for is None or probability is None
        else f"p {probability:.2g}, {taken_for}"
    )
    caption = " ".join(halved(name, LETTERS)) if name else said
    return Tile(image=image, caption=caption, right=right, remark=said if name else "")
