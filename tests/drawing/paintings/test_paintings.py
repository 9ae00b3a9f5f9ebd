"""The paintings of the default pack: what the committed code paints is what ships."""

import subprocess
import sys
from io import BytesIO
from itertools import combinations
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray
from PIL import Image

from drawing.paintings import PAINTINGS, SIDE, draw_painting
from unforeseen.transforms.assets.pack import default_assets

ROOT = Path(__file__).parents[3]
FOLDER = default_assets().folder / "paintings"

#: Mean difference, of 255. Sines and exponentials may differ in their last digit, and then the paint of a
#: few dots or a bristle here and there. A painting that is moved by one pixel differs by more.
TOLERANCE = 2


def shipped(name: str) -> NDArray[np.float64]:
    with Image.open(FOLDER / f"{name}.jpg") as picture:
        return np.asarray(picture).astype(np.float64)


def as_file(picture: Image.Image) -> NDArray[np.float64]:
    """What is left of a picture in the file that the command writes."""
    file = BytesIO()
    picture.save(file, "JPEG", quality=92, optimize=True)
    return np.asarray(Image.open(file)).astype(np.float64)


def palette(name: str) -> NDArray[np.float64]:
    """Shares of the picture in 64 kinds of colour."""
    kinds = (shipped(name) // 64).astype(np.int64) @ np.array([16, 4, 1])
    return np.bincount(kinds.ravel(), minlength=64) / SIDE**2


@pytest.mark.parametrize("name", PAINTINGS)
def test_paintings_are_what_their_code_paints(name: str) -> None:
    assert np.abs(as_file(draw_painting(name)) - shipped(name)).mean() <= TOLERANCE


@pytest.mark.parametrize("name", PAINTINGS)
def test_one_pixel_more_to_the_right_would_be_seen(name: str) -> None:
    """The tolerance is below what any other painting would differ by."""
    picture = shipped(name)
    assert np.abs(picture - np.roll(picture, 1, 1)).mean() > 2 * TOLERANCE


def test_there_are_as_many_as_in_the_paper_and_each_ships() -> None:
    assert len(PAINTINGS) == 7
    assert {file.stem for file in FOLDER.iterdir()} == set(PAINTINGS)


@pytest.mark.parametrize("name", PAINTINGS)
def test_a_painting_is_a_small_square_in_colour(name: str) -> None:
    with Image.open(FOLDER / f"{name}.jpg") as picture:
        assert (picture.format, picture.mode, picture.size) == ("JPEG", "RGB", (SIDE, SIDE))
    assert (FOLDER / f"{name}.jpg").stat().st_size <= 70_000


def test_no_two_paintings_share_more_than_half_of_their_colours() -> None:
    for one, other in combinations(PAINTINGS, 2):
        assert np.minimum(palette(one), palette(other)).sum() < 0.5, (one, other)


def test_the_command_writes_the_paintings_that_are_asked_for(tmp_path: Path) -> None:
    command = [
        sys.executable,
        "-m",
        "drawing.paintings",
        "expressive-planes",
        "--out",
        str(tmp_path),
    ]
    subprocess.run(command, check=True, cwd=ROOT, capture_output=True)
    (file,) = tmp_path.iterdir()
    assert file.name == "expressive-planes.jpg"
    with Image.open(file) as picture:
        written = np.asarray(picture).astype(np.float64)
    assert np.abs(written - shipped("expressive-planes")).mean() <= TOLERANCE


def test_the_command_says_which_names_there_are(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "drawing.paintings", "impasto-nite", "--out", str(tmp_path)]
    ended = subprocess.run(command, check=False, cwd=ROOT, capture_output=True, text=True)
    assert ended.returncode == 2
    assert "impasto-night" in ended.stderr
    assert "'impasto-nite'" in ended.stderr
