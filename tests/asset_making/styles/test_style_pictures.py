"""Style pictures: from folders by the names of files, or from a pack by its manifest."""

from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from data.in_memory import noise
from made_assets import PAINTINGS, TEXTURES, made_assets
from unforeseen.asset_making.styles.style_pictures import styles_of_folders, styles_of_pack
from unforeseen.errors import AssetError
from unforeseen.transforms.assets.manifest import MANIFEST_FILE


def folder(at: Path, *names: str) -> Path:
    at.mkdir()
    for name in names:
        Image.fromarray(noise(300, 400)).save(at / name)
    return at


def test_pictures_of_folders_come_by_name_paintings_first(tmp_path: Path) -> None:
    textures = folder(tmp_path / "t", "rust.png", "bark.jpg")
    (textures / "notes.txt").write_text("not a picture")
    paintings = folder(tmp_path / "p", "night.PNG")
    styles = styles_of_folders({"texture": textures, "painting": paintings})
    assert [(each.kind, each.name) for each in styles] == [
        ("painting", "night"),
        ("texture", "bark"),
        ("texture", "rust"),
    ]


@pytest.mark.parametrize(
    ("size", "expected"),
    [((512, 512), (256, 256)), ((100, 300), (256, 512)), ((64, 80), (256, 320))],
)
def test_the_shorter_side_becomes_256_pixels_and_the_longer_at_most_512(
    size: tuple[int, int], expected: tuple[int, int], tmp_path: Path
) -> None:
    pixels = np.full((*size, 3), (255, 51, 0), dtype=np.uint8)
    Image.fromarray(pixels).save(folder(tmp_path / "p") / "red.png")
    (style,) = styles_of_folders({"painting": tmp_path / "p"})
    assert style.image.shape == (3, *expected)
    np.testing.assert_allclose(style.image.mean((1, 2)), [1, 0.2, 0], atol=1e-6)


def test_a_packs_styles_are_those_of_its_manifest_in_its_order(tmp_path: Path) -> None:
    pack = made_assets(tmp_path / "pack")
    styles = styles_of_pack(pack.folder)
    assert [each.name for each in styles] == [*PAINTINGS, *TEXTURES]


def test_licence_and_source_come_from_a_packs_manifest(tmp_path: Path) -> None:
    pack = made_assets(tmp_path / "pack")
    for style in styles_of_pack(pack.folder):
        there = pack.asset(style.kind, style.name)
        assert (style.asset.licence, style.asset.source) == (there.licence, there.source)
        assert style.asset.file == f"{style.kind}s/{style.name}.png"
        assert style.content == (pack.folder / there.file).read_bytes()


def test_what_cannot_be_a_style_is_said(tmp_path: Path) -> None:
    with pytest.raises(AssetError, match="expected pictures of styles, found none"):
        styles_of_folders({"painting": folder(tmp_path / "empty")})
    with pytest.raises(AssetError, match="nowhere: can't be read"):
        styles_of_folders({"painting": tmp_path / "nowhere"})
    with pytest.raises(AssetError, match="expected a name of small letters"):
        styles_of_folders({"painting": folder(tmp_path / "odd", "My Picture.png")})
    with pytest.raises(AssetError, match=r"aux\.jpg: .* one of Windows' devices"):
        styles_of_folders({"painting": folder(tmp_path / "device", "aux.jpg")})
    with pytest.raises(AssetError, match="two pictures have the same name"):
        styles_of_folders({"painting": folder(tmp_path / "twice", "a.png", "a.jpg")})
    broken = folder(tmp_path / "broken")
    (broken / "a.png").write_bytes(b"<html>")
    with pytest.raises(AssetError, match=r"a\.png: not a picture"):
        styles_of_folders({"texture": broken})
    bare = tmp_path / "bare"
    bare.mkdir()
    (bare / MANIFEST_FILE).write_text("schema = 1\n")
    with pytest.raises(AssetError, match="expected paintings or textures, got none"):
        styles_of_pack(bare)
