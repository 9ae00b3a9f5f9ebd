"""One pack of several: who gives which kind, and what becomes of files, licences and styles."""

import shutil
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
import torch
from PIL import Image

from made_assets import PAINTINGS, PLACED_SCENE, made_assets, without_network
from unforeseen.asset_check.examination import examine_assets
from unforeseen.asset_making import combined_pack
from unforeseen.asset_making.combined_pack import combine_packs
from unforeseen.asset_making.pack_writing import add_to_pack
from unforeseen.errors import AssetError, RunError
from unforeseen.files.lock import HOLDER_FILE, LOCK_FILE, sole_writer
from unforeseen.stylization.names import STYLE_KINDS
from unforeseen.transforms.assets.files import read_file
from unforeseen.transforms.assets.manifest import ASSET_KINDS, Asset, AssetKind
from unforeseen.transforms.assets.pack import AssetPack, default_assets


def only(folder: Path, kind: AssetKind, name: str, *, size: int = 64) -> Path:
    folder.mkdir()
    Image.new("RGB", (size, size), "teal").save(folder / f"{name}.PNG")
    asset = Asset(kind=kind, name=name, file=f"{name}.PNG", licence='our "own"', source="drawn")
    add_to_pack(folder, [asset])
    return folder


def files_of(folder: Path) -> set[Path]:
    return {each.relative_to(folder) for each in folder.rglob("*") if each.is_file()}


def test_without_a_pack_it_is_a_copy_of_the_one_that_ships(tmp_path: Path) -> None:
    made = combine_packs([], tmp_path / "out").pack
    assert made.fingerprint_of(ASSET_KINDS) == default_assets().fingerprint_of(ASSET_KINDS)
    assert examine_assets(made.folder) == examine_assets(default_assets().folder)


def test_each_kind_comes_from_the_first_pack_that_has_it(tmp_path: Path) -> None:
    mine = only(tmp_path / "mine", "patch", "mine")
    second = made_assets(tmp_path / "second")
    made = combine_packs([mine, second.folder], tmp_path / "out").pack
    assert made.names("patch") == ("mine",)
    for kind in ASSET_KINDS:
        if kind != "patch":
            assert made.names(kind) == second.names(kind)
    assert torch.equal(made.photo("noise", (64, 64)), second.photo("noise", (64, 64)))
    here, there = (each.scene(PLACED_SCENE, (64, 64)) for each in (made, second))
    assert all(torch.equal(one, other) for one, other in zip(here, there, strict=True))
    made.require(ASSET_KINDS)


def test_what_no_pack_has_comes_from_the_one_that_ships(tmp_path: Path) -> None:
    made = combine_packs([only(tmp_path / "mine", "patch", "mine")], tmp_path / "out").pack
    assert made.names("patch") == ("mine",)
    assert made.names("icon") == default_assets().names("icon")
    made.require(ASSET_KINDS)


def test_licences_sources_and_endings_are_kept(tmp_path: Path) -> None:
    made = combine_packs([only(tmp_path / "mine", "patch", "mine")], tmp_path / "out").pack
    patch = made.asset("patch", "mine")
    assert (patch.file, patch.licence, patch.source) == ("patches/mine.png", 'our "own"', "drawn")
    shipped = default_assets().asset("photo", "mountain-lake")
    assert made.asset("photo", "mountain-lake") == shipped


def test_paintings_textures_and_their_network_come_from_one_pack(tmp_path: Path) -> None:
    """A network of one pack doesn't know the textures of another."""
    second = made_assets(tmp_path / "second")
    bare = only(tmp_path / "bare", "painting", "sky")
    made = combine_packs([bare, second.folder], tmp_path / "out").pack
    assert made.names("painting") == ("sky",)
    assert made.manifest.assets["texture"] == {}
    assert made.manifest.stylization is None
    whole = combine_packs([second.folder, bare], tmp_path / "whole").pack
    assert whole.names("painting") == PAINTINGS
    whole.require(STYLE_KINDS)
    unknowing = without_network(tmp_path / "without").folder
    assert combine_packs([unknowing], tmp_path / "x").pack.manifest.stylization is None


def test_files_of_equal_names_stay_apart(tmp_path: Path) -> None:
    """A scene may be called as another one's foreground."""
    folder = tmp_path / "mine"
    folder.mkdir()
    for file in ("a.png", "b.png"):
        Image.new("L", (64, 64), 100 * (1 + (file == "b.png"))).save(folder / file)
    corners = ((0.0, 0.0), (1.0, 0.0), (1.0, 1.0), (0.0, 1.0))
    other = Asset(
        kind="scene",
        name="a-foreground",
        file="b.png",
        licence="l",
        source="s",
        corners=corners,
    )
    scene = replace(other, name="a", file="a.png", foreground="b.png")
    photo = Asset(kind="photo", name="a", file="b.png", licence="l", source="s")
    mine = add_to_pack(folder, [scene, other, photo])
    made = combine_packs([folder], tmp_path / "out").pack
    for name in ("a", "a-foreground"):
        assert torch.equal(made.scene(name, (64, 64)).image, mine.scene(name, (64, 64)).image)
    assert (made.scene("a", (64, 64)).foreground == 200 / 255).all()
    assert torch.equal(made.photo("a", (64, 64)), mine.photo("a", (64, 64)))


