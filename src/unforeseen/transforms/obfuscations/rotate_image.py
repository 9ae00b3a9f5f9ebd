"""The picture turned about its centre (obfuscations paper, appendix A.3)."""

__all__ = ["RotateImage", "RotateImageParameters"]

import math
from dataclasses import dataclass
from typing import ClassVar

from torch import Tensor
from typing_extensions import override

from unforeseen.ops.sampling import pixel_centres, sample_at
from unforeseen.rng import Stream
from unforeseen.transforms.assets.pack import AssetPack
from unforeseen.transforms.obfuscation import Category, ImageSize, Obfuscation, Parameters, Range
from unforeseen.transforms.ranges import drawn_from
from unforeseen.transforms.recorded_values import recorded


@dataclass(frozen=True, kw_only=True)
class RotateImageParameters(Parameters):
    """``angle``: in degrees, counter-clockwise."""

    angle: float = recorded(minimum=-360, maximum=360)


@dataclass(frozen=True, kw_only=True)
class RotateImage(Obfuscation[RotateImageParameters]):
    """Rotation about the centre; corners are cut off, and what becomes empty is black."""

    name: ClassVar[str] = "RotateImage"
    summary: ClassVar[str] = "the picture turned about its centre"
    source: ClassVar[str] = (
        "Benchmarking Robustness to Adversarial Image Obfuscations, appendix A.3"
    )
    category: ClassVar[Category] = "transformation"
    parameters: ClassVar[type[Parameters]] = RotateImageParameters

    angle: Range = drawn_from(45, 315, "in degrees, counter-clockwise", minimum=-360, maximum=360)

    @override
    def sample(self, stream: Stream, size: ImageSize, assets: AssetPack) -> RotateImageParameters:
        return RotateImageParameters(angle=self.angle.draw(stream))

    @override
    def apply(self, image: Tensor, parameters: RotateImageParameters, assets: AssetPack) -> Tensor:
        height, width = image.shape[1:]
        x, y = pixel_centres(height, width, image)
        across, down = x - width / 2, y - height / 2
        cosine = math.cos(math.radians(parameters.angle))
        sine = math.sin(math.radians(parameters.angle))
        return sample_at(
            image,
            width / 2 + cosine * across - sine * down,
            height / 2 + sine * across + cosine * down,
            outside="zeros",
        )
