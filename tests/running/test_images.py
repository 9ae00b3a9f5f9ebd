from pathlib import Path

import numpy as np
import pytest
import torch
from PIL import Image

from unforeseen.errors import RunError
from unforeseen.running.images import image_path, read_image, save_image


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


@pytest.mark.parametrize("depth", [0, 1, 2], ids=["images", "cell", "picture"])
def test_nothing_is_read_through_a_link_in_a_run_folder(tmp_path: Path, depth: int) -> None:
    folder = tmp_path / "run"
    save_image(folder, "c0ffee", "abc", torch.zeros(3, 32, 32))
    path = image_path(folder, "c0ffee", "abc")
    assert read_image(folder, "c0ffee", "abc") == path.read_bytes()
    place = (path.parent.parent, path.parent, path)[depth]
    elsewhere = place.rename(tmp_path / "elsewhere")
    try:
        place.symlink_to(elsewhere, target_is_directory=elsewhere.is_dir())
    except OSError:
        pytest.skip("this user may not make links")
    with pytest.raises(OSError, match=f"{place.name} is a link, through which nothing is read"):
        read_image(folder, "c0ffee", "abc")


def test_the_run_folder_itself_may_be_a_link(tmp_path: Path) -> None:
    save_image(tmp_path / "run", "c0ffee", "abc", torch.zeros(3, 32, 32))
    try:
        (tmp_path / "link").symlink_to(tmp_path / "run", target_is_directory=True)
    except OSError:
        pytest.skip("this user may not make links")
    content = image_path(tmp_path / "run", "c0ffee", "abc").read_bytes()
    assert read_image(tmp_path / "link", "c0ffee", "abc") == content
