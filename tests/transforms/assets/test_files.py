"""Files of a stranger's folder: inside it, of bounded size, as the mode that they are read in."""

import io
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from false_pictures import png_header
from unforeseen.errors import AssetError
from unforeseen.transforms.assets import files
from unforeseen.transforms.assets.files import read_file, read_picture


def link(path: Path, target: Path) -> None:
    try:
        path.symlink_to(target)
    except OSError:
        pytest.skip("this system lets nobody make links")


def test_a_link_that_leads_out_of_the_folder_is_refused(tmp_path: Path) -> None:
    secret = tmp_path / "secret.png"
    secret.write_bytes(b"secret")
    pack = tmp_path / "pack"
    pack.mkdir()
    link(pack / "icon.png", secret)
    with pytest.raises(AssetError, match="leads out of the folder by a link"):
        read_file(pack, "icon.png")


def test_a_folder_that_is_a_link_leads_out_as_well(tmp_path: Path) -> None:
    (tmp_path / "elsewhere").mkdir()
    (tmp_path / "elsewhere" / "icon.png").write_bytes(b"secret")
    pack = tmp_path / "pack"
    pack.mkdir()
    link(pack / "icons", tmp_path / "elsewhere")
    with pytest.raises(AssetError, match="leads out of the folder by a link"):
        read_file(pack, "icons/icon.png")


def test_links_inside_the_folder_and_to_the_folder_are_fine(tmp_path: Path) -> None:
    pack = tmp_path / "pack"
    pack.mkdir()
    (pack / "one.png").write_bytes(b"one")
    link(pack / "two.png", pack / "one.png")
    link(tmp_path / "alias", pack)
    assert read_file(pack, "two.png") == b"one"
    assert read_file(tmp_path / "alias", "one.png") == b"one"


def test_links_in_a_ring_and_folders_are_errors_of_one_line(tmp_path: Path) -> None:
    (tmp_path / "folder.png").mkdir()
    with pytest.raises(AssetError, match="can't be read"):
        read_file(tmp_path, "folder.png")
    with pytest.raises(AssetError, match="can't be read"):
        read_file(tmp_path, "missing.png")
    link(tmp_path / "ring.png", tmp_path / "ring.png")
    with pytest.raises(AssetError, match="can't be read"):
        read_file(tmp_path, "ring.png")


def test_a_larger_file_is_refused_and_not_cut(tmp_path: Path) -> None:
    (tmp_path / "a.bin").write_bytes(b"x" * 1025)
    assert read_file(tmp_path, "a.bin", at_most=1025)
    with pytest.raises(AssetError, match="got a larger file"):
        read_file(tmp_path, "a.bin", at_most=1024)


@pytest.mark.parametrize(("width", "height"), [(5000, 4000), (16_777_217, 1), (100_000, 100_000)])
def test_a_picture_that_would_fill_the_memory_is_refused_by_its_header(
    tmp_path: Path, width: int, height: int
) -> None:
    (tmp_path / "bomb.png").write_bytes(png_header(width, height))
    with pytest.raises(AssetError, match=r"expected at most 16,777,216 pixels|decompression bomb"):
        read_picture(tmp_path, "bomb.png", "RGB")


def test_pictures_up_to_the_limit_are_decoded(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(files, "MOST_PIXELS", 12)
    Image.new("L", (4, 3)).save(tmp_path / "a.png")
    Image.new("L", (13, 1)).save(tmp_path / "b.png")
    assert read_picture(tmp_path, "a.png", "L").size == (4, 3)
    with pytest.raises(AssetError, match="got 13 × 1"):
        read_picture(tmp_path, "b.png", "L")


def test_what_is_no_picture_is_named_with_its_file(tmp_path: Path) -> None:
    (tmp_path / "page.png").write_bytes(b"<!doctype html>")
    with pytest.raises(AssetError, match=r"page\.png: not a picture in one of the formats"):
        read_picture(tmp_path, "page.png", "RGB")


def test_transparent_places_are_white_in_colour_and_do_not_cover_in_grey(tmp_path: Path) -> None:
    layers = Image.new("RGBA", (2, 1), (255, 255, 255, 255))
    layers.putpixel((1, 0), (255, 255, 255, 0))
    layers.save(tmp_path / "layers.png")
    assert np.asarray(read_picture(tmp_path, "layers.png", "RGB")).tolist() == [[[255] * 3] * 2]
    assert np.asarray(read_picture(tmp_path, "layers.png", "L")).tolist() == [[255, 0]]
    opacity = np.asarray(read_picture(tmp_path, "layers.png", "RGBA"))[..., 3]
    assert opacity.tolist() == [[255, 0]]


def test_grey_of_16_bits_is_scaled_in_every_mode(tmp_path: Path) -> None:
    Image.fromarray(np.array([[0, 257 * 100, 65535]], np.uint16)).save(tmp_path / "deep.png")
    for mode, of_each in (("L", 1), ("RGB", 3)):
        picture = np.asarray(read_picture(tmp_path, "deep.png", mode))  # type: ignore[arg-type]  # a Literal
        assert picture.reshape(3, of_each)[:, 0].tolist() == [0, 100, 255]
    assert np.asarray(read_picture(tmp_path, "deep.png", "RGBA"))[0, 1].tolist() == [100] * 3 + [
        255
    ]


def test_pixels_without_an_agreed_range_are_refused(tmp_path: Path) -> None:
    encoded = io.BytesIO()
    Image.new("F", (2, 2)).save(encoded, "TIFF")
    (tmp_path / "float.tif").write_bytes(encoded.getvalue())
    with pytest.raises(AssetError, match="floating-point"):
        read_picture(tmp_path, "float.tif", "L")


def test_a_cameras_rotation_tag_is_obeyed_as_corners_are_given_as_one_sees_them(
    tmp_path: Path,
) -> None:
    """Tag 6: the stored picture's left edge is the upper one of what viewers show."""
    stored = Image.fromarray(np.array([[10, 20, 30]], np.uint8))
    exif = Image.Exif()
    exif[0x0112] = 6
    stored.save(tmp_path / "turned.png", exif=exif)
    assert np.asarray(read_picture(tmp_path, "turned.png", "L")).tolist() == [[10], [20], [30]]