@pytest.mark.parametrize(
    "harm",
    [
        lambda folder: (folder / "photo-haze.png").write_bytes(b"<html>"),
        lambda folder: (folder / "upper-half.png").unlink(),
        lambda folder: (folder / "stylization.safetensors").write_bytes(b"<html>"),
        lambda folder: Image.new("RGB", (64, 64)).save(folder / "texture-bark.png"),
        lambda folder: (folder / "assets.toml").write_bytes(b"<html>"),
        shutil.rmtree,
    ],
    ids=["photo", "foreground", "network", "other texture", "manifest", "nothing there"],
)
def test_a_damaged_pack_is_named_and_nothing_is_written(
    tmp_path: Path, harm: Callable[[Path], None]
) -> None:
    pack = made_assets(tmp_path / "pack").folder
    harm(pack)
    with pytest.raises(AssetError) as raised:
        combine_packs([pack], tmp_path / "out")
    assert str(pack) in str(raised.value)
    assert "\n" not in str(raised.value)
    assert not (tmp_path / "out").exists()


def test_a_folder_that_holds_something_is_refused(tmp_path: Path) -> None:
    pack = made_assets(tmp_path / "pack").folder
    before = files_of(pack)
    with pytest.raises(RunError, match=r"is a pack of assets already\. Use another --out"):
        combine_packs([pack], pack)
    (tmp_path / "other").mkdir()
    (tmp_path / "other" / "notes.txt").write_text("mine")
    with pytest.raises(RunError, match="is not empty"):
        combine_packs([pack], tmp_path / "other")
    assert files_of(pack) == before
    assert files_of(tmp_path / "other") == {Path("notes.txt")}


@pytest.mark.parametrize("files", [0, 1, 5])
def test_what_was_stopped_is_no_pack_and_the_same_again_makes_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, files: int
) -> None:
    """Pitfall: a kill in the middle, which no handler sees. The manifest is written last."""
    pack, out = made_assets(tmp_path / "pack").folder, tmp_path / "out"
    whole = combine_packs([pack], tmp_path / "whole").pack
    with monkeypatch.context() as patch:
        patch.setattr(combined_pack, "read_file", stopping_after(files))
        with pytest.raises(KeyboardInterrupt):
            combine_packs([pack], out)
    with pytest.raises(AssetError, match=r"expected a folder of assets with a file assets\.toml"):
        AssetPack(out)
    with pytest.raises(RunError, match=r"a pack of other assets was begun there .* another --out"):
        combine_packs([], out)
    made = combine_packs([pack], out).pack
    assert made.fingerprint_of(ASSET_KINDS) == whole.fingerprint_of(ASSET_KINDS)
    assert files_of(out) == files_of(tmp_path / "whole")
    with pytest.raises(RunError, match="is a pack of assets already"):
        combine_packs([pack], out)


def test_one_that_was_killed_when_all_but_its_mark_was_there_is_ended(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    pack, out = made_assets(tmp_path / "pack").folder, tmp_path / "out"
    with monkeypatch.context() as patch:
        patch.setattr(Path, "unlink", stop)
        with pytest.raises(KeyboardInterrupt):
            combine_packs([pack], out)
    assert examine_assets(out).faults == ()
    combine_packs([pack], out)
    with pytest.raises(RunError, match="is a pack of assets already"):
        combine_packs([pack], out)


def test_two_at_once_never_write_one_folder(tmp_path: Path) -> None:
    pack, out = made_assets(tmp_path / "pack").folder, tmp_path / "out"
    with sole_writer(out, pytest.fail):
        with pytest.raises(RunError, match="is being written by process"):
            combine_packs([pack], out)
        assert {each.name for each in files_of(out)} <= {LOCK_FILE, HOLDER_FILE}
    combine_packs([pack], out).pack.require(ASSET_KINDS)


def stopping_after(files: int) -> Callable[..., bytes]:
    """Reads so many files, then is stopped."""
    left = [files]

    def read(*arguments: Any) -> bytes:
        left[0] -= 1
        if left[0] < 0:
            raise KeyboardInterrupt
        return read_file(*arguments)

    return read


def stop(*_arguments: object, **_options: object) -> None:
    raise KeyboardInterrupt
