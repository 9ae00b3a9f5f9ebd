"""The call ``obfuscate``: what it refuses before anything is made."""

from pathlib import Path

import pytest

import unforeseen
from made_assets import made_assets
from made_data import pictures
from unforeseen.errors import AssetError, BenchmarkError, UnknownNameError, UserError
from unforeseen.obfuscated_folder.record import read_made_record


def test_a_pack_and_a_data_set_in_memory_will_do(tmp_path: Path) -> None:
    pack, out = made_assets(tmp_path / "pack"), tmp_path / "out"
    made = unforeseen.obfuscate(
        pictures(), out, obfuscations=["imageoverlay"], assets=pack, size=32
    )
    assert (made.pictures, made.unreadable, made.new) == (5, 0, True)
    assert read_made_record(out).assets == pack.fingerprint_of(["photo"])


def test_what_does_not_fit_is_refused_in_a_line_that_names_it(tmp_path: Path) -> None:
    out = tmp_path / "out"
    with pytest.raises(UnknownNameError, match="unknown format 'zip'"):
        unforeseen.obfuscate(pictures(), out, format="zip")
    with pytest.raises(UnknownNameError, match="unknown encoding 'webp'"):
        unforeseen.obfuscate(pictures(), out, encoding="webp")
    with pytest.raises(UnknownNameError, match="SwirlWarp"):
        unforeseen.obfuscate(pictures(), out, obfuscations=["swirl"])
    with pytest.raises(UserError, match="workers"):
        unforeseen.obfuscate(pictures(), out, workers=-1)
    with pytest.raises(BenchmarkError, match="expected a benchmark of obfuscations"):
        unforeseen.obfuscate(pictures(), out, benchmark="imagenet-ua")
    assert not out.exists()


@pytest.mark.parametrize("names", ["SwirlWarp", [], ()])
def test_what_is_no_list_of_names_is_refused(names: list[str], tmp_path: Path) -> None:
    with pytest.raises(UserError, match="obfuscations: expected names, a list of them, got"):
        unforeseen.obfuscate(pictures(), tmp_path / "out", obfuscations=names)


@pytest.mark.parametrize("benchmark", [None, "image-obfuscation-own"])
def test_all_that_a_pack_lacks_is_named_whoever_says_what_is_made(
    tmp_path: Path, benchmark: str | None
) -> None:
    (tmp_path / "assets.toml").write_text("schema = 1\n", encoding="utf-8")
    wanted = ["IconOverlay", "TextOverlay", "HighContrastBorder"]
    with pytest.raises(AssetError, match=r"at least one (icon and text|text and icon), got none"):
        unforeseen.obfuscate(
            pictures(),
            tmp_path / "out",
            benchmark=benchmark,
            obfuscations=wanted,
            assets=tmp_path,
        )
    assert not (tmp_path / "out").exists()
