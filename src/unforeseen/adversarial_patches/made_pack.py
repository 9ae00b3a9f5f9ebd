"""The folder in which patches are made, which is a pack of assets too: ``--assets`` takes it as it is."""

__all__ = ["refuse_other_pack", "write_patch"]

import io
from collections.abc import Sequence
from pathlib import Path

from PIL import Image
from torch import Tensor

from unforeseen.errors import RunError
from unforeseen.files.atomic import save_file
from unforeseen.running.images import pixels_of
from unforeseen.transforms.assets.manifest import MANIFEST_FILE, read_manifest
from unforeseen.transforms.assets.pack import AssetPack

_TABLE = """
[patch.{name}]
file = "{name}.png"
licence = "not stated"
source = "unforeseen make patches"
"""


def write_patch(folder: Path, name: str, patch: Tensor, *, beside: Sequence[str]) -> AssetPack:
    """Writes a patch as PNG and adds it to the manifest; opens the folder as a pack.

    What the manifest says already, licences say, stays as it is.

    Args:
        folder: Where patches are made.
        name: Of this one.
        patch: (3, S, S) in [0, 1].
        beside: Names of those that lie there already.

    Raises:
        RunError: A file can't be written.
        AssetError: The manifest can't be used.
    """
    encoded = io.BytesIO()
    Image.fromarray(pixels_of(patch)).save(encoded, "PNG")
    save_file(folder / f"{name}.png", encoded.getvalue())
    manifest = folder / MANIFEST_FILE
    if manifest.exists():
        known = read_manifest(folder).assets["patch"]
        text = manifest.read_text(encoding="utf-8").rstrip() + "\n"
    else:
        known, text = {}, "schema = 1\n"
    added = [each for each in dict.fromkeys((*beside, name)) if each not in known]
    if added:
        tables = "".join(_TABLE.format(name=each) for each in added)
        save_file(manifest, f"{text}{tables}".encode())
    return AssetPack(folder)


def refuse_other_pack(folder: Path, names: Sequence[str]) -> None:
    """Checks that patches can be written to a folder, before it takes minutes to make them.

    Raises:
        AssetError: Its manifest can't be used.
        RunError: It has patches of these names in other files.
    """
    if not (folder / MANIFEST_FILE).exists():
        return
    known = read_manifest(folder).assets["patch"]
    for each in names:
        if each in known and known[each].file != f"{each}.png":
            raise RunError(
                f"{folder / MANIFEST_FILE}: patch.{each}: expected the file {each}.png, got "
                f"{known[each].file}. Write {each}.png there, or use another --out."
            )
