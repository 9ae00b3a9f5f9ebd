"""Lines of a picture and of a photo in turn (obfuscations paper, appendix A.5)."""

__all__ = ["Interleave", "InterleaveParameters"]

from dataclasses import dataclass
from typing import ClassVar

from torch import Tensor
from typing_extensions import override

from unforeseen.ops.compositing import blend
from unforeseen.rng import Stream
from unforeseen.transforms.assets.manifest import AssetKind
from unforeseen.transforms.assets.pack import AssetPack
from unforeseen.transforms.obfuscation import Category, ImageSize, Obfuscation, Parameters, Range
from unforeseen.transforms.obfuscations.choices import DIRECTIONS, Direction, choose
from unforeseen.transforms.obfuscations.lines import alternate_lines
from unforeseen.transforms.ranges import drawn_from
from unforeseen.transforms.recorded_values import LONGEST, recorded


@dataclass(frozen=True, kw_only=True)
class InterleaveParameters(Parameters):
    """``photo``: name of the asset; ``opacity``: its; ``width``, ``direction``: of the lines."""

    photo: str
    direction: Direction
    width: int = recorded(minimum=1, maximum=LONGEST)
    opacity: float = recorded(minimum=0, maximum=1)


@dataclass(frozen=True, kw_only=True)
class Interleave(Obfuscation[InterleaveParameters]):
    """Every other line of the picture is replaced by that of a photo, nearly opaque.

    The line along the upper or left border is the photo's.
    """

    name: ClassVar[str] = "Interleave"
    summary: ClassVar[str] = "the picture and a photo in alternate lines"
    source: ClassVar[str] = (
        "Benchmarking Robustness to Adversarial Image Obfuscations, appendix A.5"
    )
    category: ClassVar[Category] = "overlay"
    asset_kinds: ClassVar[tuple[AssetKind, ...]] = ("photo",)
    parameters: ClassVar[type[Parameters]] = InterleaveParameters

    width: Range = drawn_from(
        6, 16, "of a line, in pixels at 224", minimum=1, maximum=224, multiple_of=1
    )
    opacity: Range = drawn_from(0.85, 1, "of the photo's lines", minimum=0, maximum=1)

    @override
    def sample(self, stream: Stream, size: ImageSize, assets: AssetPack) -> InterleaveParameters:
        return InterleaveParameters(
            photo=choose(stream, assets.names("photo")),
            direction=choose(stream, DIRECTIONS),
            width=self.width.draw_length(stream, size),
            opacity=self.opacity.draw(stream),
        )

    @override
    def apply(self, image: Tensor, parameters: InterleaveParameters, assets: AssetPack) -> Tensor:
        height, width = image.shape[1:]
        lines = alternate_lines(image, parameters.width, parameters.direction)
        photo = assets.photo(parameters.photo, (height, width))
        return blend(image, photo, lines.to(image.dtype) * parameters.opacity)
