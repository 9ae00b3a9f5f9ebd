"""A photo over a picture (obfuscations paper, appendix A.5)."""

__all__ = ["ImageOverlay", "ImageOverlayParameters"]

from dataclasses import dataclass
from typing import ClassVar

from torch import Tensor
from typing_extensions import override

from unforeseen.ops.compositing import blend
from unforeseen.rng import Stream
from unforeseen.transforms.assets.manifest import AssetKind
from unforeseen.transforms.assets.pack import AssetPack
from unforeseen.transforms.obfuscation import Category, ImageSize, Obfuscation, Parameters, Range
from unforeseen.transforms.obfuscations.choices import choose
from unforeseen.transforms.ranges import drawn_from
from unforeseen.transforms.recorded_values import recorded


@dataclass(frozen=True, kw_only=True)
class ImageOverlayParameters(Parameters):
    """``photo``: name of the asset; ``opacity``: its."""

    photo: str
    opacity: float = recorded(minimum=0, maximum=1)


@dataclass(frozen=True, kw_only=True)
class ImageOverlay(Obfuscation[ImageOverlayParameters]):
    """A photo lies over the whole picture, half transparent."""

    name: ClassVar[str] = "ImageOverlay"
    summary: ClassVar[str] = "a half transparent photo over the picture"
    source: ClassVar[str] = (
        "Benchmarking Robustness to Adversarial Image Obfuscations, appendix A.5"
    )
    category: ClassVar[Category] = "overlay"
    asset_kinds: ClassVar[tuple[AssetKind, ...]] = ("photo",)
    parameters: ClassVar[type[Parameters]] = ImageOverlayParameters

    opacity: Range = drawn_from(0.55, 0.63, "of the photo", minimum=0, maximum=1)

    @override
    def sample(self, stream: Stream, size: ImageSize, assets: AssetPack) -> ImageOverlayParameters:
        return ImageOverlayParameters(
            photo=choose(stream, assets.names("photo")), opacity=self.opacity.draw(stream)
        )

    @override
    def apply(self, image: Tensor, parameters: ImageOverlayParameters, assets: AssetPack) -> Tensor:
        height, width = image.shape[1:]
        return blend(image, assets.photo(parameters.photo, (height, width)), parameters.opacity)
