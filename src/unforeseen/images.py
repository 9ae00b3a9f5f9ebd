"""Judged pictures as files: ``<run>/images/<cell>/<example id>.png``, 8 bit, lossless."""

__all__ = ["image_path", "save_image"]

import io
from pathlib import Path

from torch import Tensor
from torchvision.transforms.v2.functional import to_pil_image

from unforeseen.atomic import save_file


def image_path(folder: Path, cell: str, example_id: str) -> Path:
    """Where the judged picture of an example in a cell lies."""
    return folder / "images" / cell / f"{example_id}.png"


def save_image(folder: Path, cell: str, example_id: str, picture: Tensor) -> None:
    """Writes a judged picture; it is there before its row is.

    Args:
        folder: The run's.
        cell: Id of the cell.
        example_id: Id of the example.
        picture: (3, H, W) in [0, 1]; rounded to 8 bits.

    Raises:
        RunError: It can't be written.
    """
    encoded = io.BytesIO()
    to_pil_image((picture.cpu() * 255).round().byte()).save(encoded, format="PNG")
    save_file(image_path(folder, cell, example_id), encoded.getvalue())
