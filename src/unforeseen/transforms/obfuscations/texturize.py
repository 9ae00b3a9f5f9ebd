"""A picture made anew from the texture of a material (obfuscations paper, appendix A.6)."""

__all__ = ["Texturize", "TexturizeParameters"]

from dataclasses import dataclass
from typing import ClassVar

from torch import Tensor
from typing_extensions import override

from unforeseen.rng import Stream
from unforeseen.transforms.assets.manifest import AssetKind
from unforeseen.transforms.assets.pack import AssetPack
from unforeseen.transforms.obfuscation import Category, ImageSize, Obfuscation, Parameters, Range
from unforeseen.transforms.obfuscations.choices import choose
from unforeseen.transforms.obfuscations.stylized import (
    in_style,
    stylized_factor,
    stylized_side,
    stylized_size,
)


@dataclass(frozen=True, kw_only=True)
class TexturizeParameters(Parameters):
    """``texture``: name of the asset; ``height``, ``width``: in which the picture is stylised."""

    texture: str
    height: int = stylized_side()
    width: int = stylized_side()


@dataclass(frozen=True, kw_only=True)
class Texturize(Obfuscation[TexturizeParameters]):
    """Made anew from a material such as brick or bark."""

    name: ClassVar[str] = "Texturize"
    summary: ClassVar[str] = "the picture in the colours and grain of a material"
    source: ClassVar[str] = (
        "Benchmarking Robustness to Adversarial Image Obfuscations, appendix A.6"
    )
    category: ClassVar[Category] = "machine-learning"
    asset_kinds: ClassVar[tuple[AssetKind, ...]] = ("texture",)
    parameters: ClassVar[type[Parameters]] = TexturizeParameters

    factor: Range = stylized_factor()

    @override
    def sample(self, stream: Stream, size: ImageSize, assets: AssetPack) -> TexturizeParameters:
        style = choose(stream, assets.names("texture"))
        height, width = stylized_size(self.factor.draw(stream), size)
        return TexturizeParameters(texture=style, height=height, width=width)

    @override
    def apply(self, image: Tensor, parameters: TexturizeParameters, assets: AssetPack) -> Tensor:
        size = (parameters.height, parameters.width)
        return in_style(image, "texture", parameters.texture, size, assets)
