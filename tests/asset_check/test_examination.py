"""The check of a pack: all that is wrong at once, a line each; what may be meant so is a note."""

from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from made_assets import made_assets
from unforeseen.asset_check.examination import IN_THE_PAPER, Examination, examine_assets
from unforeseen.errors import AssetError
from unforeseen.transforms.assets.manifest import MANIFEST_FILE
from unforeseen.transforms.assets.pack import default_assets


def written(folder: Path, old: str, new: str) -> None:
    text = (folder / MANIFEST_FILE).read_text(encoding="utf-8")
    assert old in text
    (folder / MANIFEST_FILE).write_text(text.replace(old, new), encoding="utf-8")


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return made_assets(tmp_path / "pack").folder


def test_a_pack_that_can_be_used_has_no_faults_and_is_counted(folder: Path) -> None:
    examination = examine_assets(folder)
    assert examination.faults == ()
    assert examination.counts == {
        "photo": 2,
        "scene": 3,
        "pattern": 2,
        "icon": 2,
        "text": 2,
        "patch": 2,
        "painting": 2,
        "texture": 2,
    }
    assert examination.has_network
    assert examination.licences == {"CC0-1.0": 18}


def test_the_paper_had_76_assets() -> None:
    """Section 3.2: 10 photos, 14 scenes, 9 patterns, 10 icons, 13 strings; A.6: 3 patches, 7 paintings, 10 textures."""
    assert list(IN_THE_PAPER.values()) == [10, 14, 9, 10, 13, 3, 7, 10]


def test_the_default_pack_is_fine() -> None:
    examination = examine_assets(default_assets().folder)
    assert examination.faults == ()
    assert not [note for note in examination.notes if not note.startswith("no ")]
    assert set(examination.licences) == {"Apache-2.0"}


def mirrored_corners(folder: Path) -> None:
    written(
        folder,
        "[[0.3, 0.2], [0.7, 0.3], [0.65, 0.8], [0.2, 0.7]]",
        "[[0.7, 0.3], [0.3, 0.2], [0.2, 0.7], [0.65, 0.8]]",
    )


def smaller_foreground(folder: Path) -> None:
    Image.new("L", (32, 32)).save(folder / "white.png")


def broken_photo(folder: Path) -> None:
    (folder / "photo-haze.png").write_bytes(b"<!doctype html>")


def missing_icon(folder: Path) -> None:
    (folder / "icon-coin.png").unlink()


def wide_tile(folder: Path) -> None:
    Image.new("L", (64, 32)).save(folder / "pattern-checks.png")


def oblong_patch(folder: Path) -> None:
    Image.new("RGB", (64, 50)).save(folder / "patch-static.png")


def path_that_leads_out(folder: Path) -> None:
    written(folder, '"text-bars.png"', '"../text-bars.png"')


def damaged_network(folder: Path) -> None:
    (folder / "stylization.safetensors").write_bytes(b"<!doctype html>")


FAULTS: dict[Callable[[Path], None], str] = {
    mirrored_corners: "scene.placed.corners: expected the upper left",
    smaller_foreground: "white.png: expected 96 × 96 pixels",
    broken_photo: "photo-haze.png: not a picture",
    missing_icon: "icon-coin.png: can't be read",
    wide_tile: "pattern-checks.png: expected a square",
    oblong_patch: "patch-static.png: expected a square",
    damaged_network: "stylization.safetensors: expected weights that",
    path_that_leads_out: "text.bars.file: expected the path of a file in the folder",
}


@pytest.mark.parametrize(("harm", "fault"), FAULTS.items(), ids=[each.__name__ for each in FAULTS])
def test_each_fault_is_one_line_that_names_the_file(
    folder: Path, harm: Callable[[Path], None], fault: str
) -> None:
    harm(folder)
    (line,) = examine_assets(folder).faults
    assert fault in line
    assert str(folder) in line
    assert "\n" not in line


def test_all_faults_are_found_at_once_and_the_rest_is_still_counted(folder: Path) -> None:
    for harm in FAULTS:
        harm(folder)
    examination = examine_assets(folder)
    assert len(examination.faults) == len(FAULTS)
    for fault in FAULTS.values():
        assert any(fault in line for line in examination.faults)
    assert sum(examination.counts.values()) == 17
    assert examination.licences == {"CC0-1.0": 18 - len(FAULTS)}


