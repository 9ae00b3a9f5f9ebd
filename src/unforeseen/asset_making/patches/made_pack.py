"""The folder in which patches are made, which is a pack of assets too: ``--assets`` takes it as it is."""

__all__ = ["patch_asset", "patch_bytes", "write_patch"]

import io
from collections.abc import Sequence
from pathlib import Path

from PIL import Image
from torch import Tensor

from unforeseen.asset_making.pack_writing import NOT_STATED, add_to_pack
from unforeseen.files.atomic import save_file
from unforeseen.pixels import pixels_of
from unforeseen.transforms.assets.manifest import Asset
from unforeseen.transforms.assets.pack import AssetPack


def patch_asset(name: str) -> Asset:
    """A patch as the folder's manifest names it."""
    return Asset(
        kind="patch",
        name=name,
        file=f"{name}.png",
        licence=NOT_STATED,
        source="unforeseen make patches",
    )


def patch_bytes(patch: Tensor) -> bytes:
    """A patch, (3, S, S) in [0, 1], as PNG."""
    encoded = io.BytesIO()
    Image.fromarray(pixels_of(patch)).save(encoded, "PNG")
    return encoded.getvalue()


def write_patch(folder: Path, name: str, content: bytes, *, beside: Sequence[str]) -> AssetPack:
    """Writes a patch and adds it to the manifest; opens the folder as a pack.

    Args:
        folder: Where patches are made.
        name: Of this one.
        content: Its file.
        beside: Names of those that lie there already.

    Raises:
        RunError: A file can't be written.
        AssetError: The manifest can't be used.
    """
    save_file(folder / patch_asset(name).file, content)
    return add_to_pack(folder, [patch_asset(each) for each in dict.fromkeys((*beside, name))])
