"""A pack of assets: its pictures in the size that is asked for, and what it does with wrong ones."""

import pickle
import re
import shutil
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
import torch
from PIL import Image

from made_assets import BARE_SCENE, PLACED_SCENE, made_assets
from unforeseen.asset_making.combined_pack import combine_packs
from unforeseen.errors import AssetError, UnknownNameError
from unforeseen.ops.resizing import resize
from unforeseen.stylization.names import STYLE_KINDS
from unforeseen.stylization.weights import stylization_bytes
from unforeseen.transforms.assets.manifest import ASSET_KINDS, AssetKind
from unforeseen.transforms.assets.pack import AssetPack, default_assets
from unforeseen.typed_command import as_typed


@pytest.fixture
def pack(tmp_path: Path) -> AssetPack:
    return made_assets(tmp_path / "pack")


def test_photos_are_cut_at_the_centre_to_the_shape_that_is_asked_for(pack: AssetPack) -> None:
    whole = np.asarray(Image.open(pack.folder / "photo-noise.png"))
    height, width = whole.shape[:2]
    left = (width - height) // 2
    square = pack.photo("noise", (height, height))
    assert (square * 255).round().permute(1, 2, 0).tolist() == whole[
        :, left : left + height
    ].tolist()


@pytest.mark.parametrize("size", [(32, 32), (33, 47), (224, 224), (61, 300), (1, 500), (500, 1)])
def test_every_size_is_as_asked_and_in_range(pack: AssetPack, size: tuple[int, int]) -> None:
    height, width = size
    photo, scene = pack.photo("noise", size), pack.scene(PLACED_SCENE, size)
    assert photo.shape == scene.image.shape == (3, height, width)
    assert scene.foreground.shape == size
    assert pack.pattern("checks", height).shape == (height, height)
    icon = pack.icon("disc", width)
    assert icon.image.shape == (3, width, width)
    assert icon.opacity.shape == (width, width)
    assert pack.text("bars", height).shape == (height, max(1, round(160 * height / 64)))
    for tensor in (photo, scene.image, scene.foreground, icon.image, icon.opacity):
        assert tensor.dtype == torch.float32
        assert tensor.min() >= 0
        assert tensor.max() <= 1


@pytest.mark.parametrize("side", range(1, 300, 7))
def test_pictures_of_any_shape_are_cut_without_a_crash(pack: AssetPack, side: int) -> None:
    """What is cut may be a hair larger than the picture by rounding alone."""
    for size in ((side, 224), (224, side), (side, side)):
        assert pack.photo("noise", size).shape == (3, *size)


def test_corners_of_a_scene_go_where_its_pixels_go(pack: AssetPack) -> None:
    """The scene is square: in a wide picture it is as wide, and cut above and below."""
    corners = pack.scene(BARE_SCENE, (100, 200)).corners
    torch.testing.assert_close(
        corners, torch.tensor([[0.0, -50.0], [200.0, -50.0], [200.0, 150.0], [0.0, 150.0]])
    )


def test_the_foreground_lies_where_the_scene_has_it(pack: AssetPack) -> None:
    foreground = pack.scene(PLACED_SCENE, (96, 96)).foreground
    assert (foreground[:48] == 1).all()
    assert (foreground[48:] == 0).all()
    assert (pack.scene(BARE_SCENE, (96, 96)).foreground == 0).all()


@pytest.mark.parametrize("side", [16, 31, 40, 77, 200])
def test_a_resized_tile_still_goes_on_at_its_edges(side: int) -> None:
    """Shifting a tile by half and resizing is resizing and shifting: no edge is special."""
    pack = default_assets()
    for name in ("waves", "honeycomb"):
        tile = pack.picture("pattern", name)
        shifted = Image.fromarray(np.roll(np.asarray(tile), 128, (0, 1)))
        around = np.tile(np.asarray(shifted), (3, 3))
        box = (256 + 128, 256 + 128, 512 + 128, 512 + 128)
        expected = Image.fromarray(around).resize((side, side), Image.Resampling.BICUBIC, box=box)
        got = (pack.pattern(name, side) * 255).round()
        assert np.array_equal(got.numpy(), np.asarray(expected))


