"""A folder of assets, opened: its pictures as tensors, in the size in which they are wanted."""

__all__ = ["AssetPack", "Icon", "Scene", "are_own", "default_assets"]

import hashlib
from collections.abc import Callable, Hashable, Iterable, Sequence
from functools import cache, cached_property
from importlib import resources
from pathlib import Path
from typing import NamedTuple, TypeVar

import numpy as np
import torch
from PIL import Image
from torch import Tensor

from unforeseen.errors import AssetError, UnknownNameError
from unforeseen.stylization.names import STYLE_KINDS
from unforeseen.stylization.weights import Stylization
from unforeseen.transforms.assets.files import read_file
from unforeseen.transforms.assets.kept import Kept
from unforeseen.transforms.assets.manifest import ASSET_KINDS, Asset, AssetKind, read_manifest
from unforeseen.transforms.assets.pictures import foreground_of, picture_of
from unforeseen.transforms.assets.style_network import network_bytes, network_of
from unforeseen.typed_command import as_typed


class Scene(NamedTuple):
    """A scene with a place for a picture.

    Attributes:
        image: (3, H, W) in [0, 1].
        corners: Where the upper left, upper right, lower right and lower left corner of a picture go,
            (4, 2), x and y in pixels; (0, 0) is the upper left corner of the first pixel.
        foreground: (H, W) in [0, 1]; 1 where the scene lies over the picture.
    """

    image: Tensor
    corners: Tensor
    foreground: Tensor


class Icon(NamedTuple):
    """An icon.

    Attributes:
        image: (3, S, S) in [0, 1].
        opacity: (S, S) in [0, 1].
    """

    image: Tensor
    opacity: Tensor


_Made = TypeVar("_Made", bound=Tensor | Scene | Icon)


