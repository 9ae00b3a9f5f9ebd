"""Whether the folder of a training can become a pack, which is looked at before minutes are spent."""

__all__ = ["refuse_unfit"]

from collections.abc import Sequence
from pathlib import Path

from unforeseen.asset_making.styles.style_pictures import StylePicture
from unforeseen.errors import RunError
from unforeseen.stylization.names import STYLE_KINDS
from unforeseen.transforms.assets.manifest import MANIFEST_FILE, read_manifest


def refuse_unfit(folder: Path, styles: Sequence[StylePicture]) -> None:
    """Checks that what is trained can be written there, and is all that the pack would need.

    Args:
        folder: Where it is trained; may have a manifest.
        styles: All that the network will know.

    Raises:
        RunError: Something lies where their pictures go, or the manifest lists other styles.
        AssetError: The manifest can't be used.
    """
    for name in dict.fromkeys(each.asset.file.partition("/")[0] for each in styles):
        place = folder / name
        if place.is_symlink() or (place.exists() and not place.is_dir()):
            found = "a link" if place.is_symlink() else "a file"
            raise RunError(
                f"{place}: expected a folder for the pictures of styles, or nothing, got {found}. Remove it, "
                "or use another --out."
            )
    if not (folder / MANIFEST_FILE).exists():
        return
    known = read_manifest(folder).assets
    trained = {(each.asset.kind, each.asset.name) for each in styles}
    for kind in STYLE_KINDS:
        for name in known[kind]:
            if (kind, name) not in trained:
                raise RunError(
                    f"{folder / MANIFEST_FILE}: {kind}.{name}: expected the styles that are trained alone; this "
                    "doesn't train it. Remove it there, or train a pack that has it by --assets and another --out."
                )
