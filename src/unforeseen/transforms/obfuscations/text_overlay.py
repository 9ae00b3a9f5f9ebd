"""A text all over a picture (obfuscations paper, appendix A.5)."""

__all__ = ["TextOverlay", "TextOverlayParameters"]

from dataclasses import dataclass
from typing import ClassVar

from torch import Tensor
from typing_extensions import override

from unforeseen.ops.compositing import blend, tiled
from unforeseen.rng import Stream
from unforeseen.transforms.assets.manifest import AssetKind
from unforeseen.transforms.assets.pack import AssetPack
from unforeseen.transforms.obfuscation import Category, ImageSize, Obfuscation, Parameters, Range
from unforeseen.transforms.obfuscations.choices import choose
from unforeseen.transforms.obfuscations.colors import COLORS, ColorName, color_planes
from unforeseen.transforms.ranges import drawn_from
from unforeseen.transforms.recorded_values import LONGEST, recorded


@dataclass(frozen=True, kw_only=True)
class TextOverlayParameters(Parameters):
    """``text``: name of the asset; ``color``: its; ``height``: of its line, in pixels."""

    text: str
    color: ColorName
    height: int = recorded(minimum=1, maximum=LONGEST)


@dataclass(frozen=True, kw_only=True)
class TextOverlay(Obfuscation[TextOverlayParameters]):
    """A line of text is repeated all over the picture, in one colour and opaque.

    All lines begin at the left border, so that equal letters stand below each other.
    """

    name: ClassVar[str] = "TextOverlay"
    summary: ClassVar[str] = "the same text again and again, in one colour"
    source: ClassVar[str] = (
        "Benchmarking Robustness to Adversarial Image Obfuscations, appendix A.5"
    )
    category: ClassVar[Category] = "overlay"
    asset_kinds: ClassVar[tuple[AssetKind, ...]] = ("text",)
    parameters: ClassVar[type[Parameters]] = TextOverlayParameters

    height: Range = drawn_from(
        10, 15, "of a line, in pixels at 224", minimum=4, maximum=224, multiple_of=1
    )

    @override
    def sample(self, stream: Stream, size: ImageSize, assets: AssetPack) -> TextOverlayParameters:
        return TextOverlayParameters(
            text=choose(stream, assets.names("text")),
            color=choose(stream, COLORS),
            height=self.height.draw_length(stream, size),
        )

    @override
    def apply(self, image: Tensor, parameters: TextOverlayParameters, assets: AssetPack) -> Tensor:
        height, width = image.shape[1:]
        letters = assets.text(parameters.text, parameters.height).to(image)
        return blend(image, color_planes(parameters.color, image), tiled(letters, (height, width)))
