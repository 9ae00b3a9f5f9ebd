"""A picture as a benchmark of obfuscations has it."""

from pathlib import Path

import numpy as np
import pytest
from PIL import Image
from torchvision.transforms import v2

from data.in_memory import noise
from made_data import made_folder
from unforeseen import load_data
from unforeseen.errors import BenchmarkError, DataError
from unforeseen.judged_picture import load_picture


@pytest.fixture
def photos(tmp_path: Path) -> Path:
    folder = tmp_path / "photos"
    (folder / "cat").mkdir(parents=True)
    Image.fromarray(noise(300, 260, seed=0)).save(folder / "cat" / "0.png")
    (folder / "cat" / "1.png").write_bytes(b"broken")
    return folder


def test_it_is_resized_and_cut_as_torchvision_does(photos: Path) -> None:
    usual = v2.Compose(
        [v2.Resize(224, v2.InterpolationMode.BICUBIC), v2.CenterCrop(224), v2.PILToTensor()]
    )
    with Image.open(photos / "cat" / "0.png") as image:
        expected = usual(image)
    for data in (f"imagefolder:{photos}", photos, load_data(f"imagefolder:{photos}")):
        seen = load_picture(data, "cat/0.png", "image-obfuscation-own")
        np.testing.assert_array_equal(seen, expected)


def test_of_data_that_were_made_it_is_as_it_was_written(photos: Path, tmp_path: Path) -> None:
    made_folder(tmp_path / "made", load_data(f"imagefolder:{photos}"))
    (clean,) = (tmp_path / "made" / "Clean").rglob("*.png")
    with Image.open(clean) as image:
        expected = np.asarray(image).transpose(2, 0, 1)
    np.testing.assert_array_equal(
        load_picture(f"obfuscated:{tmp_path / 'made'}", "cat/0.png"), expected
    )


def test_what_is_no_picture_is_refused(photos: Path) -> None:
    with pytest.raises(DataError, match=r"expected a picture 'cat/2\.png', found none"):
        load_picture(photos, "cat/2.png")
    with pytest.raises(DataError, match=r"cat/1\.png: expected a picture; it can't be read"):
        load_picture(photos, "cat/1.png")
    with pytest.raises(BenchmarkError, match="expected a benchmark of obfuscations"):
        load_picture(photos, "cat/0.png", "imagenet-ua")