class AssetPack:
    """A folder of assets. All tensors are float32 on the CPU and shared: they are not to be changed.

    Threads may share a pack. To another process it goes as its folder.

    Args:
        folder: With a file ``assets.toml``. What it names is read when it is first needed.

    Raises:
        AssetError: The folder can't be used. Methods raise it where one of its pictures can't be.
    """

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.manifest = read_manifest(folder)
        self._kept = Kept()
        self._digests: dict[AssetKind, bytes] = {}

    def __reduce__(self) -> tuple[type["AssetPack"], tuple[Path]]:
        return type(self), (self.folder.absolute(),)

    def fingerprint_of(self, kinds: Iterable[AssetKind]) -> str:
        """What pictures that take some kinds of assets depend on, as 32 hex digits of SHA-256.

        It is of names, files and corners of these kinds in the order of the manifest, and for paintings and
        textures of the network; not of licences, nor of anything else in the pack.
        """
        wanted = {*kinds}
        digests = (self._digest_of(kind) for kind in ASSET_KINDS if kind in wanted)
        return hashlib.sha256(b"".join(digests)).hexdigest()[:32]

    def names(self, kind: AssetKind) -> tuple[str, ...]:
        """The names of one kind, in the order of the manifest.

        Raises:
            AssetError: The pack has none.
        """
        names = tuple(self.manifest.assets[kind])
        if not names:
            raise self._lacks([kind])
        return names

    def require(self, kinds: Iterable[AssetKind]) -> None:
        """Checks that there are assets of some kinds, and for styles the network that knows them.

        Raises:
            AssetError: The pack lacks some, all of which are named, or its network can't be used.
        """
        wanted = dict.fromkeys(kinds)
        missing = [kind for kind in wanted if not self.manifest.assets[kind]]
        if missing:
            raise self._lacks(missing)
        if not wanted.keys().isdisjoint(STYLE_KINDS):
            _ = self.stylization

    def asset(self, kind: AssetKind, name: str) -> Asset:
        """What the manifest says of an asset; raises UnknownNameError."""
        assets = self.manifest.assets[kind]
        if name not in assets:
            raise UnknownNameError(f"{kind} of {self.folder}", name, assets)
        return assets[name]

    def picture(self, kind: AssetKind, name: str) -> Image.Image:
        """The whole picture of an asset, in mode RGB, of a pattern or text L, of an icon RGBA.

        It is shared and not to be changed.
        """
        asset = self.asset(kind, name)
        return self._kept.get(
            ("file", asset.file, kind),
            lambda: picture_of(self.folder, asset),
            _bytes_of_picture,
        )

    def photo(self, name: str, size: tuple[int, int]) -> Tensor:
        """A photo, cut at the centre to the shape of ``size`` and resized, (3, H, W) in [0, 1]."""
        return self._once(
            ("photo", name, size), lambda: _tensor(_covering(self.picture("photo", name), size))
        )

    def scene(self, name: str, size: tuple[int, int]) -> Scene:
        """A scene, cut at the centre to the shape of ``size`` and resized."""
        return self._once(("scene", name, size), lambda: self._scene(name, size))

    def pattern(self, name: str, side: int) -> Tensor:
        """A pattern's tile, (side, side) in [0, 1]; 1 where it covers. It goes on at all edges."""
        return self._once(
            ("pattern", name, side),
            lambda: _tensor(_resized_tile(self.picture("pattern", name), side))[0],
        )

    def icon(self, name: str, side: int) -> Icon:
        """An icon of ``side`` × ``side`` pixels."""
        return self._once(("icon", name, side), lambda: self._icon(name, side))

    def text(self, name: str, height: int) -> Tensor:
        """A line of text, (height, width) in [0, 1]; 1 inside the letters."""
        return self._once(("text", name, height), lambda: self._text(name, height))

    def patch(self, name: str, side: int) -> Tensor:
        """A patch of ``side`` × ``side`` pixels, (3, side, side) in [0, 1]."""
        return self._once(
            ("patch", name, side),
            lambda: _tensor(self.picture("patch", name).resize((side, side), _AS_OPTIMISED)),
        )

    @cached_property
    def stylization(self) -> Stylization:
        """The network that knows the pack's paintings and textures.

        Raises:
            AssetError: There is none, it can't be used, it doesn't know all of them, or one of their
                pictures was replaced after it was trained.
        """
        styles = {kind: self.manifest.assets[kind] for kind in STYLE_KINDS}
        return network_of(self.folder, self.manifest.stylization, styles)

    def _lacks(self, kinds: Sequence[AssetKind]) -> AssetError:
        styled = any(self.manifest.assets[kind] for kind in STYLE_KINDS)
        # Beside paintings no other pack's textures can be put, as its network doesn't know them.
        to_train = [kind for kind in kinds if styled and kind in STYLE_KINDS]
        elsewhere = [kind for kind in kinds if kind not in to_train]
        remedies = []
        if elsewhere:
            combine = as_typed("assets", "combine", self.folder, "--out", "DIR")
            remedies.append(f"To take {_listed(elsewhere)} from another pack: {combine}")
        if to_train:
            command = ("make", "styles", "--assets", self.folder, "--images", "DIR", "--out", "DIR")
            remedies.append(
                f"Paintings and textures come from one pack; when a {_listed(to_train)} was added, train "
                f"their network: {as_typed(*command)}"
            )
        one = "one" if len(kinds) == 1 else "one of each"
        return AssetError(
            f"{self.folder}: expected at least one {_listed(kinds)}, got none. Add {one}, or leave out the "
            f"obfuscations that take these. {'. '.join(remedies)}"
        )

    def _digest_of(self, kind: AssetKind) -> bytes:
        if kind not in self._digests:
            digest = hashlib.sha256(kind.encode())
            for asset in self.manifest.assets[kind].values():
                files = [asset.file, *filter(None, (asset.foreground,))]
                digest.update(repr((asset.name, asset.corners, len(files))).encode())
                for file in files:
                    digest.update(hashlib.sha256(read_file(self.folder, file)).digest())
            if kind in STYLE_KINDS and self.manifest.stylization is not None:
                content = network_bytes(self.folder, self.manifest.stylization)
                digest.update(hashlib.sha256(content).digest())
            self._digests[kind] = digest.digest()
        return self._digests[kind]

    def _scene(self, name: str, size: tuple[int, int]) -> Scene:
        asset, whole = self.asset("scene", name), self.picture("scene", name)
        height, width = size
        scale = max(width / whole.width, height / whole.height)
        corners = torch.tensor(asset.corners) * torch.tensor([whole.width, whole.height]) * scale
        corners -= torch.tensor([whole.width * scale - width, whole.height * scale - height]) / 2
        over = foreground_of(self.folder, asset, whole.size)
        foreground = torch.zeros(size) if over is None else _tensor(_covering(over, size))[0]
        return Scene(_tensor(_covering(whole, size)), corners, foreground)

    def _icon(self, name: str, side: int) -> Icon:
        # Pillow weighs colours by their opacity here, so that no dark seam appears.
        pixels = _tensor(self.picture("icon", name).resize((side, side), _WITHOUT_OVERSHOOT))
        return Icon(pixels[:3], pixels[3])

    def _text(self, name: str, height: int) -> Tensor:
        letters = self.picture("text", name)
        width = max(1, round(letters.width * height / letters.height))
        return _tensor(letters.resize((width, height), _SMOOTH))[0]

    def _once(self, key: Hashable, make: Callable[[], _Made]) -> _Made:
        """Makes something or takes it from what was made before."""
        return self._kept.get(key, make, _bytes_of_tensors)


