"""What the pictures of an asset must be, whole and before anything is resized."""

__all__ = ["LONGEST_TEXT", "foreground_of", "picture_of"]

from pathlib import Path

from PIL import Image

from unforeseen.errors import AssetError
from unforeseen.transforms.assets.files import PictureMode, read_picture
from unforeseen.transforms.assets.manifest import Asset, AssetKind

#: How many times as long as high a text may be. With more, one high line would fill the memory.
LONGEST_TEXT = 32

_MODES: dict[AssetKind, PictureMode] = {
    "photo": "RGB",
    "scene": "RGB",
    "pattern": "L",
    "icon": "RGBA",
    "text": "L",
    "patch": "RGB",
    "painting": "RGB",
    "texture": "RGB",
}
_SQUARE: tuple[AssetKind, ...] = ("pattern", "icon", "patch")


def picture_of(folder: Path, asset: Asset) -> Image.Image:
    """The picture of an asset: in mode RGB, of a pattern or text L, of an icon RGBA.

    Raises:
        AssetError: It can't be read, or hasn't the shape that its kind must have.
    """
    picture = read_picture(folder, asset.file, _MODES[asset.kind])
    width, height = picture.size
    got = f"got {width} × {height} pixels"
    if asset.kind in _SQUARE and width != height:
        raise AssetError(f"{folder / asset.file}: expected a square, {got}. Pad it to one.")
    if asset.kind == "text" and width > LONGEST_TEXT * height:
        raise AssetError(
            f"{folder / asset.file}: expected a line at most {LONGEST_TEXT} times as long as high, "
            f"{got}. Shorten it."
        )
    return picture


def foreground_of(folder: Path, asset: Asset, size: tuple[int, int]) -> Image.Image | None:
    """What lies over a picture that is placed in a scene, in mode L; None where nothing does.

    Args:
        folder: The pack's.
        asset: A scene.
        size: Width and height of its picture.

    Raises:
        AssetError: It can't be read, or is of another size.
    """
    if asset.foreground is None:
        return None
    over = read_picture(folder, asset.foreground, "L")
    if over.size != size:
        raise AssetError(
            f"{folder / asset.foreground}: expected {size[0]} × {size[1]} pixels as the scene itself, "
            f"got {over.width} × {over.height}. Draw it over the scene's picture."
        )
    return over
