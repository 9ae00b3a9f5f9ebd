"""A folder of assets, opened: its pictures as tensors, in the size in which they are wanted."""

__all__ = ["AssetPack", "Icon", "Scene", "default_assets"]

import hashlib
from collections.abc import Callable, Hashable
from functools import cache, cached_property
from importlib import resources
from pathlib import Path
from typing import NamedTuple, TypeVar

import numpy as np
import torch
from PIL import Image
from torch import Tensor

from unforeseen.data.decode import decode, to_rgb
from unforeseen.errors import DataError, UnknownNameError
from unforeseen.regular_files import read_regular_file
from unforeseen.transforms.assets.kept import Kept
from unforeseen.transforms.assets.manifest import Asset, AssetKind, read_manifest


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

    Args:
        folder: With a file ``assets.toml``.

    Raises:
        DataError: The folder can't be used.
    """

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.manifest = read_manifest(folder)
        self._kept = Kept()

    def __reduce__(self) -> tuple[type["AssetPack"], tuple[Path]]:
        return type(self), (self.folder,)

    @cached_property
    def fingerprint(self) -> str:
        """32 hex digits of SHA-256 of all pictures and of where they go; not of licences."""
        digest = hashlib.sha256()
        for kind, assets in self.manifest.assets.items():
            for asset in assets.values():
                digest.update(repr((kind, asset.name, asset.corners)).encode())
                for file in filter(None, (asset.file, asset.foreground)):
                    digest.update(hashlib.sha256(self._read(file)).digest())
        return digest.hexdigest()[:32]

    def names(self, kind: AssetKind) -> tuple[str, ...]:
        """The names of one kind, in the order of the manifest.

        Raises:
            DataError: The pack has none.
        """
        names = tuple(self.manifest.assets[kind])
        if not names:
            raise DataError(f"{self.folder}: expected at least one {kind}, got none. Add one.")
        return names

    def photo(self, name: str, size: tuple[int, int]) -> Tensor:
        """A photo, cut at the centre to the shape of ``size`` and resized, (3, H, W) in [0, 1]."""
        return self._once(
            ("photo", name, size), lambda: _tensor(self._fitting("photo", name, size))
        )

    def scene(self, name: str, size: tuple[int, int]) -> Scene:
        """A scene, cut at the centre to the shape of ``size`` and resized."""
        return self._once(("scene", name, size), lambda: self._scene(name, size))

    def pattern(self, name: str, side: int) -> Tensor:
        """A pattern's tile, (side, side) in [0, 1]; 1 where it covers. It goes on at all edges."""
        return self._once(
            ("pattern", name, side), lambda: _tensor(self._grey("pattern", name, (side, side)))[0]
        )

    def icon(self, name: str, side: int) -> Icon:
        """An icon of ``side`` × ``side`` pixels."""
        return self._once(("icon", name, side), lambda: self._icon(name, side))

    def text(self, name: str, height: int) -> Tensor:
        """A line of text, (height, width) in [0, 1]; 1 inside the letters."""
        return self._once(("text", name, height), lambda: self._text(name, height))

    def asset(self, kind: AssetKind, name: str) -> Asset:
        """What the manifest says of an asset; raises UnknownNameError."""
        assets = self.manifest.assets[kind]
        if name not in assets:
            raise UnknownNameError(f"{kind} of {self.folder}", name, assets)
        return assets[name]

    def picture(self, file: str) -> Image.Image:
        """Decodes one of the pack's pictures; raises DataError."""
        try:
            return decode(self._read(file))
        except DataError as error:
            raise DataError(f"{self.folder / file}: {error}") from error

    def _read(self, file: str) -> bytes:
        path = self.folder / file
        try:
            return read_regular_file(path)
        except OSError as error:
            raise DataError(f"{path}: can't be read: {error.strerror or error}.") from error

    def _fitting(self, kind: AssetKind, name: str, size: tuple[int, int]) -> Image.Image:
        return _covering(to_rgb(self._decoded(self.asset(kind, name).file)), size)

    def _grey(self, kind: AssetKind, name: str, size: tuple[int, int]) -> Image.Image:
        height, width = size
        grey = self._decoded(self.asset(kind, name).file).convert("L")
        return grey.resize((width, height), _SMOOTH)

    def _scene(self, name: str, size: tuple[int, int]) -> Scene:
        asset = self.asset("scene", name)
        whole = to_rgb(self._decoded(asset.file))
        height, width = size
        scale = max(width / whole.width, height / whole.height)
        corners = torch.tensor(asset.corners) * torch.tensor([whole.width, whole.height]) * scale
        corners -= torch.tensor([whole.width * scale - width, whole.height * scale - height]) / 2
        foreground = torch.zeros(size)
        if asset.foreground is not None:
            over = self._decoded(asset.foreground).convert("L")
            foreground = _tensor(_covering(over, size))[0]
        return Scene(_tensor(_covering(whole, size)), corners, foreground)

    def _icon(self, name: str, side: int) -> Icon:
        layers = self._decoded(self.asset("icon", name).file).convert("RGBA")
        pixels = _tensor(layers.resize((side, side), _SMOOTH))
        return Icon(pixels[:3], pixels[3])

    def _text(self, name: str, height: int) -> Tensor:
        letters = self._decoded(self.asset("text", name).file).convert("L")
        width = max(1, round(letters.width * height / letters.height))
        return _tensor(letters.resize((width, height), _SMOOTH))[0]

    def _decoded(self, file: str) -> Image.Image:
        """One of the pack's pictures, which isn't to be changed."""
        return self._kept.get(("file", file), lambda: self.picture(file), _bytes_of_picture)

    def _once(self, key: Hashable, make: Callable[[], _Made]) -> _Made:
        """Makes something or takes it from what was made before."""
        return self._kept.get(key, make, _bytes_of_tensors)


@cache
def default_assets() -> AssetPack:
    """The pack that ships with the project, all of it made by the project."""
    return AssetPack(Path(str(resources.files(__package__).joinpath("default"))))


#: Pillow resizes 8-bit pictures in whole numbers, with the same result everywhere.
_SMOOTH = Image.Resampling.BICUBIC


def _covering(image: Image.Image, size: tuple[int, int]) -> Image.Image:
    """The centre of a picture, as large as there is of that shape, resized to (height, width)."""
    height, width = size
    scale = max(width / image.width, height / image.height)
    left, top = (image.width - width / scale) / 2, (image.height - height / scale) / 2
    box = (left, top, image.width - left, image.height - top)
    return image.resize((width, height), _SMOOTH, box=box)


def _tensor(image: Image.Image) -> Tensor:
    """(C, H, W) in [0, 1]."""
    pixels = np.asarray(image)
    pixels = pixels[..., None] if pixels.ndim == 2 else pixels
    return torch.from_numpy(pixels.copy()).permute(2, 0, 1).contiguous().float() / 255


def _bytes_of_tensors(made: Tensor | Scene | Icon) -> int:
    return sum(each.nbytes for each in ((made,) if isinstance(made, Tensor) else made))


def _bytes_of_picture(image: Image.Image) -> int:
    return image.width * image.height * len(image.getbands())
