"""Everything that is wrong with a folder of assets, at once, and what there is in it."""

__all__ = ["IN_THE_PAPER", "Examination", "examine_assets"]

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from PIL import Image

from unforeseen.errors import AssetError
from unforeseen.files.table import Table
from unforeseen.stylization.names import STYLE_KINDS
from unforeseen.transforms import OBFUSCATIONS
from unforeseen.transforms.assets.manifest import (
    ASSET_KINDS,
    STYLIZATION,
    Asset,
    AssetKind,
    manifest_table,
    stylization_of,
    tables_of,
)
from unforeseen.transforms.assets.pictures import foreground_of, picture_of
from unforeseen.transforms.assets.style_network import network_of

#: How many of each kind the paper used (its appendix A).
IN_THE_PAPER: dict[AssetKind, int] = {
    "photo": 10,
    "scene": 14,
    "pattern": 9,
    "icon": 10,
    "text": 13,
    "patch": 3,
    "painting": 7,
    "texture": 10,
}

_NO_NETWORK = (
    "no [stylization]: StyleTransfer and Texturize can't be used. A network for the paintings and "
    "textures is trained by: unforeseen make styles."
)
# Smaller pictures are enlarged in benchmarks of the paper's size.
_USUAL_SIDE = 224
#: From which size on pictures are as large as they are shown; patches lie in corners.
_USUAL_PATCH = 50
#: Kinds whose pictures say nothing by being transparent or black.
_WHOLE: tuple[AssetKind, ...] = ("photo", "scene", "patch", "painting", "texture")
# How much more neighbours across a tile's edge may differ than any inside.
_SEAM = 1.5


@dataclass(frozen=True, kw_only=True)
class Examination:
    """What was found.

    Attributes:
        counts: How many assets of each kind the manifest has, those that can't be used included.
        has_network: Whether it has a network for styles, likewise.
        licences: How many of those that can be used, the network among them, are under each licence.
        faults: What can't be used and what to do, a line each.
        notes: What may be meant so.
    """

    counts: Mapping[AssetKind, int]
    has_network: bool
    licences: Mapping[str, int]
    faults: tuple[str, ...]
    notes: tuple[str, ...]


def examine_assets(folder: Path) -> Examination:
    """Reads a folder of assets as far as it can be read, and decodes every picture.

    Raises:
        AssetError: There is no manifest, or nothing can be taken from it.
    """
    manifest = manifest_table(folder)
    counts: dict[AssetKind, int] = {}
    assets: dict[AssetKind, dict[str, Asset | None]] = {}
    licences = Counter[str]()
    faults: list[str] = []
    notes: list[str] = []
    for kind in ASSET_KINDS:
        try:
            tables = tables_of(manifest, kind)
        except AssetError as error:
            tables = {}
            faults.append(str(error))
        counts[kind] = len(tables)
        if not tables:
            notes.append(_note_of_none(kind))
        assets[kind] = dict.fromkeys(tables)
        for name, table in tables.items():
            try:
                asset, found = _examined(folder, kind, name, table)
            except AssetError as error:
                faults.append(str(error))
            else:
                assets[kind][name] = asset
                licences[asset.licence] += 1
                notes.extend(f"{kind}.{name}: {note}" for note in found)
    try:
        network = stylization_of(manifest)
        if network is not None:
            network_of(folder, network, {kind: assets[kind] for kind in STYLE_KINDS})
            licences[network.licence] += 1
        elif any(assets[kind] for kind in STYLE_KINDS):
            notes.append(_NO_NETWORK)
    except AssetError as error:
        faults.append(str(error))
    return Examination(
        counts=counts,
        has_network=STYLIZATION in manifest,
        licences=dict(licences.most_common()),
        faults=tuple(faults),
        notes=tuple(notes),
    )


def _examined(folder: Path, kind: AssetKind, name: str, table: Table) -> tuple[Asset, list[str]]:
    """An asset and what is odd about it; raises AssetError."""
    asset = Asset.from_table(kind, name, table)
    picture = picture_of(folder, asset)
    foreground_of(folder, asset, picture.size)
    return asset, list(_oddities(kind, picture))


def _note_of_none(kind: AssetKind) -> str:
    takers = [name for name, each in OBFUSCATIONS.items() if kind in each.asset_kinds]
    without = f": it can't be used for {', '.join(takers)}" if takers else ""
    return f"no {kind}{without}."


def _oddities(kind: AssetKind, picture: Image.Image) -> Iterator[str]:
    if kind in _WHOLE:
        if min(picture.size) < (_USUAL_PATCH if kind == "patch" else _USUAL_SIDE):
            yield (
                f"{picture.width} × {picture.height} pixels; it is enlarged where pictures have "
                f"{_USUAL_SIDE}."
            )
        return
    covers = np.asarray(picture.getchannel("A") if kind == "icon" else picture) / 255
    if kind == "icon" and covers.min() == 1:
        yield "nothing of it is transparent; it is drawn as a square."
    if covers.max(initial=0) == 0:
        yield "it covers nothing; white is what covers."
    if kind == "pattern":
        if covers.min() == 1:
            yield "it has no openings; black is what stays free."
        if not _goes_on(covers):
            yield "its edges don't fit each other; seams show where tiles meet."


def _goes_on(tile: NDArray[np.float64]) -> bool:
    """Whether, on both axes, neighbours across the edge differ hardly more than some inside do."""
    return all(
        np.abs(np.take(tile, 0, axis) - np.take(tile, -1, axis)).mean()
        <= _SEAM * np.abs(np.diff(tile, axis=axis)).mean(1 - axis).max(initial=0)
        for axis in (0, 1)
    )
