"""The network of a pack, which knows its paintings and textures."""

__all__ = ["network_bytes", "network_of"]

from collections.abc import Mapping
from pathlib import Path

from unforeseen.errors import AssetError, shown
from unforeseen.stylization.names import STYLE_KINDS, StyleKind
from unforeseen.stylization.weights import LARGEST_WEIGHTS, Stylization, read_stylization
from unforeseen.transforms.assets.files import read_file
from unforeseen.transforms.assets.manifest import Asset, StylizationFile
from unforeseen.typed_command import as_typed


def network_bytes(folder: Path, file: StylizationFile) -> bytes:
    """The file of a pack's network; raises AssetError."""
    return read_file(folder, file.weights, at_most=LARGEST_WEIGHTS)


def network_of(
    folder: Path,
    file: StylizationFile | None,
    styles: Mapping[StyleKind, Mapping[str, Asset | None]],
) -> Stylization:
    """Reads a pack's network.

    Args:
        folder: The pack's.
        file: What the manifest says of it.
        styles: The pack's paintings and textures by name, None for one that can't be used; the network may
            know more.

    Raises:
        AssetError: There is none, it can't be used, it doesn't know all of them, or it has learnt other
            pictures under their names.
    """
    train = as_typed("make", "styles", "--assets", folder, "--images", "DIR", "--out", "DIR")
    if file is None:
        raise AssetError(
            f"{folder}: expected a table [stylization] that names the weights of a network for "
            f"paintings and textures, found none. Train one: {train}; or leave out StyleTransfer and Texturize."
        )
    origin = str(folder / file.weights)
    found = read_stylization(network_bytes(folder, file), origin)
    for kind in STYLE_KINDS:
        unknown = sorted(set(styles[kind]) - set(found.names.of(kind)))
        if unknown:
            raise AssetError(
                f"{origin}: expected a network that knows every {kind} of the pack; it doesn't know "
                f"{shown(unknown[0])}. Train one: {train}"
            )
        for name, asset in styles[kind].items():
            if asset is None or found.has_learnt(kind, name, read_file(folder, asset.file)):
                continue
            raise AssetError(
                f"{folder / asset.file}: expected the {kind} that the network {file.weights} has "
                f"learnt as {shown(name)}, got another picture. Put that one back, or train anew: "
                f"{train}"
            )
    return found
