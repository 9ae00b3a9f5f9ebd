"""Writing a pack of assets: tables that are added to its manifest, and nothing that stands there changed."""

__all__ = [
    "NOT_STATED",
    "add_to_pack",
    "file_in_pack",
    "foreground_in_pack",
    "refuse_other_files",
]

import json
from collections.abc import Iterable, Sequence
from pathlib import Path, PurePosixPath

from unforeseen.errors import AssetError, RunError
from unforeseen.files.atomic import save_file
from unforeseen.files.toml_text import parse_toml
from unforeseen.transforms.assets.manifest import (
    MANIFEST_FILE,
    STYLIZATION,
    Asset,
    AssetKind,
    StylizationFile,
    read_manifest,
)
from unforeseen.transforms.assets.pack import AssetPack

#: The licence of what was made here, until its maker states one.
NOT_STATED = "not stated"

_HEAD = "schema = 1\n"
_FOLDERS: dict[AssetKind, str] = {
    "photo": "photos",
    "scene": "scenes",
    "pattern": "patterns",
    "icon": "icons",
    "text": "texts",
    "patch": "patches",
    "painting": "paintings",
    "texture": "textures",
}
#: Not beside scenes, one of which may be called so.
_FOREGROUNDS = "foregrounds"
#: Of a file's name, for which a path has room.
_LONGEST_ENDING = 16


def file_in_pack(asset: Asset) -> str:
    """Where the picture of an asset goes in a pack that is made here: a folder for each kind."""
    return _path(_FOLDERS[asset.kind], asset.name, asset.file)


def foreground_in_pack(scene: str, file: str) -> str:
    """Where the foreground of a scene goes, which lies in another file of another pack."""
    return _path(_FOREGROUNDS, scene, file)


def add_to_pack(
    folder: Path, assets: Iterable[Asset], stylization: StylizationFile | None = None
) -> AssetPack:
    """Adds assets whose files lie in a folder to its manifest, and opens it as a pack.

    What the manifest says already, licences say, stays as it is, order and comments too.

    Args:
        folder: Has a manifest, or gets one.
        assets: Those that it doesn't list are added, in this order.
        stylization: The network for paintings and textures; likewise.

    Raises:
        AssetError: The manifest can't be used, or nothing can be added to it.
        RunError: It names other files for them, or can't be written.
    """
    content = _extended(folder, assets, stylization)
    if content is not None:
        save_file(folder / MANIFEST_FILE, content)
    return AssetPack(folder)


def refuse_other_files(
    folder: Path, assets: Sequence[Asset], stylization: StylizationFile | None = None
) -> None:
    """Checks that assets can be added to a folder, before it takes minutes to make them.

    Args:
        folder: May have a manifest.
        assets: To come.
        stylization: Likewise.

    Raises:
        AssetError: Its manifest can't be used, or nothing can be added to it.
        RunError: It names other files for them.
    """
    _extended(folder, assets, stylization)


def _extended(
    folder: Path, assets: Iterable[Asset], stylization: StylizationFile | None
) -> bytes | None:
    """The manifest with what it doesn't list yet; None where it lists all. Raises AssetError, RunError."""
    path, text, known = folder / MANIFEST_FILE, _HEAD, None
    if path.exists():
        known = read_manifest(folder)
        text = path.read_text(encoding="utf-8").rstrip() + "\n"
    tables = []
    for each in assets:
        there = None if known is None else known.assets[each.kind].get(each.name)
        if there is None:
            tables.append(_asset_table(each))
        elif there.file != each.file:
            raise _other_file(folder, f"{each.kind}.{each.name}", each.file, there.file)
    if stylization is not None:
        network = None if known is None else known.stylization
        if network is None:
            tables.append(_stylization_table(stylization))
        elif network.weights != stylization.weights:
            raise _other_file(folder, STYLIZATION, stylization.weights, network.weights)
    if not tables:
        return None
    content = "\n".join((text, *tables)).encode()
    # As where a kind stands there as one line, which no table can be added to.
    parse_toml(content, origin=str(path), error=AssetError)
    return content


def _path(folder: str, name: str, like: str) -> str:
    return f"{folder}/{name}{PurePosixPath(like).suffix.lower()[:_LONGEST_ENDING]}"


def _other_file(folder: Path, table: str, expected: str, got: str) -> RunError:
    return RunError(
        f"{folder / MANIFEST_FILE}: {table}: expected the file {expected}, got {got}. Write {expected} "
        "there, or use another --out."
    )


def _asset_table(asset: Asset) -> str:
    values = {"file": _quoted(asset.file)}
    if asset.corners:
        values["corners"] = repr([list(point) for point in asset.corners])
    if asset.foreground is not None:
        values["foreground"] = _quoted(asset.foreground)
    return _table(f"{asset.kind}.{asset.name}", values, asset.licence, asset.source)


def _stylization_table(file: StylizationFile) -> str:
    return _table(STYLIZATION, {"weights": _quoted(file.weights)}, file.licence, file.source)


def _table(name: str, values: dict[str, str], licence: str, source: str) -> str:
    stated = values | {"licence": _quoted(licence), "source": _quoted(source)}
    return f"[{name}]\n" + "".join(f"{key} = {value}\n" for key, value in stated.items())


def _quoted(text: str) -> str:
    """A TOML string, whose escapes are JSON's; literal where that is shorter, as lines have an end."""
    if {"\\", '"'} & {*text} and "'" not in text:
        return f"'{text}'"
    return json.dumps(text, ensure_ascii=False)
