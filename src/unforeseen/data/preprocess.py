"""Preprocessing, applied: exactly what torchvision does to Pillow images."""

__all__ = ["apply", "upright"]

import torch
from PIL import Image
from torch import Tensor
from torchvision.transforms import InterpolationMode
from torchvision.transforms.v2 import functional

from unforeseen.data.decode import to_rgb
from unforeseen.errors import DataError
from unforeseen.preprocessing import Interpolation, Preprocessing

_INTERPOLATIONS: dict[Interpolation, InterpolationMode] = {
    "nearest": InterpolationMode.NEAREST,
    "bilinear": InterpolationMode.BILINEAR,
    "bicubic": InterpolationMode.BICUBIC,
    "lanczos": InterpolationMode.LANCZOS,
}

_ORIENTATION_TAG = 0x0112
# EXIF 2.3, table 6: what undoes each value of the tag.
_UPRIGHT = {
    2: Image.Transpose.FLIP_LEFT_RIGHT,
    3: Image.Transpose.ROTATE_180,
    4: Image.Transpose.FLIP_TOP_BOTTOM,
    5: Image.Transpose.TRANSPOSE,
    6: Image.Transpose.ROTATE_270,
    7: Image.Transpose.TRANSVERSE,
    8: Image.Transpose.ROTATE_90,
}

# A strip of 1 × 20,000 pixels, resized to 256 × 5,120,000, would take 4 GB.
_MOST_PIXELS = 178_956_970


def apply(image: Image.Image, preprocessing: Preprocessing) -> Tensor:
    """Rotates (if asked), converts to RGB, resizes and crops a picture.

    A picture smaller than the crop is padded with black, as torchvision does.

    Args:
        image: A decoded picture in any mode; see :func:`~unforeseen.data.decode.to_rgb`.
        preprocessing: What to do.

    Returns:
        (3, H, W), uint8.

    Raises:
        DataError: The pixels have no agreed range, or the resized picture would be huge.
    """
    if preprocessing.exif_rotation:
        image = upright(image)
    image = to_rgb(image)
    if preprocessing.resize is not None:
        sides = preprocessing.resize
        if isinstance(sides, int):
            _check_size(image, sides)
        image = functional.resize(
            image,
            [sides] if isinstance(sides, int) else list(sides),
            interpolation=_INTERPOLATIONS[preprocessing.interpolation],
            antialias=True,
        )
    if preprocessing.crop is not None:
        image = functional.center_crop(image, list(preprocessing.crop))
    pixels: Tensor = functional.pil_to_tensor(image)
    return pixels.to(torch.uint8).contiguous()


def upright(image: Image.Image) -> Image.Image:
    """Turns a decoded picture as its EXIF rotation tag says; one without a readable tag stays."""
    try:
        orientation = image.getexif().get(_ORIENTATION_TAG, 1)
    except Exception:  # noqa: BLE001 - broken EXIF raises nearly anything; it then says nothing
        return image
    return image.transpose(_UPRIGHT[orientation]) if orientation in _UPRIGHT else image


def _check_size(image: Image.Image, shorter_side: int) -> None:
    shorter, longer = sorted(image.size)
    if shorter_side * shorter_side * longer // shorter > _MOST_PIXELS:
        raise DataError(
            f"{image.width}×{image.height} pixels, resized to a shorter side of {shorter_side}, "
            f"would be more than {_MOST_PIXELS} pixels"
        )
