"""All assets of a pack, and beside what changes a picture as a whole a photo that it changed."""

__all__ = ["orientation_card", "sections_of"]

from collections.abc import Callable
from typing import NamedTuple

import numpy as np
import torch
from PIL import ImageOps
from torch import Tensor

from unforeseen.errors import AssetError
from unforeseen.pixels import pixels_of
from unforeseen.report.sheet import Section, SheetPicture
from unforeseen.rng import Stream
from unforeseen.stylization.names import StyleKind
from unforeseen.transforms.assets.manifest import AssetKind
from unforeseen.transforms.assets.pack import AssetPack, default_assets
from unforeseen.transforms.obfuscations.adversarial_patches import AdversarialPatches
from unforeseen.transforms.obfuscations.perspective_composition import (
    PerspectiveComposition,
    PerspectiveCompositionParameters,
)
from unforeseen.transforms.obfuscations.stylized import in_style, stylized_size

# In pixels: what benchmarks of the paper's size show, and a strip of letters.
_SIDE = 224
_STRIP = (48, 540)
_GAP = 6
_GREY = 0.5
_DARK = 0.2
#: By which pictures are enlarged to be stylised, as StyleTransfer and Texturize do on average.
_FACTOR = 1.5


class _Shown(NamedTuple):
    """How the assets of a kind are shown."""

    title: str
    in_a_row: int
    picture: Callable[[AssetPack, str], SheetPicture]


def sections_of(pack: AssetPack) -> list[Section]:
    """A section for each kind that the pack has.

    Raises:
        AssetError: An asset or the network for styles can't be used, or there is no asset.
    """
    shown_as = _KINDS if pack.manifest.stylization is not None else _KINDS | _WITHOUT_NETWORK
    sections = [
        Section(shown.title, shown.in_a_row, [shown.picture(pack, name) for name in names])
        for kind, shown in shown_as.items()
        if (names := tuple(pack.manifest.assets[kind]))
    ]
    if not sections:
        raise AssetError(f"{pack.folder}: expected at least one asset to show, got none. Add one.")
    return sections


def orientation_card(side: int) -> Tensor:
    """A picture that shows how it was turned: a red, a green, a blue and a yellow quarter, clockwise.

    Args:
        side: In pixels.

    Returns:
        (3, side, side) in [0, 1].
    """
    places = (torch.arange(side) + 0.5) / side
    down, across = torch.meshgrid(places, places, indexing="ij")
    colours = torch.tensor([[0.9, 0.1, 0.1], [0.1, 0.7, 0.2], [0.1, 0.2, 0.9], [0.95, 0.85, 0.1]])
    quarter = torch.where(down < 0.5, (across >= 0.5).long(), torch.where(across >= 0.5, 2, 3))
    card = colours[quarter].permute(2, 0, 1)
    lines = ((across * 8) % 1 < 0.08) | ((down * 8) % 1 < 0.08)
    ring = ((across - 0.5).hypot(down - 0.5) - 0.3).abs() < 0.03
    return torch.where(ring, 0.05, torch.where(lines, 1.0, card))


def _photo(pack: AssetPack, name: str) -> SheetPicture:
    return _shown(name, pack.photo(name, (_SIDE, _SIDE)))


def _scene(pack: AssetPack, name: str) -> SheetPicture:
    parameters = PerspectiveCompositionParameters(scene=name)
    placed = PerspectiveComposition().apply(orientation_card(_SIDE), parameters, pack)
    return _shown(name, placed, pack.scene(name, (_SIDE, _SIDE)).corners)


def _pattern(pack: AssetPack, name: str) -> SheetPicture:
    return _shown(name, pack.pattern(name, _SIDE // 2).repeat(3, 2, 2))


def _icon(pack: AssetPack, name: str) -> SheetPicture:
    icon = pack.icon(name, _SIDE)
    return _shown(name, _GREY + icon.opacity * (icon.image - _GREY))


def _patch(pack: AssetPack, name: str) -> SheetPicture:
    laid = AdversarialPatches()
    parameters = laid.sample_for(name, Stream(0, "assets preview"), (_SIDE, _SIDE))
    return _beside(name, pack.patch(name, _SIDE), laid.apply(_any_photo(), parameters, pack))


def _text(pack: AssetPack, name: str) -> SheetPicture:
    height, width = _STRIP
    letters = pack.text(name, height)
    strip = letters.repeat(3, 1, -(-width // letters.shape[1]))[..., :width]
    return _shown(name, _DARK + (1 - _DARK) * strip)


def _style(kind: StyleKind) -> Callable[[AssetPack, str], SheetPicture]:
    def picture(pack: AssetPack, name: str) -> SheetPicture:
        photo = _any_photo()
        size = stylized_size(_FACTOR, (_SIDE, _SIDE))
        return _beside(name, _cut(pack, kind, name), in_style(photo, kind, name, size, pack))

    return picture


def _bare_style(kind: StyleKind) -> Callable[[AssetPack, str], SheetPicture]:
    return lambda pack, name: _shown(name, _cut(pack, kind, name))


def _cut(pack: AssetPack, kind: StyleKind, name: str) -> Tensor:
    """The centre of a style's picture."""
    pixels = np.array(ImageOps.fit(pack.picture(kind, name), (_SIDE, _SIDE)))
    return torch.from_numpy(pixels).permute(2, 0, 1).float() / 255


def _any_photo() -> Tensor:
    """The same for every pack, as many have none."""
    program = default_assets()
    return program.photo(program.names("photo")[0], (_SIDE, _SIDE))


def _beside(name: str, asset: Tensor, changed: Tensor) -> SheetPicture:
    gap = torch.ones(3, _SIDE, _GAP)
    return _shown(name, torch.cat([asset, gap, changed], dim=2))


def _shown(name: str, image: Tensor, outline: Tensor | None = None) -> SheetPicture:
    return SheetPicture(name, pixels_of(image), None if outline is None else outline.numpy())


_KINDS: dict[AssetKind, _Shown] = {
    "photo": _Shown("Photos", 5, _photo),
    "scene": _Shown(
        "Scenes, with a card whose upper left quarter is red and lower right quarter blue",
        7,
        _scene,
    ),
    "pattern": _Shown("Patterns, 2 × 2 tiles each: white covers", 9, _pattern),
    "icon": _Shown("Icons", 10, _icon),
    "text": _Shown("Texts, repeated", 3, _text),
    "patch": _Shown(
        "Adversarial patches; on the right a photo as AdversarialPatches shows it", 4, _patch
    ),
    "painting": _Shown(
        "Paintings; on the right a photo as StyleTransfer shows it", 4, _style("painting")
    ),
    "texture": _Shown("Textures; on the right a photo as Texturize shows it", 4, _style("texture")),
}
_ALONE = "alone: the pack has no network that shows pictures in their style"
_WITHOUT_NETWORK: dict[AssetKind, _Shown] = {
    "painting": _Shown(f"Paintings, {_ALONE}", 8, _bare_style("painting")),
    "texture": _Shown(f"Textures, {_ALONE}", 8, _bare_style("texture")),
}
