"""The photos of the default pack."""

from pathlib import Path

import numpy as np
import pytest

from unforeseen.transforms.assets.pack import default_assets

PHOTOS = default_assets().names("photo")
ROOT = Path(__file__).parents[2]


def test_there_are_as_many_photos_as_the_paper_used() -> None:
    assert len(PHOTOS) == 10


@pytest.mark.parametrize("name", PHOTOS)
def test_a_photo_is_a_square_of_512_pixels_in_colour(name: str) -> None:
    picture = default_assets().picture("photo", name)
    assert (picture.size, picture.mode) == ((512, 512), "RGB")


@pytest.mark.parametrize("name", PHOTOS)
def test_a_photo_says_what_code_renders_it(name: str) -> None:
    source = default_assets().asset("photo", name).source
    assert source == f"rendered for this project: drawing/photos/{name.replace('-', '_')}.py"
    assert (ROOT / "drawing" / "photos" / f"{name.replace('-', '_')}.py").is_file()


@pytest.mark.parametrize("name", PHOTOS)
def test_a_photo_is_neither_blank_nor_burnt_out(name: str) -> None:
    levels = np.asarray(default_assets().picture("photo", name).convert("L"), dtype=np.float64)
    assert levels.std() > 25
    assert ((levels < 3) | (levels > 252)).mean() < 0.1
