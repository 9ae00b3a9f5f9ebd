"""The drawn part of the default pack: what the committed code draws is what ships."""

import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from matplotlib import get_data_path
from matplotlib.ft2font import FT2Font
from numpy.typing import NDArray
from PIL import Image

from drawing.icons import ICONS, draw_icon
from drawing.patterns import PATTERNS, draw_pattern
from drawing.texts import HEIGHT, TEXTS, draw_text
from unforeseen.transforms.assets.manifest import AssetKind
from unforeseen.transforms.assets.pack import default_assets

#: Mean difference, of 255. Pillow may round otherwise at edges, and its FreeType move an outline by a
#: fraction of a pixel: releases 10.1 and 13.0 draw all but a few pixels of icons alike. A line of letters
#: that is moved by one pixel differs by more.
TOLERANCE = 2


def shipped(kind: AssetKind, name: str) -> Image.Image:
    return default_assets().picture(kind, name)


def levels(image: Image.Image) -> NDArray[np.float64]:
    return np.asarray(image).astype(np.float64)


@pytest.mark.parametrize("name", PATTERNS)
def test_patterns_are_what_their_code_draws(name: str) -> None:
    redrawn = draw_pattern(name)
    assert redrawn.mode == shipped("pattern", name).mode
    assert np.abs(levels(redrawn) - levels(shipped("pattern", name))).mean() <= TOLERANCE


@pytest.mark.parametrize("name", ICONS)
def test_icons_are_what_their_code_draws(name: str) -> None:
    redrawn = draw_icon(name)
    assert redrawn.mode == shipped("icon", name).mode
    assert np.abs(levels(redrawn) - levels(shipped("icon", name))).mean() <= TOLERANCE


@pytest.mark.parametrize("name", TEXTS)
def test_texts_are_what_their_code_draws(name: str) -> None:
    redrawn, file = draw_text(name), shipped("text", name)
    assert redrawn.mode == file.mode
    assert abs(redrawn.width - file.width) <= 2
    same_size = redrawn.resize(file.size)
    assert np.abs(levels(same_size) - levels(file)).mean() <= TOLERANCE


@pytest.mark.parametrize("name", TEXTS)
def test_one_pixel_more_to_the_right_would_be_seen(name: str) -> None:
    """The tolerance is below what any other drawing would differ by."""
    line = levels(draw_text(name))
    assert np.abs(line - np.roll(line, 1, 1)).mean() > 2 * TOLERANCE


def test_the_pack_lists_what_the_code_draws() -> None:
    pack = default_assets()
    assert pack.names("pattern") == tuple(PATTERNS)
    assert pack.names("icon") == tuple(ICONS)
    assert pack.names("text") == tuple(TEXTS)


def test_there_are_as_many_as_in_the_paper() -> None:
    assert (len(PATTERNS), len(ICONS), len(TEXTS)) == (9, 10, 13)


@pytest.mark.parametrize("name", PATTERNS)
def test_patterns_cover_more_than_half_and_leave_openings(name: str) -> None:
    assert 0.5 <= levels(draw_pattern(name)).mean() / 255 <= 0.75


@pytest.mark.parametrize("name", PATTERNS)
def test_patterns_go_on_at_the_edges_of_their_tile(name: str) -> None:
    """Across an edge neighbours differ no more than inside the tile."""
    tile = levels(draw_pattern(name))
    for axis in (0, 1):
        steps = np.abs(np.diff(tile, axis=axis)).mean(1 - axis)
        across = np.abs(np.take(tile, 0, axis) - np.take(tile, -1, axis)).mean()
        assert across <= steps.max()


@pytest.mark.parametrize("name", ICONS)
def test_icons_are_transparent_around_and_opaque_inside(name: str) -> None:
    opacity = levels(draw_icon(name))[..., 3] / 255
    assert opacity[[0, 0, -1, -1], [0, -1, 0, -1]].max() == 0
    assert 0.3 <= opacity.mean() <= 0.8


@pytest.mark.parametrize("name", TEXTS)
def test_letters_fill_the_height_and_end_in_a_gap(name: str) -> None:
    line = levels(draw_text(name)) / 255
    rows, columns = line.max(1) > 0.5, line.max(0) > 0.5
    assert line.shape[0] == HEIGHT
    assert rows.sum() >= HEIGHT - 20
    assert not columns[:8].any()
    assert not columns[-8:].any()


@pytest.mark.parametrize("name", TEXTS)
def test_every_letter_is_one_that_the_font_has(name: str) -> None:
    """A font shows what it lacks as one and the same box."""
    font = Path(get_data_path()) / "fonts" / "ttf" / f"{TEXTS[name].font}.ttf"
    known = FT2Font(str(font)).get_charmap()
    assert all(ord(letter) in known for letter in TEXTS[name].letters)


def test_the_command_writes_the_files_that_the_manifest_names(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "drawing.flat", "--out", str(tmp_path)]
    subprocess.run(command, check=True, cwd=Path(__file__).parents[2], capture_output=True)
    pack = default_assets()
    named = {
        asset.file
        for kind in ("pattern", "icon", "text")
        for asset in pack.manifest.assets[kind].values()
    }
    written = {file.relative_to(tmp_path).as_posix() for file in tmp_path.rglob("*.png")}
    assert written == named
