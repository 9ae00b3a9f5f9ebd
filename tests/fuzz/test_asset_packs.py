"""Packs of assets of any content: a pack that can be examined, or one line."""

from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fuzzing import a_result_or_one_line, check_line, damaged, fuzz
from made_assets import PLACED_SCENE, made_assets
from unforeseen.asset_check.examination import examine_assets
from unforeseen.transforms.assets.manifest import ASSET_KINDS
from unforeseen.transforms.assets.pack import AssetPack


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return made_assets(tmp_path_factory.mktemp("pack")).folder


@fuzz(150)
@given(draw=st.data())
def test_a_damaged_manifest_is_examined_to_its_end_or_is_one_line(
    folder: Path, draw: st.DataObject
) -> None:
    manifest = folder / "assets.toml"
    whole = manifest.read_bytes()
    try:
        manifest.write_bytes(draw.draw(damaged(whole)))
        with a_result_or_one_line():
            examination = examine_assets(folder)
            for line in (*examination.faults, *examination.notes):
                check_line(line)
            if not examination.faults:
                assert len(AssetPack(folder).fingerprint_of(ASSET_KINDS)) == 32
    finally:
        manifest.write_bytes(whole)


USES: dict[str, Callable[[AssetPack], object]] = {
    "photo-noise.png": lambda pack: pack.photo("noise", (40, 50)),
    "upper-half.png": lambda pack: pack.scene(PLACED_SCENE, (40, 50)),
    "pattern-checks.png": lambda pack: pack.pattern("checks", 20),
    "icon-disc.png": lambda pack: pack.icon("disc", 20),
    "text-bars.png": lambda pack: pack.text("bars", 20),
}


@pytest.mark.parametrize("file", USES)
@fuzz(60)
@given(draw=st.data())
def test_a_damaged_picture_is_used_or_is_one_line(
    folder: Path, file: str, draw: st.DataObject
) -> None:
    whole = (folder / file).read_bytes()
    try:
        (folder / file).write_bytes(draw.draw(damaged(whole)))
        with a_result_or_one_line():
            USES[file](AssetPack(folder))
    finally:
        (folder / file).write_bytes(whole)
