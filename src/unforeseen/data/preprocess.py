"""Preprocessing, applied: exactly what torchvision does to Pillow images."""

__all__ = ["apply"]

import torch
from PIL import Image
from torch import Tensor
from torchvision.transforms import InterpolationMode
from torchvision.transforms.v2 import functional

from unforeseen.errors import DataError
from unforeseen.files.decode import to_rgb, upright
from unforeseen.preprocessing import Interpolation, Preprocessing

_INTERPOLATIONS: dict[Interpolation, InterpolationMode] = {
    "nearest": InterpolationMode.NEAREST,
    "bilinear": InterpolationMode.BILINEAR,
    "bicubic": InterpolationMode.BICUBIC,
    "lanczos": InterpolationMode.LANCZOS,
}

# A strip of 1 × 20,000 pixels, resized to 256 × 5,120,000, would take 4 GB.
_MOST_PIXELS = 178_956_970


def apply(image: Image.Image, preprocessing: Preprocessing) -> Tensor:
    """Rotates (if asked), converts to RGB, resizes and crops a picture.

    A picture smaller than the crop is padded with black, as torchvision does.

    Args:
        image: A decoded picture in any mode; see :func:`~unforeseen.files.decode.to_rgb`.
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


def _check_size(image: Image.Image, shorter_side: int) -> None:
    shorter, longer = sorted(image.size)
    if shorter_side * shorter_side * longer // shorter > _MOST_PIXELS:
        raise DataError(
            f"{image.width}×{image.height} pixels, resized to a shorter side of {shorter_side}, "
            f"would be more than {_MOST_PIXELS} pixels"
        )
