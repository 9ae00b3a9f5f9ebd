"""One pack of several: one's own assets, and what comes with the program for all other kinds."""

__all__ = ["Combined", "combine_packs"]

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import NamedTuple

from unforeseen.asset_making.pack_sources import Source, notes_of_not_taken, sources_of
from unforeseen.asset_making.pack_writing import add_to_pack, file_in_pack, foreground_in_pack
from unforeseen.errors import RunError
from unforeseen.files.atomic import save_file
from unforeseen.files.lock import sole_writer
from unforeseen.files.occupied import refuse_occupied
from unforeseen.stage_reporter import SilentStages, StageReporter
from unforeseen.stylization.names import STYLE_KINDS
from unforeseen.transforms.assets.files import read_file
from unforeseen.transforms.assets.manifest import MANIFEST_FILE, Asset, AssetKind
from unforeseen.transforms.assets.pack import AssetPack, default_assets
from unforeseen.transforms.assets.pictures import foreground_of, picture_of
from unforeseen.transforms.assets.style_network import network_bytes

_WEIGHTS_FILE = "styles/stylization.safetensors"
#: Says of a folder without a manifest that a pack was begun there, and of what.
_BEGUN_FILE = ".combining"
_LONGEST_BEGUN = 1024


class Combined(NamedTuple):
    """What was made.

    Attributes:
        pack: The new one.
        origins: Where the pack lies that each kind comes from which it has.
    """

    pack: AssetPack
    origins: Mapping[AssetKind, Path]


class _Taken(NamedTuple):
    """An asset, and the pack that it comes from."""

    pack: AssetPack
    asset: Asset


def combine_packs(
    folders: Sequence[Path], out: Path, *, reporter: StageReporter | None = None
) -> Combined:
    """Makes a pack in which every kind comes from the first of several packs that has any of it.

    What none of them has comes from the pack that ships. Paintings, textures and the network that knows them
    come from one pack. Names, their order, corners, licences and sources are kept; other files of the packs,
    such as recipes, are not.

    Args:
        folders: Of packs; without any, what is made is a copy of the one that ships.
        out: New, empty, or one in which the same was begun and stopped. Its manifest is written last: without
            it a folder is no pack.
        reporter: Told what was given and isn't taken, and where nothing keeps other processes from writing
            there.

    Raises:
        AssetError: A pack, or what is taken from it, can't be used; nothing was written.
        RunError: ``out`` holds something, another process writes there, or it can't be written.
    """
    reporter = reporter or SilentStages()
    given = [*map(AssetPack, folders)]
    sources = sources_of([*given, default_assets()])
    taken = [each for source in sources for each in _taken_from(source)]
    for pack, asset in taken:
        foreground_of(pack.folder, asset, picture_of(pack.folder, asset).size)
    styled = next((each.pack for each in taken if each.asset.kind in STYLE_KINDS), None)
    network = None if styled is None else styled.manifest.stylization
    if styled is not None and network is not None:
        _ = styled.stylization
    # Also before it is locked, which leaves a file there.
    _refuse_other(out, sources)
    with sole_writer(out, reporter.note):
        _refuse_other(out, sources)
        for note in notes_of_not_taken(given, sources):
            reporter.note(note)
        save_file(out / _BEGUN_FILE, _identity(sources))
        if styled is not None and network is not None:
            save_file(out / _WEIGHTS_FILE, network_bytes(styled.folder, network), root=out)
            network = replace(network, weights=_WEIGHTS_FILE)
        made = add_to_pack(out, [_copied(each, out) for each in taken], network)
        (out / _BEGUN_FILE).unlink(missing_ok=True)
    return Combined(made, {each.asset.kind: each.pack.folder for each in taken})


def _refuse_other(out: Path, sources: Sequence[Source]) -> None:
    """Raises RunError unless a folder is new or empty, or the same was begun there."""
    begun = _begun(out)
    if begun == _identity(sources):
        return
    if begun is not None:
        # Its pictures might stay, under licences that nothing there would say.
        raise RunError(
            f"{out}: a pack of other assets was begun there and not ended. Use another --out, or empty it."
        )
    if refuse_occupied(out, kind="pack of assets", marker=MANIFEST_FILE):
        raise RunError(f"{out} is a pack of assets already. Use another --out, or empty it.")


def _begun(out: Path) -> bytes | None:
    """Of what a pack was begun in a folder; None where it wasn't, or where it can't be looked into."""
    try:
        with (out / _BEGUN_FILE).open("rb") as file:
            return file.read(_LONGEST_BEGUN)
    except OSError:
        return None


def _identity(sources: Sequence[Source]) -> bytes:
    """What is taken, but for licences and where it lies."""
    return "".join(f"{pack.fingerprint_of(kinds)}\n" for pack, kinds in sources).encode()


def _taken_from(source: Source) -> Iterator[_Taken]:
    """All assets of the kinds that a pack gives."""
    for kind in source.kinds:
        yield from (
            _Taken(source.pack, each) for each in source.pack.manifest.assets[kind].values()
        )


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