@cache
def default_assets() -> AssetPack:
    """The pack that ships with the project, all of it made by the project."""
    return AssetPack(Path(str(resources.files(__package__).joinpath("default"))))


def are_own(kinds: Iterable[AssetKind], fingerprint: str) -> bool:
    """Whether the fingerprint of some kinds of assets isn't that of those that ship."""
    return fingerprint != default_assets().fingerprint_of(kinds)


#: Pillow resizes 8-bit pictures in whole numbers, with the same result everywhere.
_SMOOTH = Image.Resampling.BICUBIC
#: Beside an edge others overshoot, and opacity is clipped there while its colour isn't.
_WITHOUT_OVERSHOOT = Image.Resampling.HAMMING
#: Patches are resized bilinearly while they are optimised; this does the same in whole numbers.
_AS_OPTIMISED = Image.Resampling.BILINEAR


def _listed(kinds: Sequence[AssetKind]) -> str:
    return " and ".join(filter(None, (", ".join(kinds[:-1]), kinds[-1])))


def _covering(image: Image.Image, size: tuple[int, int]) -> Image.Image:
    """The centre of a picture, as large as there is of that shape, resized to (height, width)."""
    height, width = size
    scale = max(width / image.width, height / image.height)
    # Rounding may make it a hair larger than the picture.
    left = max(0.0, (image.width - width / scale) / 2)
    top = max(0.0, (image.height - height / scale) / 2)
    box = (left, top, image.width - left, image.height - top)
    return image.resize((width, height), _SMOOTH, box=box)


def _resized_tile(tile: Image.Image, side: int) -> Image.Image:
    """A tile resized as part of an endless pattern, so that its edges still fit each other."""
    width, height = tile.size
    around = Image.new("L", (3 * width, 3 * height))
    for column in range(3):
        for row in range(3):
            around.paste(tile, (column * width, row * height))
    box = (width, height, 2 * width, 2 * height)
    return around.resize((side, side), _SMOOTH, box=box)


def _tensor(image: Image.Image) -> Tensor:
    """(C, H, W) in [0, 1]."""
    pixels = np.asarray(image)
    pixels = pixels[..., None] if pixels.ndim == 2 else pixels
    return torch.from_numpy(pixels.copy()).permute(2, 0, 1).contiguous().float() / 255


def _bytes_of_tensors(made: Tensor | Scene | Icon) -> int:
    return sum(each.nbytes for each in ((made,) if isinstance(made, Tensor) else made))


def _bytes_of_picture(image: Image.Image) -> int:
    return image.width * image.height * len(image.getbands())
