from pathlib import Path

import numpy as np
import pytest
import torch
from PIL import Image

from unforeseen.errors import RunError
from unforeseen.running.images import image_path, save_image


def test_a_saved_picture_holds_each_value_rounded_to_8_bits(tmp_path: Path) -> None:
    picture = torch.rand(3, 33, 47, generator=torch.Generator().manual_seed(0))
    picture[:, 0, 0] = torch.tensor([0.0, 1.0, 0.5])
    save_image(tmp_path, "c0ffee", "abc#2", picture)
    path = image_path(tmp_path, "c0ffee", "abc#2")
    assert path == tmp_path / "images" / "c0ffee" / "abc#2.png"
    with Image.open(path) as image:
        assert (image.format, image.mode) == ("PNG", "RGB")
        pixels = np.asarray(image)
    expected = np.rint(picture.numpy() * np.float32(255)).transpose(1, 2, 0)
    np.testing.assert_array_equal(pixels, expected)
    assert [file.name for file in path.parent.iterdir()] == [path.name]


def test_a_folder_that_cannot_be_written_is_told(tmp_path: Path) -> None:
    (tmp_path / "images").write_text("in the way")
    with pytest.raises(RunError, match="can't be written"):
        save_image(tmp_path, "c0ffee", "abc", torch.zeros(3, 32, 32))
