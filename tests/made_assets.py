"""A small pack of assets, drawn here: two of each kind and scenes whose result has a closed form."""

__all__ = [
    "BARE_SCENE",
    "COVERED_SCENE",
    "PAINTINGS",
    "PLACED_SCENE",
    "TEXTURES",
    "made_assets",
    "without_network",
]

import hashlib
from dataclasses import replace
from functools import cache
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from PIL import Image

from made_stylization import made_stylization
from unforeseen.stylization.names import StyleNames
from unforeseen.stylization.weights import stylization_bytes
from unforeseen.transforms.assets.pack import AssetPack

#: A picture fills it, and nothing lies over the picture.
BARE_SCENE = "bare"
#: A picture would fill it, but the scene lies over all of it.
COVERED_SCENE = "covered"
#: A picture goes into a quadrangle, whose upper half the scene covers.
PLACED_SCENE = "placed"

_WHOLE = "[[0, 0], [1, 0], [1, 1], [0, 1]]"
_QUADRANGLE = "[[0.3, 0.2], [0.7, 0.3], [0.65, 0.8], [0.2, 0.7]]"
_SIDE = 96

PAINTINGS, TEXTURES = ("strokes", "dots"), ("bricks", "bark")


def made_assets(folder: Path) -> AssetPack:
    """Writes a pack into a folder, which may be there already, and opens it."""
    folder.mkdir(parents=True, exist_ok=True)
    generator = np.random.default_rng(0)

    def noise(*shape: int) -> NDArray[np.uint8]:
        return generator.integers(0, 256, shape, dtype=np.uint8)

    def save(name: str, pixels: NDArray[np.uint8]) -> None:
        Image.fromarray(pixels).save(folder / name)

    tables = ["schema = 1"]

    def add(kind: str, name: str, pixels: NDArray[np.uint8], *lines: str) -> None:
        save(f"{kind}-{name}.png", pixels)
        tables.append(f'[{kind}.{name}]\nfile = "{kind}-{name}.png"\nlicence = "CC0-1.0"')
        tables.append('source = "drawn by the tests"')
        tables.extend(lines)

    for name in ("noise", "haze"):
        add("photo", name, noise(_SIDE, 128, 3))
    upper_half = np.zeros((_SIDE, _SIDE), dtype=np.uint8)
    upper_half[: _SIDE // 2] = 255
    save("upper-half.png", upper_half)
    save("white.png", np.full((_SIDE, _SIDE), 255, dtype=np.uint8))
    for name, corners, foreground in (
        (BARE_SCENE, _WHOLE, None),
        (COVERED_SCENE, _WHOLE, "white.png"),
        (PLACED_SCENE, _QUADRANGLE, "upper-half.png"),
    ):
        over = [] if foreground is None else [f'foreground = "{foreground}"']
        add("scene", name, noise(_SIDE, _SIDE, 3), f"corners = {corners}", *over)

    rows, columns = np.mgrid[:64, :64]
    add("pattern", "checks", ((rows // 16 + columns // 16) % 2 * 255).astype(np.uint8))
    add("pattern", "stripes", (rows // 16 % 2 * 255).astype(np.uint8))

    disc = np.hypot(rows - 31.5, columns - 31.5) < 28
    for name, colour in (("disc", (200, 40, 90)), ("coin", (220, 180, 30))):
        icon = np.zeros((64, 64, 4), dtype=np.uint8)
        icon[disc] = (*colour, 255)
        add("icon", name, icon)

    bars = np.zeros((64, 160), dtype=np.uint8)
    bars[12:52, (np.arange(160) // 8) % 2 == 0] = 255
    for name in ("static", "hum"):
        add("patch", name, noise(64, 64, 3))
    add("text", "bars", bars)
    add("text", "block", np.pad(np.full((40, 100), 255, dtype=np.uint8), ((12, 12), (0, 12))))

    for kind, names in (("painting", PAINTINGS), ("texture", TEXTURES)):
        for name in names:
            add(kind, name, noise(48, 56, 3))
    files = [
        hashlib.sha256((folder / f"{kind}-{name}.png").read_bytes()).hexdigest()
        for kind, names in (("painting", PAINTINGS), ("texture", TEXTURES))
        for name in names
    ]
    (folder / "stylization.safetensors").write_bytes(_weights(tuple(files)))
    tables.append('[stylization]\nweights = "stylization.safetensors"')
    tables.append('licence = "CC0-1.0"\nsource = "drawn by the tests"')

    (folder / "assets.toml").write_text("\n".join(tables) + "\n", encoding="utf-8")
    return AssetPack(folder)


def without_network(folder: Path) -> AssetPack:
    """The same pack, but without the network that knows its paintings and textures."""
    made_assets(folder)
    manifest = folder / "assets.toml"
    head, _, _ = manifest.read_text(encoding="utf-8").partition("[stylization]")
    manifest.write_text(head, encoding="utf-8")
    return AssetPack(folder)


@cache
def _weights(files: tuple[str, ...]) -> bytes:
    names = StyleNames(paintings=PAINTINGS, textures=TEXTURES)
    return stylization_bytes(replace(made_stylization(names), files=files), {"seed": 0})