def test_names_that_cannot_be_are_a_fault_of_their_kind(folder: Path) -> None:
    written(folder, "[icon.disc]", '[icon."Disc 1"]')
    (line,) = examine_assets(folder).faults
    assert "icon: expected names of the form" in line


def test_without_a_manifest_there_is_nothing_to_examine(tmp_path: Path) -> None:
    with pytest.raises(AssetError, match="found none there"):
        examine_assets(tmp_path)


def notes_of(examination: Examination, about: str) -> list[str]:
    return [note for note in examination.notes if note.startswith(about)]


def test_a_tile_whose_edges_do_not_fit_is_only_noted(folder: Path) -> None:
    assert not notes_of(examine_assets(folder), "pattern")
    ramp = np.tile(np.linspace(0, 255, 64).astype(np.uint8), (64, 1))
    Image.fromarray(ramp).save(folder / "pattern-stripes.png")
    examination = examine_assets(folder)
    assert notes_of(examination, "pattern.stripes: its edges don't fit each other")
    assert not examination.faults


def test_pictures_that_cover_nothing_or_everything_are_noted(folder: Path) -> None:
    Image.new("L", (64, 64), 0).save(folder / "pattern-checks.png")
    Image.new("L", (64, 64), 255).save(folder / "pattern-stripes.png")
    Image.new("RGB", (64, 64)).save(folder / "icon-disc.png")
    Image.new("RGBA", (64, 64)).save(folder / "icon-coin.png")
    Image.new("L", (64, 64), 0).save(folder / "text-bars.png")
    examination = examine_assets(folder)
    for note in (
        "pattern.checks: it covers nothing",
        "pattern.stripes: it has no openings",
        "icon.disc: nothing of it is transparent",
        "icon.coin: it covers nothing",
        "text.bars: it covers nothing",
    ):
        assert notes_of(examination, note)
    assert not examination.faults


def test_small_photos_are_noted_and_large_ones_are_not(folder: Path) -> None:
    Image.new("RGB", (300, 224)).save(folder / "photo-haze.png")
    examination = examine_assets(folder)
    assert notes_of(examination, "photo.noise: 128 × 96 pixels")
    assert not notes_of(examination, "photo.haze")


def test_a_patch_that_is_enlarged_is_noted(folder: Path) -> None:
    Image.new("RGB", (49, 49)).save(folder / "patch-hum.png")
    Image.new("RGB", (50, 50)).save(folder / "patch-static.png")
    (note,) = notes_of(examine_assets(folder), "patch")
    assert note.startswith("patch.hum: 49 × 49 pixels; it is enlarged")


def test_a_kind_without_assets_says_which_obfuscations_have_nothing_to_take(
    tmp_path: Path,
) -> None:
    (tmp_path / MANIFEST_FILE).write_text("schema = 1\n", encoding="utf-8")
    notes = examine_assets(tmp_path).notes
    assert "no icon: it can't be used for IconOverlay." in notes
    assert "no scene: it can't be used for PerspectiveComposition." in notes
    assert len(notes) == len(IN_THE_PAPER)


def test_paintings_without_a_network_are_noted_and_no_fault(folder: Path) -> None:
    text = (folder / MANIFEST_FILE).read_text(encoding="utf-8")
    bare = text.partition("[stylization]")[0]
    (folder / MANIFEST_FILE).write_text(bare, encoding="utf-8")
    examination = examine_assets(folder)
    assert examination.faults == ()
    assert [
        note for note in examination.notes if note.startswith("no [stylization]: StyleTransfer")
    ]


def test_a_style_that_the_network_does_not_know_is_a_fault(folder: Path) -> None:
    written(folder, "[painting.dots]", "[painting.cubes]")
    (fault,) = examine_assets(folder).faults
    assert "it doesn't know 'cubes'" in fault


def test_a_painting_that_was_replaced_after_the_network_was_trained_is_a_fault(
    folder: Path,
) -> None:
    Image.new("RGB", (224, 224)).save(folder / "painting-dots.png")
    (fault,) = examine_assets(folder).faults
    assert fault.startswith(
        f"{folder / 'painting-dots.png'}: expected the painting that the network"
    )