def test_icons_have_no_seam_of_the_colour_of_transparent_places(pack: AssetPack) -> None:
    """The disc has one colour; what is transparent around it is black and must not come through."""
    icon = pack.icon("disc", 24)
    colour = torch.tensor([200, 40, 90]).reshape(3, 1, 1) / 255
    # As it is seen: rounding to 8 bits changes colours more where they are nearly transparent.
    assert ((icon.image - colour) * icon.opacity).abs().max() < 4 / 255


@pytest.mark.parametrize("side", [16, 50, 64, 90])
def test_patches_are_resized_as_while_they_are_optimised(pack: AssetPack, side: int) -> None:
    """But for rounding to 8 bits, once for each direction."""
    whole = pack.patch("static", 64)
    difference = (pack.patch("static", side) - resize(whole, (side, side))).abs().max()
    assert difference <= (0 if side == 64 else 1 / 255 + 1e-6)


def test_the_same_tensor_comes_again(pack: AssetPack) -> None:
    assert pack.photo("noise", (64, 64)) is pack.photo("noise", (64, 64))
    assert pack.pattern("checks", 16) is pack.pattern("checks", 16)


def test_threads_get_what_one_gets(tmp_path: Path) -> None:
    one, shared = made_assets(tmp_path / "one"), made_assets(tmp_path / "two")

    def ask(number: int) -> bool:
        size = (32 + number % 5, 40)
        return torch.equal(one.photo("noise", size), shared.photo("noise", size)) and torch.equal(
            one.icon("disc", size[0]).image, shared.icon("disc", size[0]).image
        )

    with ThreadPoolExecutor(8) as threads:
        assert all(threads.map(ask, range(200)))


