"""The folder in which a network for styles is trained, which is a pack of assets too in the end."""

__all__ = ["NETWORK", "WEIGHTS_FILE", "write_style_pack"]

from collections.abc import Sequence
from pathlib import Path

from unforeseen.asset_making.pack_writing import NOT_STATED, add_to_pack
from unforeseen.asset_making.styles.style_pictures import StylePicture
from unforeseen.files.atomic import save_file
from unforeseen.transforms.assets.manifest import StylizationFile

WEIGHTS_FILE = "stylization.safetensors"

#: As the folder's manifest names it.
NETWORK = StylizationFile(weights=WEIGHTS_FILE, licence=NOT_STATED, source="unforeseen make styles")


def write_style_pack(folder: Path, styles: Sequence[StylePicture], weights: bytes) -> None:
    """Writes a network and the pictures that it has learnt, and adds them to the manifest.

    Args:
        folder: Where it is trained.
        styles: Pictures, as they were read before the training.
        weights: The network's file.

    Raises:
        RunError: A file can't be written.
        AssetError: The manifest there can't be used.
    """
    for each in styles:
        save_file(folder / each.asset.file, each.content, root=folder)
    save_file(folder / WEIGHTS_FILE, weights)
    add_to_pack(folder, [each.asset for each in styles], NETWORK)
