"""The pictures whose style a network learns: two folders of them, or those of a pack of assets."""

__all__ = ["StylePicture", "styles_of_folders", "styles_of_pack"]

import hashlib
import re
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import NamedTuple

import numpy as np
import torch
from PIL import Image
from torch import Tensor

from unforeseen.asset_making.pack_writing import NOT_STATED, file_in_pack
from unforeseen.asset_names import ASSET_NAME
from unforeseen.errors import AssetError
from unforeseen.stylization.names import STYLE_KINDS, StyleKind
from unforeseen.transforms.assets.files import decode_picture, read_file
from unforeseen.transforms.assets.manifest import Asset, read_manifest

#: Length in pixels to which their shorter sides are brought: strokes and bricks are then as large
#: beside a picture of 224 pixels as in the style.
_SIDE = 256
#: Longer ones only cost time.
_LONGEST = 2
_GIVEN = "given to unforeseen make styles"
_ENDINGS = (".jpg", ".jpeg", ".png", ".bmp", ".gif", ".ppm", ".tif", ".tiff", ".webp")


class StylePicture(NamedTuple):
    """One style.

    Attributes:
        kind: ``painting`` or ``texture``.
        image: (3, H, W) in [0, 1], the shorter side 256 pixels.
        content: The picture's file.
        asset: What the manifest of a pack that has it will say.
    """

    kind: StyleKind
    image: Tensor
    content: bytes
    asset: Asset

    @property
    def name(self) -> str:
        """By which parameters name it."""
        return self.asset.name

    @property
    def sha256(self) -> str:
        """Of the file, in hex digits."""
        return hashlib.sha256(self.content).hexdigest()


def styles_of_folders(folders: Mapping[StyleKind, Path]) -> tuple[StylePicture, ...]:
    """Reads all pictures that lie in the folders; their names are those of the files.

    Raises:
        AssetError: A folder has none, or one can't be read or has a name that can't be one.
    """
    return tuple(
        _read(
            folders[kind],
            Asset(kind=kind, name=file.stem, file=file.name, licence=NOT_STATED, source=_GIVEN),
            kind,
        )
        for kind in STYLE_KINDS
        if kind in folders
        for file in _pictures_in(folders[kind])
    )


def styles_of_pack(folder: Path) -> tuple[StylePicture, ...]:
    """Reads the paintings and textures that a pack's manifest lists.

    Raises:
        AssetError: It lists none, or one can't be read.
    """
    manifest = read_manifest(folder)
    styles = tuple(
        _read(folder, asset, kind)
        for kind in STYLE_KINDS
        for asset in manifest.assets[kind].values()
    )
    if not styles:
        raise AssetError(
            f"{folder}: expected paintings or textures, got none. Add some, or name folders of them "
            "by --paintings and --textures."
        )
    return styles


def _pictures_in(folder: Path) -> list[Path]:
    try:
        files = sorted(each for each in folder.iterdir() if each.suffix.lower() in _ENDINGS)
    except OSError as error:
        raise AssetError(f"{folder}: can't be read: {error.strerror or error}.") from error
    if not files:
        raise AssetError(f"{folder}: expected pictures of styles, found none.")
    for file in files:
        if not re.fullmatch(ASSET_NAME, file.stem):
            raise AssetError(
                f"{file}: expected a name of small letters, digits and hyphens, at most 64, that isn't one of "
                "Windows' devices. Rename it."
            )
    if len({each.stem for each in files}) < len(files):
        raise AssetError(
            f"{folder}: two pictures have the same name but for the ending. Rename one."
        )
    return files


def _read(folder: Path, asset: Asset, kind: StyleKind) -> StylePicture:
    content = read_file(folder, asset.file)
    picture = decode_picture(content, folder / asset.file, "RGB")
    scale = _SIDE / min(picture.size)
    width, height = (
        min(_LONGEST * _SIDE, max(_SIDE, round(side * scale))) for side in picture.size
    )
    picture = picture.resize((width, height), Image.Resampling.LANCZOS)
    pixels = torch.from_numpy(np.asarray(picture).copy()).permute(2, 0, 1).contiguous()
    made = replace(asset, file=file_in_pack(asset))
    return StylePicture(kind, pixels.float() / 255, content, made)