def test_it_goes_to_another_process_as_its_folder(
    pack: AssetPack, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A relative folder still leads there from where the other process works."""
    monkeypatch.chdir(pack.folder.parent)
    pickled = pickle.dumps(AssetPack(Path("pack")))
    monkeypatch.chdir(pack.folder)
    other = pickle.loads(pickled)
    assert len(pickled) < 1000
    assert other.fingerprint_of(ASSET_KINDS) == pack.fingerprint_of(ASSET_KINDS)
    assert torch.equal(other.photo("noise", (32, 32)), pack.photo("noise", (32, 32)))


def changed_licence(folder: Path) -> None:
    replace_in_manifest(folder, "CC0-1.0", "MIT")


def changed_pixel(folder: Path) -> None:
    with Image.open(folder / "photo-haze.png") as picture:
        picture.putpixel((0, 0), (1, 2, 3))
        picture.save(folder / "photo-haze.png")


def changed_foreground(folder: Path) -> None:
    Image.new("L", (96, 96), 7).save(folder / "upper-half.png")


def changed_name(folder: Path) -> None:
    replace_in_manifest(folder, "[icon.coin]", "[icon.money]")


def changed_corner(folder: Path) -> None:
    replace_in_manifest(folder, "[0.3, 0.2]", "[0.3, 0.21]")


def without_foreground(folder: Path) -> None:
    replace_in_manifest(folder, 'foreground = "upper-half.png"', "")


def replace_in_manifest(folder: Path, old: str, new: str) -> None:
    text = (folder / "assets.toml").read_text(encoding="utf-8")
    assert old in text
    (folder / "assets.toml").write_text(text.replace(old, new), encoding="utf-8")


@pytest.mark.parametrize(
    "change",
    [changed_pixel, changed_foreground, changed_name, changed_corner, without_foreground],
)
def test_the_fingerprint_is_of_what_changes_pictures(
    pack: AssetPack, change: Callable[[Path], None]
) -> None:
    before = pack.fingerprint_of(ASSET_KINDS)
    assert len(before) == 32
    change(pack.folder)
    assert AssetPack(pack.folder).fingerprint_of(ASSET_KINDS) != before


def test_the_fingerprint_of_a_kind_is_of_that_kind_alone(pack: AssetPack) -> None:
    """Else results would be lost when what they never took is replaced."""
    before = {kind: pack.fingerprint_of([kind]) for kind in ASSET_KINDS}
    assert len(set(before.values())) == len(ASSET_KINDS)
    for kind in ASSET_KINDS:
        file = pack.folder / next(iter(pack.manifest.assets[kind].values())).file
        content = file.read_bytes()
        file.write_bytes(content + b"\0")
        after = AssetPack(pack.folder)
        changed = {each for each in ASSET_KINDS if after.fingerprint_of([each]) != before[each]}
        assert changed == {kind}
        file.write_bytes(content)


def test_the_network_belongs_to_paintings_and_textures_alone(pack: AssetPack) -> None:
    before = {kind: pack.fingerprint_of([kind]) for kind in ASSET_KINDS}
    network = pack.stylization
    (pack.folder / "stylization.safetensors").write_bytes(stylization_bytes(network, {"seed": 1}))
    after = AssetPack(pack.folder)
    changed = {each for each in ASSET_KINDS if after.fingerprint_of([each]) != before[each]}
    assert changed == {"painting", "texture"}


def test_a_fingerprint_of_several_kinds_is_of_each_of_them_in_any_order(pack: AssetPack) -> None:
    both = pack.fingerprint_of(["icon", "photo", "icon"])
    assert both == pack.fingerprint_of(["photo", "icon"])
    assert len({both, pack.fingerprint_of(["photo"]), pack.fingerprint_of(["icon"])}) == 3
    (pack.folder / "text-bars.png").unlink()
    assert AssetPack(pack.folder).fingerprint_of(["photo", "icon"]) == both


def test_the_fingerprint_is_not_of_licences_nor_of_where_the_folder_lies(pack: AssetPack) -> None:
    moved = pack.folder.parent / "moved"
    shutil.copytree(pack.folder, moved)
    changed_licence(moved)
    assert AssetPack(moved).fingerprint_of(ASSET_KINDS) == pack.fingerprint_of(ASSET_KINDS)


def test_the_fingerprint_depends_on_the_order_that_draws_choose_from(pack: AssetPack) -> None:
    text = (pack.folder / "assets.toml").read_text(encoding="utf-8")
    first, second = text.index("[icon.disc]"), text.index("[icon.coin]")
    end = text.index("[text.bars]")
    swapped = text[:first] + text[second:end] + text[first:second] + text[end:]
    (pack.folder / "assets.toml").write_text(swapped, encoding="utf-8")
    assert AssetPack(pack.folder).names("icon") == ("coin", "disc")
    assert AssetPack(pack.folder).fingerprint_of(ASSET_KINDS) != pack.fingerprint_of(ASSET_KINDS)


def test_a_foreground_of_another_size_than_its_scene_is_refused(pack: AssetPack) -> None:
    Image.new("L", (95, 96)).save(pack.folder / "upper-half.png")
    with pytest.raises(AssetError, match=r"expected 96 × 96 pixels .* got 95 × 96"):
        pack.scene(PLACED_SCENE, (64, 64))


@pytest.mark.parametrize("kind", ["pattern", "icon"])
def test_tiles_and_icons_that_are_not_square_are_refused(pack: AssetPack, kind: str) -> None:
    name = {"pattern": "checks", "icon": "disc"}[kind]
    Image.new("L", (64, 60)).save(pack.folder / f"{kind}-{name}.png")
    with pytest.raises(AssetError, match="expected a square, got 64 × 60"):
        pack.pattern(name, 16) if kind == "pattern" else pack.icon(name, 16)


def test_a_text_so_long_that_a_high_line_would_fill_the_memory_is_refused(pack: AssetPack) -> None:
    Image.new("L", (16_000_000, 1)).save(pack.folder / "text-bars.png")
    with pytest.raises(AssetError, match="at most 32 times as long as high"):
        pack.text("bars", 28)


def test_unknown_names_and_kinds_that_are_not_there_are_said(
    pack: AssetPack, tmp_path: Path
) -> None:
    with pytest.raises(UnknownNameError, match="Did you mean noise"):
        pack.photo("nois", (32, 32))
    (tmp_path / "assets.toml").write_text("schema = 1\n", encoding="utf-8")
    for kind in ASSET_KINDS:
        with pytest.raises(AssetError, match=f"at least one {kind}, got none"):
            AssetPack(tmp_path).names(kind)


def test_all_kinds_that_a_pack_lacks_are_named_at_once(tmp_path: Path) -> None:
    (tmp_path / "assets.toml").write_text("schema = 1\n", encoding="utf-8")
    with pytest.raises(AssetError, match="at least one photo, icon and patch, got none") as raised:
        AssetPack(tmp_path).require(("photo", "icon", "photo", "patch"))
    assert "\n" not in str(raised.value)


@pytest.mark.parametrize("lacking", STYLE_KINDS)
def test_a_pack_of_one_kind_of_styles_is_told_to_train_and_not_to_be_combined(
    pack: AssetPack, tmp_path: Path, lacking: AssetKind
) -> None:
    """Combining never puts another pack's textures beside paintings; what is advised must help."""
    manifest = pack.folder / "assets.toml"
    kept = re.sub(
        rf"\[({lacking}|icon)\.[\s\S]*?(?=\n\[)", "", manifest.read_text(encoding="utf-8")
    )
    manifest.write_text(kept, encoding="utf-8")
    poor = AssetPack(pack.folder)
    with pytest.raises(AssetError, match="got none") as raised:
        poor.require([lacking])
    assert as_typed("make", "styles", "--assets", poor.folder) in str(raised.value)
    assert "combine" not in str(raised.value)
    with pytest.raises(AssetError, match=f"at least one icon and {lacking}, got none") as raised:
        poor.require(["icon", lacking])
    assert "To take icon from another pack: unforeseen assets combine" in str(raised.value)
    assert f"when a {lacking} was added, train" in str(raised.value)
    made = combine_packs([poor.folder], tmp_path / "combined").pack
    made.require(["icon"])
    with pytest.raises(AssetError, match=f"at least one {lacking}"):
        made.require([lacking])


def test_commands_that_are_advised_can_be_typed_where_a_folder_has_spaces(tmp_path: Path) -> None:
    folder = tmp_path / "my pack"
    folder.mkdir()
    (folder / "assets.toml").write_text("schema = 1\n", encoding="utf-8")
    with pytest.raises(AssetError, match="got none") as lacking:
        AssetPack(folder).require(["icon"])
    with pytest.raises(AssetError, match="found none") as untrained:
        _ = AssetPack(folder).stylization
    assert as_typed("assets", "combine", folder, "--out", "DIR") in str(lacking.value)
    assert as_typed("make", "styles", "--assets", folder) in str(untrained.value)


@pytest.mark.parametrize("kind", ["painting", "texture"])
def test_a_picture_that_was_replaced_after_the_network_was_trained_is_refused(
    pack: AssetPack, kind: AssetKind
) -> None:
    """Else the old style would go under the new picture's name."""
    name = pack.names(kind)[1]
    pack.require([kind])
    file = pack.folder / pack.asset(kind, name).file
    Image.new("RGB", (64, 64)).save(file)
    with pytest.raises(
        AssetError, match=rf"{file.name}: expected the {kind} .* train anew"
    ) as raised:
        AssetPack(pack.folder).require([kind])
    assert "\n" not in str(raised.value)


def test_a_network_that_says_nothing_of_files_is_taken(pack: AssetPack) -> None:
    network = replace(pack.stylization, files=())
    (pack.folder / "stylization.safetensors").write_bytes(stylization_bytes(network, {}))
    Image.new("RGB", (64, 64)).save(pack.folder / pack.asset("painting", "dots").file)
    AssetPack(pack.folder).require(["painting"])


def test_the_default_pack_is_opened_once_and_not_larger_than_it_may_be() -> None:
    assert default_assets() is default_assets()
    files = [file for file in default_assets().folder.rglob("*") if file.is_file()]
    assert sum(file.stat().st_size for file in files) <= 5 * 2**20
