"""Lines in the picture's colours and in the opposite ones (obfuscations paper, appendix A.2)."""

__all__ = ["InvertLines", "InvertLinesParameters"]

from dataclasses import dataclass
from typing import ClassVar

import torch
from torch import Tensor
from typing_extensions import override

from unforeseen.rng import Stream
from unforeseen.transforms.assets.pack import AssetPack
from unforeseen.transforms.obfuscation import Category, ImageSize, Obfuscation, Parameters, Range
from unforeseen.transforms.obfuscations.choices import DIRECTIONS, Direction, choose
from unforeseen.transforms.obfuscations.lines import alternate_lines
from unforeseen.transforms.ranges import drawn_from
from unforeseen.transforms.recorded_values import LONGEST, recorded


@dataclass(frozen=True, kw_only=True)
class InvertLinesParameters(Parameters):
    """``width``: of a line in pixels; ``direction``: in which lines run."""

    width: int = recorded(minimum=1, maximum=LONGEST)
    direction: Direction


@dataclass(frozen=True, kw_only=True)
class InvertLines(Obfuscation[InvertLinesParameters]):
    """Every other line is inverted, 1 − x; the one along the upper or left border is."""

    name: ClassVar[str] = "InvertLines"
    summary: ClassVar[str] = "every other line in inverted colours"
    source: ClassVar[str] = (
        "Benchmarking Robustness to Adversarial Image Obfuscations, appendix A.2"
    )
    category: ClassVar[Category] = "color"
    parameters: ClassVar[type[Parameters]] = InvertLinesParameters

    width: Range = drawn_from(
        8, 14, "of a line, in pixels at 224", minimum=1, maximum=224, multiple_of=1
    )

    @override
    def sample(self, stream: Stream, size: ImageSize, assets: AssetPack) -> InvertLinesParameters:
        return InvertLinesParameters(
            width=self.width.draw_length(stream, size), direction=choose(stream, DIRECTIONS)
        )

    @override
    def apply(self, image: Tensor, parameters: InvertLinesParameters, assets: AssetPack) -> Tensor:
        inverted = alternate_lines(image, parameters.width, parameters.direction)
        return torch.where(inverted, 1 - image, image)
