"""Files of a folder of assets, which may be a stranger's: they lie inside it, and aren't too large."""

__all__ = [
    "LARGEST_FILE",
    "MOST_PIXELS",
    "PictureMode",
    "decode_picture",
    "is_inside",
    "read_file",
    "read_picture",
]

import re
from pathlib import Path
from typing import Literal

from PIL import Image

from unforeseen.errors import AssetError, DataError
from unforeseen.files.decode import decode, to_rgb, upright
from unforeseen.files.regular_files import read_regular_file
from unforeseen.windows_names import is_device_name

#: What a picture is read as: in colour, in grey, or in colour with transparency.
PictureMode = Literal["RGB", "L", "RGBA"]

#: Of one file in bytes, and of one picture in pixels.
LARGEST_FILE = 32 * 2**20
MOST_PIXELS = 4096 * 4096

# No letter that a file's name can't have on every system.
_STEP = r'[^/\\:*?"<>|\x00-\x1f\x7f]+'
_PATH = re.compile(rf"{_STEP}(?:/{_STEP})*")


def is_inside(file: str) -> bool:
    """Whether a path is written so that it leads down from where it begins, on every system."""
    return (
        _PATH.fullmatch(file) is not None
        and len(file) <= 240
        # Windows drops a dot or blank at the end, also the dots of "..".
        and not any(each[-1] in ". " or is_device_name(each) for each in file.split("/"))
    )


def read_file(folder: Path, file: str, *, at_most: int = LARGEST_FILE) -> bytes:
    """Reads a file of a pack.

    Args:
        folder: The pack's.
        file: Relative to it, with ``/``.
        at_most: Bytes.

    Raises:
        AssetError: It can't be read, is larger, or lies elsewhere: links may lead anywhere inside.
    """
    path = folder / file
    try:
        if not path.resolve().is_relative_to(folder.resolve()):
            raise AssetError(
                f"{path}: leads out of the folder by a link. Copy the file into the folder."
            )
        content = read_regular_file(path, at_most=at_most + 1)
    except (OSError, RuntimeError) as error:  # RuntimeError: links in a ring, before Python 3.13
        reason = getattr(error, "strerror", None) or error
        raise AssetError(f"{path}: can't be read: {reason}.") from error
    if len(content) > at_most:
        raise AssetError(
            f"{path}: expected at most {at_most // 2**20} MiB, got a larger file. Make it smaller."
        )
    return content


def read_picture(folder: Path, file: str, mode: PictureMode) -> Image.Image:
    """Decodes a picture of a pack, turned as a camera's rotation tag says.

    Args:
        folder: The pack's.
        file: Relative to it, with ``/``.
        mode: What it is read as. Transparent places of a picture in colour become white, of one in
            grey black: they don't cover.

    Raises:
        AssetError: It can't be read or decoded, or is too large.
    """
    return decode_picture(read_file(folder, file), folder / file, mode)


def decode_picture(content: bytes, path: Path, mode: PictureMode) -> Image.Image:
    """As :func:`read_picture`, of a file that was read.

    Args:
        content: All of it.
        path: Where it lies, for messages.
        mode: What it is read as.

    Raises:
        AssetError: It can't be decoded, or is too large.
    """
    try:
        return _converted(upright(decode(content, most_pixels=MOST_PIXELS)), mode)
    except DataError as error:
        raise AssetError(f"{path}: {error}.") from error


def _converted(image: Image.Image, mode: PictureMode) -> Image.Image:
    if mode == "RGB" or not image.has_transparency_data:
        # Grey-scale of 16 bits and other pixels that aren't bytes are scaled or refused there.
        return to_rgb(image).convert(mode)
    layers = image.convert("RGBA")
    if mode == "RGBA":
        return layers
    return Image.alpha_composite(Image.new("RGBA", layers.size, "black"), layers).convert("L")
