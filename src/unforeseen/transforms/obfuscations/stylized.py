"""What StyleTransfer and Texturize share: a picture resized, made anew in a style, and back to size."""

__all__ = ["in_style", "stylized_factor", "stylized_side", "stylized_size"]

from typing import Any

import torch
from torch import Tensor

from unforeseen.errors import DataError
from unforeseen.ops.resizing import resize
from unforeseen.stylization.names import StyleKind
from unforeseen.stylization.network import SMALLEST_SIDE
from unforeseen.transforms.assets.pack import AssetPack
from unforeseen.transforms.ranges import ImageSize, drawn_from, scale_of
from unforeseen.transforms.recorded_values import recorded

#: No picture is stylised in a larger size than this many times the paper's.
_LARGEST_FACTOR = 4
#: Nor with longer sides, which only strips have: they would fill the memory.
_LONGEST_SIDE = 4096


def stylized_factor() -> Any:
    """A field of an obfuscation: what :func:`stylized_size` enlarges by."""
    meaning = (
        "shorter side while stylised, in multiples of 224 pixels: the larger, the finer the strokes"
    )
    return drawn_from(1, 2, meaning, minimum=1, maximum=_LARGEST_FACTOR)


def stylized_side() -> Any:
    """A field of a record: one side of the picture while it is stylised, in pixels."""
    return recorded(minimum=SMALLEST_SIDE, maximum=_LONGEST_SIDE)


def stylized_size(factor: float, size: ImageSize) -> ImageSize:
    """Height and width in which a picture is stylised: ``factor`` times as large as one of 224 pixels.

    A network's strokes are so many pixels wide, whatever the picture. So that they are as wide *beside
    the picture* in every size, larger and smaller ones are first brought to that of the paper. Up to
    factor 2, pictures larger than 448 pixels are reduced so, and enlarged again afterwards.

    Args:
        factor: Enlargement beyond 224 pixels of the shorter side.
        size: Of the picture.
    """
    scale = min(factor / scale_of(size), _LONGEST_SIDE / max(size))
    height, width = (max(SMALLEST_SIDE, round(side * scale)) for side in size)
    return height, width


def in_style(
    image: Tensor, kind: StyleKind, style: str, size: ImageSize, assets: AssetPack
) -> Tensor:
    """Makes a picture anew in a style. The larger it is meanwhile, the finer are the strokes.

    Args:
        image: (3, H, W) in [0, 1].
        kind: Of the style.
        style: Its name.
        size: Height and width in pixels in which it is stylised.
        assets: Hold the network.

    Returns:
        (3, H, W) in [0, 1].

    Raises:
        DataError: The size isn't one that :func:`stylized_size` gives for this picture.
        AssetError: The assets have no network that can be used.
        UnknownNameError: They have no such style.
    """
    assets.asset(kind, style)  # The network may know others, which aren't the pack's.
    height, width = image.shape[1:]
    _expect_fitting(size, (height, width))
    whole = resize(image.to("cpu", torch.float32), size)
    made = resize(assets.stylization.stylise(whole, kind, style), (height, width))
    return made.to(image)


def _expect_fitting(size: ImageSize, picture: ImageSize) -> None:
    """Raises where no factor gives ``size``, to within a pixel: a record of any other fills the memory."""
    longer = picture.index(max(picture))
    factor = size[longer] / picture[longer] * scale_of(picture)
    expected = stylized_size(min(factor, _LARGEST_FACTOR), picture)
    if any(abs(one - other) > 1 for one, other in zip(size, expected, strict=True)):
        raise DataError(
            f"parameters: expected, while stylised, the shape of the picture, {picture[1]}×{picture[0]}, "
            f"and a shorter side of at most {_LARGEST_FACTOR * 224} pixels; got {size[1]}×{size[0]}."
        )
