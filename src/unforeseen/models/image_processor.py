"""What an image processor of the Hugging Face library does, in this package's terms.

Its settings say how pictures are resized, cropped and normalised; but what they mean differs from
class to class, so that what was read from them is tried on a picture.
"""

__all__ = ["ImageProcessor", "read_image_processor"]

from collections.abc import Mapping
from typing import Any, NamedTuple

import torch
from PIL import Image
from torch import Tensor

from unforeseen.data.preprocess import apply
from unforeseen.errors import ModelError
from unforeseen.preprocessing import Interpolation, Preprocessing

#: By Pillow's numbers.
_INTERPOLATIONS: Mapping[int, Interpolation] = {
    0: "nearest",
    1: "lanczos",
    2: "bilinear",
    3: "bicubic",
}

#: From this size on, ConvNeXt's processor stretches instead of cropping.
_STRETCHED_FROM = 384

#: Largest difference, pictures in [0, 1], that two libraries' resizing of a smooth picture makes;
#: a crop instead of stretching makes more than 0.1.
_TOLERANCE = 0.02


class ImageProcessor(NamedTuple):
    """How a model wants its pictures.

    Attributes:
        preprocessing: Of 8-bit pictures.
        mean: Subtracted per channel from pictures in [0, 1].
        std: Divided by per channel.
    """

    preprocessing: Preprocessing
    mean: tuple[float, ...]
    std: tuple[float, ...]


def read_image_processor(processor: Any, uri: str) -> ImageProcessor:
    """Reads an image processor's settings and tries them.

    Args:
        processor: As ``AutoImageProcessor`` loads it.
        uri: For errors.

    Raises:
        ModelError: It does more than to resize, crop, rescale and normalise.
    """
    settings: Mapping[str, Any] = processor.to_dict()
    read = ImageProcessor(_preprocessing(settings, uri), *_normalisation(settings))
    picture = _smooth_picture()
    wanted = torch.as_tensor(processor(images=picture, return_tensors="pt")["pixel_values"])[0]
    if not _agree(wanted.float(), picture, read):
        raise ModelError(
            f"{uri}: its image processor ({type(processor).__name__}) does something else than to "
            "resize, crop and normalise as its settings say; on a test picture the results "
            "differ. Load the model in your own code (py:…) and prepare the pictures there."
        )
    return read


def _preprocessing(settings: Mapping[str, Any], uri: str) -> Preprocessing:
    crop = None
    if settings.get("do_center_crop"):
        crop = (settings["crop_size"]["height"], settings["crop_size"]["width"])
    if not settings.get("do_resize"):
        return Preprocessing(crop=crop)
    number = int(settings["resample"])
    if number not in _INTERPOLATIONS:
        raise ModelError(
            f"{uri}: expected an image processor that resizes by one of "
            f"{', '.join(_INTERPOLATIONS.values())}; got Pillow's method {number}. Load the model "
            "in your own code (py:…)."
        )
    interpolation = _INTERPOLATIONS[number]
    size = {key: value for key, value in settings["size"].items() if value is not None}
    side = size.get("shortest_edge")
    if side is None:
        sides = (size.get("height", 0), size.get("width", 0))
        return Preprocessing(resize=sides, crop=crop or sides, interpolation=interpolation)
    share = settings.get("crop_pct")
    if share is None:
        return Preprocessing(resize=side, crop=crop, interpolation=interpolation)
    square = (side, side)
    resize = square if side >= _STRETCHED_FROM else int(side / share)
    return Preprocessing(resize=resize, crop=square, interpolation=interpolation)


def _normalisation(settings: Mapping[str, Any]) -> tuple[tuple[float, ...], tuple[float, ...]]:
    """Mean and std for pictures in [0, 1], whatever the processor's own scale: (255·f·x − m) / s."""
    factor = 255 * settings["rescale_factor"] if settings.get("do_rescale") else 255.0
    if not settings.get("do_normalize"):
        return (0.0,) * 3, (1 / factor,) * 3
    mean = tuple(value / factor for value in settings["image_mean"])
    return mean, tuple(value / factor for value in settings["image_std"])


def _smooth_picture() -> Image.Image:
    """No square, so that stretching and cropping differ; smooth, so that libraries don't."""
    down = torch.linspace(0, 255, 480)[:, None].expand(480, 640)
    across = torch.linspace(0, 255, 640)[None].expand(480, 640)
    pixels = torch.stack((down, across, 255 - (down + across) / 2), dim=-1)
    return Image.fromarray(pixels.to(torch.uint8).numpy())


def _agree(wanted: Tensor, picture: Image.Image, read: ImageProcessor) -> bool:
    own = apply(picture, read.preprocessing).float() / 255
    if own.shape != wanted.shape:
        return False
    mean, std = (torch.tensor(values).view(3, 1, 1) for values in (read.mean, read.std))
    return bool(((wanted * std + mean) - own).abs().max() <= _TOLERANCE)
