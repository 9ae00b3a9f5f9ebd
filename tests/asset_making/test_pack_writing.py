"""A manifest that is written is read back as it was meant, and keeps what somebody wrote there."""

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from unforeseen.asset_making.pack_writing import add_to_pack, refuse_other_files
from unforeseen.errors import AssetError, RunError
from unforeseen.transforms.assets.manifest import Asset, StylizationFile, read_manifest

NETWORK = StylizationFile(weights="w.safetensors", licence="CC0-1.0", source="trained")


def icon(name: str, file: str | None = None) -> Asset:
    return Asset(kind="icon", name=name, file=file or f"{name}.png", licence="l", source="s")


ONE_LINE = st.text(st.characters(exclude_categories=("Cs", "Cc")), min_size=1, max_size=300).filter(
    lambda text: len(text.encode()) < 900
)


@given(licence=ONE_LINE, source=ONE_LINE)
def test_any_text_of_one_line_is_read_back_as_it_was(
    licence: str, source: str, tmp_path_factory: pytest.TempPathFactory
) -> None:
    folder = tmp_path_factory.mktemp("pack")
    asset = Asset(kind="photo", name="a", file="photos/a b's.jpg", licence=licence, source=source)
    pack = add_to_pack(folder, [asset], NETWORK)
    assert pack.asset("photo", "a") == asset
    assert pack.manifest.stylization == NETWORK


def test_the_longest_line_that_can_be_read_is_written_so_that_it_can_be_read_again(
    tmp_path: Path,
) -> None:
    """Escaped quotes would take twice the room that a line has."""
    asset = Asset(kind="photo", name="a", file="a.jpg", licence='"' * 1000, source="\\" * 1000)
    assert add_to_pack(tmp_path, [asset]).asset("photo", "a") == asset


def test_a_scene_keeps_its_corners_and_foreground(tmp_path: Path) -> None:
    scene = Asset(
        kind="scene",
        name="phone",
        file="p.jpg",
        licence="l",
        source="s",
        corners=((0.1, 1e-7), (0.9, 0.0), (1.0, 1.0), (1 / 3, 0.9)),
        foreground="f.png",
    )
    assert add_to_pack(tmp_path, [scene]).asset("scene", "phone") == scene


def test_order_comments_and_licences_that_stand_there_stay(tmp_path: Path) -> None:
    add_to_pack(tmp_path, [icon("b")], NETWORK)
    manifest = tmp_path / "assets.toml"
    edited = "# ours\n" + manifest.read_text(encoding="utf-8").replace('"l"', '"MIT"')
    manifest.write_text(edited, encoding="utf-8")
    other = StylizationFile(weights="w.safetensors", licence="x", source="x")
    pack = add_to_pack(tmp_path, [icon("b"), icon("a")], other)
    assert pack.names("icon") == ("b", "a")
    assert pack.asset("icon", "b").licence == "MIT"
    assert pack.manifest.stylization == NETWORK
    assert manifest.read_text(encoding="utf-8").startswith(edited.rstrip())
    before = manifest.read_bytes()
    add_to_pack(tmp_path, [icon("a")], other)
    assert manifest.read_bytes() == before


def test_a_manifest_to_which_nothing_can_be_added_stays_as_it_is(tmp_path: Path) -> None:
    manifest = tmp_path / "assets.toml"
    manifest.write_text(
        'schema = 1\nicon = { b = { file = "b.png", licence = "l", source = "s" } }\n',
        encoding="utf-8",
    )
    before = manifest.read_bytes()
    for adding in (refuse_other_files, add_to_pack):
        with pytest.raises(AssetError, match=r"assets\.toml: expected TOML"):
            adding(tmp_path, [icon("a")])
    refuse_other_files(tmp_path, [icon("b")])
    assert manifest.read_bytes() == before


def test_other_files_of_the_same_names_are_refused(tmp_path: Path) -> None:
    refuse_other_files(tmp_path, [icon("a")], NETWORK)
    add_to_pack(tmp_path, [icon("a", "mine.png")], NETWORK)
    refuse_other_files(tmp_path, [icon("a", "mine.png"), icon("b")], NETWORK)
    with pytest.raises(RunError, match=r"icon\.a: expected the file a\.png, got mine\.png"):
        refuse_other_files(tmp_path, [icon("a")])
    other = StylizationFile(weights="v.safetensors", licence="x", source="x")
    with pytest.raises(RunError, match=r"stylization: expected the file v\.safetensors, got w"):
        refuse_other_files(tmp_path, [], other)
    assert read_manifest(tmp_path).stylization == NETWORK
