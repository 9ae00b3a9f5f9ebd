"""What a sheet shows of a pack: every asset, and a photo as patches and styles change it."""

from pathlib import Path

import numpy as np
import pytest
import torch
from numpy.typing import NDArray
from PIL import Image

from made_assets import (
    BARE_SCENE,
    COVERED_SCENE,
    PAINTINGS,
    PLACED_SCENE,
    TEXTURES,
    made_assets,
    without_network,
)
from unforeseen.asset_check.sheet import orientation_card, sections_of
from unforeseen.errors import AssetError
from unforeseen.pixels import pixels_of
from unforeseen.report.sheet import SheetPicture
from unforeseen.stylization.names import StyleKind
from unforeseen.transforms.assets.pack import AssetPack, default_assets


@pytest.fixture
def pack(tmp_path: Path) -> AssetPack:
    return made_assets(tmp_path / "pack")


def shown(pack: AssetPack, name: str) -> SheetPicture:
    pictures = [each for section in sections_of(pack) for each in section.pictures]
    (found,) = (each for each in pictures if each.name == name)
    return found


@pytest.mark.parametrize("default", [True, False])
def test_every_asset_is_shown_once_and_those_of_a_kind_in_one_shape(
    pack: AssetPack, default: bool
) -> None:
    each = default_assets() if default else pack
    sections = sections_of(each)
    names = [name for assets in each.manifest.assets.values() for name in assets]
    assert [picture.name for section in sections for picture in section.pictures] == names
    for section in sections:
        assert len({picture.pixels.shape for picture in section.pictures}) == 1


def test_a_scene_shows_where_its_picture_goes_and_what_lies_over_it(pack: AssetPack) -> None:
    bare, covered = shown(pack, BARE_SCENE), shown(pack, COVERED_SCENE)
    card = (orientation_card(224) * 255).round().permute(1, 2, 0).numpy()
    scene = (pack.scene(COVERED_SCENE, (224, 224)).image * 255).round().permute(1, 2, 0).numpy()
    # Along the edges, half of each pixel's antialiasing is the scene.
    inside = (slice(1, -1), slice(1, -1))
    assert np.abs(bare.pixels[inside] - card[inside]).max() <= 1
    assert np.array_equal(covered.pixels, scene)
    outline = shown(pack, PLACED_SCENE).outline
    assert outline is not None
    expected = np.array([[0.3, 0.2], [0.7, 0.3], [0.65, 0.8], [0.2, 0.7]]) * 224
    assert np.allclose(outline, expected, atol=1e-3)


def test_the_card_tells_every_turn_and_mirror_image_apart() -> None:
    card = orientation_card(64)
    corners = [tuple(card[:, y, x].tolist()) for y, x in ((5, 5), (5, 60), (60, 60), (60, 5))]
    assert len(set(corners)) == 4


def test_a_pattern_is_shown_as_two_by_two_tiles(pack: AssetPack) -> None:
    pixels = shown(pack, "checks").pixels
    assert np.array_equal(pixels[:112], pixels[112:])
    assert np.array_equal(pixels[:, :112], pixels[:, 112:])


def test_an_icon_lies_on_grey(pack: AssetPack) -> None:
    pixels = shown(pack, "disc").pixels
    assert pixels[0, 0].tolist() == [128] * 3
    assert pixels[112, 112].tolist() == [200, 40, 90]


def photo() -> NDArray[np.uint8]:
    """What styles and patches are shown on: the first photo of the program's own pack."""
    return pixels_of(default_assets().photo("mountain-lake", (224, 224)))


@pytest.mark.parametrize(
    ("kind", "name"),
    [*(("painting", each) for each in PAINTINGS), *(("texture", each) for each in TEXTURES)],
)
def test_beside_a_style_stands_the_programs_photo_as_the_network_shows_it(
    pack: AssetPack, kind: StyleKind, name: str
) -> None:
    pixels = shown(pack, name).pixels
    whole = Image.fromarray(photo()).resize((336, 336), Image.Resampling.BILINEAR)
    seen = torch.from_numpy(np.array(whole)).permute(2, 0, 1).float() / 255
    made = pixels_of(pack.stylization.stylise(seen, kind, name))
    expected = np.array(Image.fromarray(made).resize((224, 224), Image.Resampling.BOX))
    # Two ways to resize: alike in the mean, and far from the photo as it was.
    right = pixels[:, -224:].astype(float)
    assert np.abs(right - expected).mean() < np.abs(right - photo()).mean() / 3
    assert pixels.shape == (224, 454, 3)


def test_beside_a_patch_stands_the_photo_with_it_in_all_four_corners(pack: AssetPack) -> None:
    (name, *_) = pack.names("patch")
    pixels = shown(pack, name).pixels
    assert np.array_equal(pixels[:, :224], pixels_of(pack.patch(name, 224)))
    right, corner = pixels[:, -224:], pixels_of(pack.patch(name, 50))
    for rows in (slice(50), slice(-50, None)):
        for columns in (slice(50), slice(-50, None)):
            assert np.array_equal(right[rows, columns], corner)


def test_styles_of_a_pack_without_a_network_are_shown_alone_and_it_is_said_why(
    tmp_path: Path,
) -> None:
    bare = without_network(tmp_path)
    assert shown(bare, PAINTINGS[0]).pixels.shape == (224, 224, 3)
    titles = [each.title for each in sections_of(bare) if each.pictures[0].name in PAINTINGS]
    assert titles == [
        "Paintings, alone: the pack has no network that shows pictures in their style"
    ]


def test_paintings_and_textures_are_shown_in_one_size(pack: AssetPack) -> None:
    sections = {each.title.split(";")[0]: each for each in sections_of(pack)}
    shapes = {
        (sections[each].in_a_row, sections[each].pictures[0].pixels.shape)
        for each in ("Adversarial patches", "Paintings", "Textures")
    }
    assert len(shapes) == 1


def test_an_asset_that_cannot_be_used_is_an_error_that_names_it(pack: AssetPack) -> None:
    (pack.folder / "photo-noise.png").unlink()
    with pytest.raises(AssetError, match=r"photo-noise\.png"):
        sections_of(AssetPack(pack.folder))


def test_a_pack_without_assets_is_said_to_have_none(tmp_path: Path) -> None:
    (tmp_path / "assets.toml").write_text("schema = 1\n", encoding="utf-8")
    with pytest.raises(AssetError, match="at least one asset to show"):
        sections_of(AssetPack(tmp_path))
