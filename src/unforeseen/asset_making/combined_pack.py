"""One pack of several: one's own assets, and what comes with the program for all other kinds."""

__all__ = ["combine_packs"]

from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import NamedTuple

from unforeseen.asset_making.pack_writing import add_to_pack, file_in_pack, foreground_in_pack
from unforeseen.errors import RunError
from unforeseen.files.atomic import save_file
from unforeseen.files.occupied import refuse_occupied
from unforeseen.stylization.names import STYLE_KINDS
from unforeseen.transforms.assets.files import read_file
from unforeseen.transforms.assets.manifest import (
    ASSET_KINDS,
    MANIFEST_FILE,
    Asset,
    AssetKind,
)
from unforeseen.transforms.assets.pack import AssetPack, default_assets
from unforeseen.transforms.assets.pictures import foreground_of, picture_of
from unforeseen.transforms.assets.style_network import network_bytes

#: Kinds that come from one pack: a network knows both kinds of styles.
_TOGETHER: tuple[tuple[AssetKind, ...], ...] = (
    *((kind,) for kind in ASSET_KINDS if kind not in STYLE_KINDS),
    STYLE_KINDS,
)
_WEIGHTS_FILE = "styles/stylization.safetensors"


class _Taken(NamedTuple):
    """An asset, and the pack that it comes from."""

    pack: AssetPack
    asset: Asset


def combine_packs(folders: Sequence[Path], out: Path) -> AssetPack:
    """Makes a pack in which every kind comes from the first of several packs that has any of it.

    What none of them has comes from the pack that ships. Paintings, textures and the network that knows them
    come from one pack. Names, their order, corners, licences and sources are kept; other files of the packs,
    such as recipes, are not.

    Args:
        folders: Of packs; without any, what is made is a copy of the one that ships.
        out: New or empty. Its manifest is written last: without it a folder is no pack.

    Raises:
        AssetError: A pack, or what is taken from it, can't be used; nothing was written.
        RunError: ``out`` holds something, or can't be written.
    """
    if refuse_occupied(out, kind="pack of assets", marker=MANIFEST_FILE):
        raise RunError(f"{out} is a pack of assets already. Use another --out, or empty it.")
    packs = [*map(AssetPack, folders), default_assets()]
    taken = [each for kinds in _TOGETHER for each in _first_that_has(packs, kinds)]
    for pack, asset in taken:
        foreground_of(pack.folder, asset, picture_of(pack.folder, asset).size)
    styled = next((each.pack for each in taken if each.asset.kind in STYLE_KINDS), None)
    network = None if styled is None else styled.manifest.stylization
    if styled is not None and network is not None:
        _ = styled.stylization
        save_file(out / _WEIGHTS_FILE, network_bytes(styled.folder, network), root=out)
        network = replace(network, weights=_WEIGHTS_FILE)
    return add_to_pack(out, [_copied(each, out) for each in taken], network)


def _first_that_has(packs: Sequence[AssetPack], kinds: Sequence[AssetKind]) -> Iterator[_Taken]:
    """All assets of some kinds of the first pack that has any of these kinds."""
    for pack in packs:
        found = [asset for kind in kinds for asset in pack.manifest.assets[kind].values()]
        if found:
            yield from (_Taken(pack, asset) for asset in found)
            return


def _copied(taken: _Taken, out: Path) -> Asset:
    """Copies the files of an asset; what the manifest is to say of it."""
    pack, asset = taken
    copy = replace(asset, file=file_in_pack(asset))
    save_file(out / copy.file, read_file(pack.folder, asset.file), root=out)
    if asset.foreground is None:
        return copy
    copy = replace(copy, foreground=foreground_in_pack(asset.name, asset.foreground))
    assert copy.foreground is not None
    save_file(out / copy.foreground, read_file(pack.folder, asset.foreground), root=out)
    return copy
