"""A picture painted anew in the style of a painting (obfuscations paper, appendix A.6)."""

__all__ = ["StyleTransfer", "StyleTransferParameters"]

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
class StyleTransferParameters(Parameters):
    """``painting``: name of the asset; ``height``, ``width``: in which the picture is stylised."""

    painting: str
    height: int = stylized_side()
    width: int = stylized_side()


@dataclass(frozen=True, kw_only=True)
class StyleTransfer(Obfuscation[StyleTransferParameters]):
    """Painted anew with the colours and strokes of a painting."""

    name: ClassVar[str] = "StyleTransfer"
    summary: ClassVar[str] = "the picture in the colours and strokes of a painting"
    source: ClassVar[str] = (
        "Benchmarking Robustness to Adversarial Image Obfuscations, appendix A.6"
    )
    category: ClassVar[Category] = "machine-learning"
    asset_kinds: ClassVar[tuple[AssetKind, ...]] = ("painting",)
    parameters: ClassVar[type[Parameters]] = StyleTransferParameters

    factor: Range = stylized_factor()

    @override
    def sample(self, stream: Stream, size: ImageSize, assets: AssetPack) -> StyleTransferParameters:
        style = choose(stream, assets.names("painting"))
        height, width = stylized_size(self.factor.draw(stream), size)
        return StyleTransferParameters(painting=style, height=height, width=width)

    @override
    def apply(
        self, image: Tensor, parameters: StyleTransferParameters, assets: AssetPack
    ) -> Tensor:
        size = (parameters.height, parameters.width)
        return in_style(image, "painting", parameters.painting, size, assets)
