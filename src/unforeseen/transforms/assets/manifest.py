"""What a folder of assets says of itself: its file ``assets.toml``.

schema = 1

[photo.mountain-lake]
file = "photos/mountain-lake.jpg"
licence = "Apache-2.0"
source = "rendered by this project"

[scene.phone]
file = "scenes/phone.jpg"
corners = [[0.31, 0.18], [0.66, 0.20], [0.64, 0.81], [0.29, 0.78]]
foreground = "scenes/phone-foreground.png"
licence = …

[stylization]
weights = "stylization.safetensors"
licence = …

It may be a stranger's: files are named inside the folder, and nothing else is taken from it.
"""

__all__ = [
    "ASSET_KINDS",
    "MANIFEST_FILE",
    "STYLIZATION",
    "Asset",
    "AssetKind",
    "Manifest",
    "StylizationFile",
    "manifest_table",
    "read_manifest",
    "stylization_of",
    "tables_of",
]

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Literal, Self, get_args

import torch

from unforeseen.asset_names import ASSET_NAME
from unforeseen.errors import AssetError, shown
from unforeseen.files.table import Table
from unforeseen.files.toml_text import parse_toml
from unforeseen.ops.perspective import is_convex
from unforeseen.transforms.assets.files import is_inside, read_file

AssetKind = Literal["photo", "scene", "pattern", "icon", "text", "patch", "painting", "texture"]

ASSET_KINDS: tuple[AssetKind, ...] = get_args(AssetKind)
MANIFEST_FILE = "assets.toml"
#: The table of the network.
STYLIZATION = "stylization"

_SCHEMA = 1
_LARGEST_FILE = 2**20
_CORNERS = 4

#: A point of a picture, as shares of its width and height from the upper left corner.
Point = tuple[float, float]


@dataclass(frozen=True, kw_only=True)
class Asset:
    """One picture of a pack.

    Attributes:
        kind: What it is for.
        name: By which parameters name it.
        file: Its picture, relative to the folder: a photo, scene, patch, painting or texture in colour; a
            pattern's tile or a text's letters in grey, white where they cover; an icon with transparency.
        licence: Under which others may use it.
        source: Where it comes from.
        corners: Of a scene: where the upper left, upper right, lower right and lower left corner of a
            picture that is placed in it go.
        foreground: Of a scene: a picture in grey of the same size, white where the scene lies
            over what is placed in it; None where it does nowhere.
    """

    kind: AssetKind
    name: str
    file: str
    licence: str
    source: str
    corners: tuple[Point, ...] = ()
    foreground: str | None = None

    @classmethod
    def from_table(cls, kind: AssetKind, name: str, table: Table) -> Self:
        """Checks one ``[KIND.NAME]``; raises AssetError."""
        of_scene = ("corners",) if kind == "scene" else ()
        table.expect(
            required=("file", "licence", "source", *of_scene),
            optional=("foreground",) if kind == "scene" else (),
        )
        return cls(
            kind=kind,
            name=name,
            file=_file(table, "file"),
            licence=table.text("licence"),
            source=table.text("source"),
            corners=_corners(table) if kind == "scene" else (),
            foreground=_file(table, "foreground") if "foreground" in table else None,
        )


@dataclass(frozen=True, kw_only=True)
class StylizationFile:
    """The network that knows the pack's paintings and textures.

    Attributes:
        weights: Its file, relative to the folder: as ``unforeseen make styles`` writes it.
        licence: Under which others may use it.
        source: Where it comes from.
    """

    weights: str
    licence: str
    source: str

    @classmethod
    def from_table(cls, table: Table) -> Self:
        """Checks ``[stylization]``; raises AssetError."""
        table.expect(required=("weights", "licence", "source"))
        return cls(
            weights=_file(table, "weights"),
            licence=table.text("licence"),
            source=table.text("source"),
        )


@dataclass(frozen=True, kw_only=True)
class Manifest:
    """All assets of a pack.

    Attributes:
        assets: By kind and name, each kind in the order of the file.
        stylization: The network for paintings and textures, if there is one.
    """

    assets: Mapping[AssetKind, Mapping[str, Asset]]
    stylization: StylizationFile | None = None


def read_manifest(folder: Path) -> Manifest:
    """Reads ``assets.toml``.

    Raises:
        AssetError: There is none, or it can't be used.
    """
    table = manifest_table(folder)
    return Manifest(
        assets={
            kind: {
                name: Asset.from_table(kind, name, each)
                for name, each in tables_of(table, kind).items()
            }
            for kind in ASSET_KINDS
        },
        stylization=stylization_of(table),
    )


def manifest_table(folder: Path) -> Table:
    """The file ``assets.toml``, of which only the outermost keys are checked.

    Raises:
        AssetError: There is none, or it isn't TOML of this layout.
    """
    if not (folder / MANIFEST_FILE).is_file():
        raise AssetError(
            f"{folder}: expected a folder of assets with a file {MANIFEST_FILE}, found none there."
        )
    origin = str(folder / MANIFEST_FILE)
    content = read_file(folder, MANIFEST_FILE, at_most=_LARGEST_FILE)
    parsed = parse_toml(content, origin=origin, error=AssetError)
    table = Table.of(parsed, origin=origin, error=AssetError)
    table.expect_schema(_SCHEMA)
    table.expect(required=("schema",), optional=(*ASSET_KINDS, STYLIZATION))
    return table


def tables_of(table: Table, kind: AssetKind) -> Mapping[str, Table]:
    """The tables ``[KIND.NAME]`` of a manifest by their names, in the order of the file.

    Raises:
        AssetError: The names can't be names.
    """
    return table.table(kind).tables(ASSET_NAME) if kind in table else {}


def stylization_of(table: Table) -> StylizationFile | None:
    """What a manifest says of its network; None where it has none. Raises AssetError."""
    if STYLIZATION not in table:
        return None
    return StylizationFile.from_table(table.table(STYLIZATION))


def _file(table: Table, key: str) -> str:
    value = table.content[key]
    if isinstance(value, str) and is_inside(value):
        return value
    return table.reject(
        key,
        'the path of a file in the folder, with / between its parts, as "photos/lake.jpg"',
        shown(value, longest=60),
    )


def _corners(table: Table) -> tuple[Point, ...]:
    value = table.content["corners"]
    points = [_point(each) for each in value] if isinstance(value, list) else []
    known = tuple(point for point in points if point is not None)
    if len(points) != _CORNERS or len(known) != _CORNERS:
        table.reject(
            "corners",
            "four points [x, y] as shares of width and height",
            shown(value, longest=60),
        )
    if not is_convex(torch.tensor(known)):
        table.reject(
            "corners",
            "the upper left, upper right, lower right and lower left corner of a convex "
            "quadrilateral, in this order",
            shown(value, longest=120),
        )
    return known


def _point(value: object) -> Point | None:
    """A point within a picture's size of the picture, or None."""
    if not isinstance(value, list) or len(value) != 2:
        return None
    x, y = value
    numbers = all(isinstance(each, int | float) and not isinstance(each, bool) for each in value)
    return (float(x), float(y)) if numbers and -1 <= x <= 2 and -1 <= y <= 2 else None
