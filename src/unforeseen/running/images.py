"""Judged pictures as files: ``<run>/images/<cell>/<example id>.png``, 8 bit, lossless."""

__all__ = ["image_path", "read_image", "save_image"]

import errno
import io
from pathlib import Path

from PIL import Image
from torch import Tensor

from unforeseen.files.atomic import save_file
from unforeseen.files.regular_files import read_regular_file
from unforeseen.pixels import pixels_of


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
    Image.fromarray(pixels_of(picture)).save(encoded, format="PNG")
    save_file(image_path(folder, cell, example_id), encoded.getvalue(), root=folder)


def read_image(folder: Path, cell: str, example_id: str) -> bytes:
    """Reads the file of a judged picture.

    Args:
        folder: The run's, which the user named; it may be a link. Nothing in it may: it may be a
            stranger's, and a link leads anywhere.
        cell: Id of the cell.
        example_id: Id of the example.

    Raises:
        OSError: It can't be read, or a link is in its place or in that of a folder above.
    """
    path = image_path(folder, cell, example_id)
    for part in (path.parent.parent, path.parent, path):
        if part.is_symlink():
            raise OSError(errno.ELOOP, f"{part.name} is a link, through which nothing is read")
    return read_regular_file(path)
