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
"""

__all__ = ["ASSET_KINDS", "MANIFEST_FILE", "Asset", "AssetKind", "Manifest", "read_manifest"]

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Literal, Self, get_args

from unforeseen.benchmarks.table import Table
from unforeseen.errors import DataError
from unforeseen.regular_files import read_regular_file

AssetKind = Literal["photo", "scene", "pattern", "icon", "text"]

ASSET_KINDS: tuple[AssetKind, ...] = get_args(AssetKind)
MANIFEST_FILE = "assets.toml"

_SCHEMA = 1
_NAME = r"[a-z0-9][a-z0-9-]{0,63}"
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
        file: Its picture, relative to the folder: a photo or scene in colour; a pattern's tile or a
            text's letters in grey, white where they cover; an icon with transparency.
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
        """Checks one ``[KIND.NAME]``."""
        of_scene = ("corners",) if kind == "scene" else ()
        table.expect(
            required=("file", "licence", "source", *of_scene),
            optional=("foreground",) if kind == "scene" else (),
        )
        return cls(
            kind=kind,
            name=name,
            file=table.text("file"),
            licence=table.text("licence"),
            source=table.text("source"),
            corners=_corners(table) if kind == "scene" else (),
            foreground=table.text("foreground") if "foreground" in table else None,
        )


@dataclass(frozen=True, kw_only=True)
class Manifest:
    """All assets of a pack.

    Attributes:
        assets: By kind and name, each kind in the order of the file.
    """

    assets: Mapping[AssetKind, Mapping[str, Asset]]


def read_manifest(folder: Path) -> Manifest:
    """Reads ``assets.toml``.

    Raises:
        DataError: There is none, or it can't be used.
    """
    origin = str(folder / MANIFEST_FILE)
    try:
        content = read_regular_file(folder / MANIFEST_FILE, at_most=_LARGEST_FILE)
        parsed = tomllib.loads(content.decode("utf-8-sig"))
    except OSError as error:
        raise DataError(
            f"{folder}: expected a folder of assets with a file {MANIFEST_FILE}, but it can't be "
            f"read: {error.strerror or error}."
        ) from error
    except (ValueError, RecursionError) as error:
        raise DataError(f"{origin}: expected TOML; {error}.") from error
    table = Table.of(parsed, origin=origin)
    table.expect_schema(_SCHEMA)
    table.expect(required=("schema",), optional=ASSET_KINDS)
    return Manifest(
        assets={
            kind: {
                name: Asset.from_table(kind, name, each)
                for name, each in table.table(kind).tables(_NAME).items()
            }
            if kind in table
            else {}
            for kind in ASSET_KINDS
        }
    )


def _corners(table: Table) -> tuple[Point, ...]:
    value = table.content["corners"]
    if isinstance(value, list) and len(value) == _CORNERS:
        points = [_point(each) for each in value]
        if None not in points:
            return tuple(point for point in points if point is not None)
    return table.reject(
        "corners", "four points [x, y] as shares of width and height", f"{value!r:.60}"
    )


def _point(value: object) -> Point | None:
    if not isinstance(value, list) or len(value) != 2:
        return None
    x, y = value
    numbers = all(isinstance(each, int | float) and not isinstance(each, bool) for each in value)
    return (float(x), float(y)) if numbers and -1 <= x <= 2 and -1 <= y <= 2 else None
