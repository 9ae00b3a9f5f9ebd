from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from unforeseen.report.gallery import Tile, draw_gallery


def tile(caption: str, colour: tuple[int, int, int], *, right: bool = True) -> Tile:
    return Tile(image=np.full((32, 32, 3), colour, np.uint8), caption=caption, right=right)


def drawn(path: Path, caption: str) -> np.ndarray:
    draw_gallery(
        path,
        title="a title",
        columns=["clean", "wood"],
        rows=[
            ("cat", [tile("cat", (10, 20, 200)), tile(caption, (200, 20, 10), right=False)]),
            ("dog", [tile("dog", (10, 200, 20)), None]),
        ],
    )
    with Image.open(path) as image:
        assert image.format == "PNG"
        return np.asarray(image.convert("RGB")).copy()


def shows(picture: np.ndarray, colour: tuple[int, int, int]) -> bool:
    return bool((picture == colour).all(axis=-1).sum() > 500)


def test_every_tile_is_shown_in_its_own_colours(tmp_path: Path) -> None:
    picture = drawn(tmp_path / "gallery.png", "cat")
    for colour in ((10, 20, 200), (200, 20, 10), (10, 200, 20)):
        assert shows(picture, colour)


@pytest.mark.parametrize("caption", ["$x^2", "a_{b", r"\frac{", "", "very " * 40])
def test_captions_are_words_and_never_formulas(tmp_path: Path, caption: str) -> None:
    drawn(tmp_path / "gallery.png", caption)
