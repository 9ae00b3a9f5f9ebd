"""Preprocessing against torchvision's classic transforms and Pillow."""

import io

import numpy as np
import pytest
import torch
from PIL import Image, ImageOps
from torchvision import transforms

from data.in_memory import noise
from unforeseen.data.preprocess import apply
from unforeseen.errors import DataError
from unforeseen.preprocessing import Interpolation, Preprocessing

SIZES = [(32, 32), (33, 47), (128, 224), (300, 201), (1, 1), (5, 640)]


def with_orientation(picture: np.ndarray, orientation: int) -> Image.Image:
    exif = Image.Exif()
    exif[0x0112] = orientation
    buffer = io.BytesIO()
    Image.fromarray(picture).save(buffer, "PNG", exif=exif)
    return Image.open(buffer)


@pytest.mark.parametrize("interpolation", ["nearest", "bilinear", "bicubic", "lanczos"])
@pytest.mark.parametrize("size", SIZES)
def test_equals_torchvisions_classic_transforms(
    size: tuple[int, int], interpolation: Interpolation
) -> None:
    image = Image.fromarray(noise(*size))
    preprocessing = Preprocessing(resize=73, crop=(64, 61), interpolation=interpolation)
    classic = transforms.Compose(
        [
            transforms.Resize(73, interpolation=transforms.InterpolationMode(interpolation)),
            transforms.CenterCrop((64, 61)),
            transforms.PILToTensor(),
        ]
    )
    result = apply(image, preprocessing)
    assert result.dtype == torch.uint8
    assert torch.equal(result, classic(image))


@pytest.mark.parametrize("size", SIZES)
def test_two_sides_stretch_the_picture_as_torchvision_does(size: tuple[int, int]) -> None:
    image = Image.fromarray(noise(*size))
    result = apply(image, Preprocessing(resize=(40, 56), crop=(40, 56), interpolation="bicubic"))
    resize = transforms.Resize((40, 56), interpolation=transforms.InterpolationMode.BICUBIC)
    assert torch.equal(result, transforms.PILToTensor()(resize(image)))


@pytest.mark.parametrize("size", SIZES)
def test_neither_resize_nor_crop_leaves_the_pixels(size: tuple[int, int]) -> None:
    expected = torch.from_numpy(noise(*size)).permute(2, 0, 1)
    assert torch.equal(apply(Image.fromarray(noise(*size)), Preprocessing()), expected)


def test_a_picture_smaller_than_the_crop_is_padded_with_black() -> None:
    result = apply(Image.fromarray(noise(3, 3)), Preprocessing(crop=(5, 7)))
    expected = torch.zeros(3, 5, 7, dtype=torch.uint8)
    expected[:, 1:4, 2:5] = torch.from_numpy(noise(3, 3)).permute(2, 0, 1)
    assert torch.equal(result, expected)


def test_grey_scale_becomes_three_channels() -> None:
    assert apply(Image.new("L", (188, 128), 7), Preprocessing()).shape == (3, 128, 188)


@pytest.mark.parametrize("orientation", range(1, 9))
def test_exif_rotation_equals_pillows(orientation: int) -> None:
    image = with_orientation(noise(6, 9), orientation)
    upright = apply(image, Preprocessing(exif_rotation=True))
    expected = np.asarray(ImageOps.exif_transpose(image))
    assert torch.equal(upright, torch.from_numpy(expected.copy()).permute(2, 0, 1))


def test_exif_rotation_is_ignored_unless_asked() -> None:
    image = with_orientation(noise(6, 9), 6)
    assert torch.equal(
        apply(image, Preprocessing()), torch.from_numpy(noise(6, 9)).permute(2, 0, 1)
    )


@pytest.mark.parametrize("exif", [b"Exif\x00\x00\xff\xff\xff", b"Exif\x00\x00II*\x00\x08", b""])
def test_broken_exif_says_nothing(exif: bytes) -> None:
    image = Image.fromarray(noise(6, 9))
    image.info["exif"] = exif
    assert apply(image, Preprocessing(exif_rotation=True)).shape == (3, 6, 9)


def test_a_strip_that_would_fill_the_memory_is_refused() -> None:
    with pytest.raises(DataError, match="20000×1 pixels, resized"):
        apply(Image.new("RGB", (20_000, 1)), Preprocessing(resize=256, crop=(224, 224)))
