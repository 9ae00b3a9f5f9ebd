"""A sheet of all styles, and of photos in each of them."""

__all__ = ["draw_style_sheet"]

from collections.abc import Sequence
from pathlib import Path

import torch
import torch.nn.functional as F
from torch import Tensor

from unforeseen.asset_making.styles.style_pictures import StylePicture
from unforeseen.pixels import pixels_of
from unforeseen.report.sheet import Section, SheetPicture, draw_sheet
from unforeseen.stylization.weights import Stylization

_IN_A_ROW = 6


def draw_style_sheet(
    path: Path, stylization: Stylization, styles: Sequence[StylePicture], photos: Tensor
) -> None:
    """Draws a PNG.

    Args:
        path: Where to.
        stylization: Knows the styles.
        styles: Pictures of them.
        photos: (N, 3, H, W) in [0, 1], on the CPU.

    Raises:
        RunError: It can't be written.
    """
    side = photos.shape[2:]
    sections = [
        Section(
            "Styles",
            _IN_A_ROW,
            [SheetPicture(_title(each), pixels_of(_cut(each.image, side))) for each in styles],
        )
    ]
    for number, photo in enumerate(photos, start=1):
        pictures = [SheetPicture(f"photo {number}", pixels_of(photo))]
        for each in styles:
            made = stylization.stylise(photo, each.kind, each.name)
            pictures.append(SheetPicture(_title(each), pixels_of(made)))
        sections.append(Section(f"Photo {number} in each style", _IN_A_ROW, pictures))
    draw_sheet(path, sections)


def _title(style: StylePicture) -> str:
    return f"{style.kind} {style.name}"


def _cut(image: Tensor, size: torch.Size) -> Tensor:
    """The centre of a style, in its own size: strokes are compared with those of the photos."""
    height, width = size
    padded = F.pad(image, (0, max(0, width - image.shape[2]), 0, max(0, height - image.shape[1])))
    top, left = (padded.shape[1] - height) // 2, (padded.shape[2] - width) // 2
    return padded[:, top : top + height, left : left + width]
