"""The folder in which patches are made, which is a pack of assets too: ``--assets`` takes it as it is."""

__all__ = ["write_patch"]

import io
from collections.abc import Sequence
from pathlib import Path

from PIL import Image
from torch import Tensor

from unforeseen.files.atomic import save_file
from unforeseen.running.images import pixels_of
from unforeseen.transforms.assets.manifest import MANIFEST_FILE
from unforeseen.transforms.assets.pack import AssetPack

_TABLE = """
[patch.{name}]
file = "{name}.png"
licence = "not stated"
source = "unforeseen make patches"
"""


def write_patch(folder: Path, name: str, patch: Tensor, *, beside: Sequence[str]) -> AssetPack:
    """Writes a patch as PNG, and the manifest of all; opens the folder as a pack.

    Args:
        folder: Where patches are made.
        name: Of this one.
        patch: (3, S, S) in [0, 1].
        beside: Names of those that lie there already.

    Raises:
        RunError: A file can't be written.
    """
    encoded = io.BytesIO()
    Image.fromarray(pixels_of(patch)).save(encoded, "PNG")
    save_file(folder / f"{name}.png", encoded.getvalue())
    tables = "".join(_TABLE.format(name=each) for each in dict.fromkeys((*beside, name)))
    save_file(folder / MANIFEST_FILE, f"schema = 1\n{tables}".encode())
    return AssetPack(folder)
