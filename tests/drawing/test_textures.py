"""The textures of the default pack: what the committed code draws is what ships."""

import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray
from PIL import Image

from drawing.textures import TEXTURES, draw_texture
from drawing.textures.sheet import SIDE, Window, photographed, places
from drawing.textures.strokes import Strokes, strewn
from unforeseen.transforms.assets.pack import default_assets

ROOT = Path(__file__).parents[2]
#: Drawn again by the tests, away from the picture's edges.
WINDOW = Window(left=150, top=130, side=64)
#: Mean difference in grey, of 255: what JPEG's quality of 92 and a camera's grain leave, and a window's
#: filters, which don't reach as far. The smoothest texture moved by one pixel differs by more.
TOLERANCE = 4


def file(name: str) -> Path:
    return default_assets().folder / "textures" / f"{name}.jpg"


def grey(image: Image.Image) -> NDArray[np.float64]:
    result: NDArray[np.float64] = np.asarray(image, dtype=np.float64).mean(axis=-1)
    return result


def shipped(name: str) -> NDArray[np.float64]:
    with Image.open(file(name)) as image:
        return grey(image)


def part(picture: NDArray[np.float64], right: int = 0) -> NDArray[np.float64]:
    left = WINDOW.left + right
    return picture[WINDOW.top : WINDOW.top + WINDOW.side, left : left + WINDOW.side]


@pytest.mark.parametrize("name", TEXTURES)
def test_textures_are_what_their_code_draws(name: str) -> None:
    redrawn = grey(draw_texture(name, WINDOW))
    assert np.abs(redrawn - part(shipped(name))).mean() <= TOLERANCE
    assert np.abs(redrawn - part(shipped(name), right=1)).mean() > TOLERANCE


def test_the_pack_has_a_file_for_each_and_no_other() -> None:
    assert {each.stem for each in file("slate").parent.iterdir()} == set(TEXTURES)


@pytest.mark.parametrize("name", TEXTURES)
def test_each_is_drawn_by_the_module_of_its_name(name: str) -> None:
    assert TEXTURES[name].__module__ == f"drawing.textures.{name.replace('-', '_')}"


def test_there_are_as_many_textures_as_in_the_paper() -> None:
    assert len(TEXTURES) == 10


@pytest.mark.parametrize("name", TEXTURES)
def test_a_texture_is_a_square_in_colour_and_small(name: str) -> None:
    with Image.open(file(name)) as image:
        assert (image.size, image.mode) == ((SIDE, SIDE), "RGB")
    assert file(name).stat().st_size <= 80_000


@pytest.mark.parametrize("name", TEXTURES)
def test_a_texture_is_alike_in_all_of_its_quarters_and_fine(name: str) -> None:
    picture = shipped(name)
    half = SIDE // 2
    quarters = picture.reshape(2, half, 2, half).transpose(0, 2, 1, 3).reshape(4, -1)
    assert np.ptp(quarters.mean(axis=1)) < 0.6 * picture.std()
    assert quarters.std(axis=1).min() > 0.8 * picture.std()
    # Squares of 36 pixels say little about brightness: most of the change is within them.
    coarse = picture.reshape(10, 36, 10, 36).mean(axis=(1, 3))
    assert coarse.std() < 0.5 * picture.std()


def test_the_command_writes_the_textures_that_it_is_asked_for(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "drawing.textures", "knitted-wool", "--out", str(tmp_path)]
    subprocess.run(command, check=True, cwd=ROOT, capture_output=True)
    assert [each.name for each in tmp_path.iterdir()] == ["knitted-wool.jpg"]
    with Image.open(tmp_path / "knitted-wool.jpg") as image:
        assert np.abs(grey(image) - shipped("knitted-wool")).mean() <= TOLERANCE


def test_the_command_names_the_textures_that_there_are(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "drawing.textures", "silk", "--out", str(tmp_path)]
    answer = subprocess.run(command, check=False, cwd=ROOT, capture_output=True, text=True)
    assert answer.returncode == 2
    assert "got 'silk'" in answer.stderr


def test_strokes_run_in_their_direction_for_their_length() -> None:
    x, y = places(Window())
    one = Strokes(count=1, lengths=(60, 60), turn=90, spread=0)
    drawn = strewn(np.random.default_rng(0), x, y, one)
    rows, columns = np.nonzero(drawn > 0.3 * drawn.max())
    assert np.ptp(y[rows, columns]) == pytest.approx(60, abs=2)
    assert np.ptp(x[rows, columns]) <= 1.5
    # A filter this narrow rings a little.
    assert drawn.min() == pytest.approx(0, abs=1e-3)


def test_strokes_are_the_same_in_a_window() -> None:
    strokes = Strokes(count=400, lengths=(5, 40), wander=20)
    whole, window = (
        strewn(np.random.default_rng(0), *places(each), strokes) for each in (Window(), WINDOW)
    )
    top, left = 2 * WINDOW.top, 2 * WINDOW.left
    side = len(window)
    difference = whole[top : top + side, left : left + side] - window
    # Pillow cuts lines at its picture's edge before it rounds them, and filters meet opposite edges.
    assert (np.abs(difference[8:-8, 8:-8]) > 1e-3).mean() < 0.005
    assert (window > 1e-3).mean() > 0.1


def test_a_camera_sees_the_window_and_not_its_margin() -> None:
    x, _ = places(Window(side=32))
    light = np.repeat(np.where((x > 0) & (x < 32), 0.5, 0.0)[..., None], 3, axis=-1)
    seen = np.asarray(photographed(light))
    assert seen.shape == (32, 32, 3)
    # Light of 0.5 is level 188.
    assert np.abs(seen.astype(int) - 188).max() < 12
