"""From which pack each kind comes, and what is said of those that give less than they have."""

from pathlib import Path

from made_assets import made_assets
from unforeseen.asset_making.pack_sources import notes_of_not_taken, sources_of
from unforeseen.asset_making.pack_writing import add_to_pack
from unforeseen.transforms.assets.manifest import ASSET_KINDS, Asset, AssetKind
from unforeseen.transforms.assets.pack import AssetPack, default_assets


def only(folder: Path, kind: AssetKind) -> AssetPack:
    folder.mkdir()
    asset = Asset(kind=kind, name="a", file="a.png", licence="l", source="s")
    return add_to_pack(folder, [asset])


def notes(given: list[AssetPack]) -> list[str]:
    return [*notes_of_not_taken(given, sources_of([*given, default_assets()]))]


def test_each_kind_comes_from_the_first_that_has_it_and_styles_from_one(tmp_path: Path) -> None:
    patch, painting = (
        only(tmp_path / "patch", "patch"),
        only(tmp_path / "painting", "painting"),
    )
    program = default_assets()
    sources = sources_of([patch, painting, program])
    assert {kind for _, kinds in sources for kind in kinds} == {*ASSET_KINDS}
    of_kind = {kind: pack for pack, kinds in sources for kind in kinds}
    assert of_kind["patch"] is patch
    assert of_kind["painting"] is of_kind["texture"] is painting
    assert of_kind["icon"] is program


def test_where_everything_that_was_given_is_taken_nothing_is_said(tmp_path: Path) -> None:
    assert notes([]) == []
    assert notes([made_assets(tmp_path / "pack")]) == []
    assert notes([only(tmp_path / "x", "patch"), only(tmp_path / "y", "icon")]) == []


def test_what_is_passed_over_is_named_with_who_was_first(tmp_path: Path) -> None:
    first, second = only(tmp_path / "first", "icon"), only(tmp_path / "second", "icon")
    assert notes([first, second]) == [
        f"icon of {second.folder}: not taken, as {first.folder} has some."
    ]


def test_styles_that_are_passed_over_are_said_to_come_from_one_pack(tmp_path: Path) -> None:
    """Also a kind that the first pack lacks: its network wouldn't know them."""
    first, second = only(tmp_path / "first", "painting"), only(tmp_path / "second", "texture")
    third = made_assets(tmp_path / "third")
    said = [each for each in notes([first, second, third]) if "network that knows" in each]
    assert [each.partition(":")[0] for each in said] == [
        f"texture of {second.folder}",
        f"painting, texture, network of {third.folder}",
    ]
    assert all(each.endswith(f"come from one pack, here {first.folder}.") for each in said)
