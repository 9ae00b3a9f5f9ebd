"""Lines moved to and fro (obfuscations paper, appendix A.3)."""

__all__ = ["LineShift", "LineShiftParameters"]

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
class LineShiftParameters(Parameters):
    """``width``: of a line, ``length``: by which it moves, in pixels; ``direction``: in which lines run."""

    width: int = recorded(minimum=1, maximum=LONGEST)
    length: int = recorded(minimum=1, maximum=LONGEST)
    direction: Direction


@dataclass(frozen=True, kw_only=True)
class LineShift(Obfuscation[LineShiftParameters]):
    """Lines move along themselves, one to the right and the next to the left (or down and up).

    What leaves the picture comes back at the other side.
    """

    name: ClassVar[str] = "LineShift"
    summary: ClassVar[str] = "thin lines moved along themselves, to and fro"
    source: ClassVar[str] = (
        "Benchmarking Robustness to Adversarial Image Obfuscations, appendix A.3"
    )
    category: ClassVar[Category] = "transformation"
    parameters: ClassVar[type[Parameters]] = LineShiftParameters

    width: Range = drawn_from(
        2, 6, "of a line, in pixels at 224", minimum=1, maximum=224, multiple_of=1
    )
    length: Range = drawn_from(
        6, 14, "by which lines move, in pixels at 224", minimum=1, maximum=224, multiple_of=1
    )

    @override
    def sample(self, stream: Stream, size: ImageSize, assets: AssetPack) -> LineShiftParameters:
        return LineShiftParameters(
            width=self.width.draw_length(stream, size),
            length=self.length.draw_length(stream, size),
            direction=choose(stream, DIRECTIONS),
        )

    @override
    def apply(self, image: Tensor, parameters: LineShiftParameters, assets: AssetPack) -> Tensor:
        forth = alternate_lines(image, parameters.width, parameters.direction)
        along = 2 if parameters.direction == "horizontal" else 1
        length = parameters.length
        return torch.where(forth, image.roll(length, along), image.roll(-length, along))
