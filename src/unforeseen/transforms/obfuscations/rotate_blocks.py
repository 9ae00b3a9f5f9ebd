"""Blocks whose four quarters change places (obfuscations paper, appendix A.3)."""

__all__ = ["RotateBlocks", "RotateBlocksParameters"]

from dataclasses import dataclass
from typing import ClassVar

import torch
from torch import Tensor
from typing_extensions import override

from unforeseen.rng import Stream
from unforeseen.transforms.assets.pack import AssetPack
from unforeseen.transforms.obfuscation import Category, ImageSize, Obfuscation, Parameters, Range
from unforeseen.transforms.ranges import drawn_from
from unforeseen.transforms.recorded_values import LONGEST, recorded

#: Places (row, column) of a block's quarters, counter-clockwise.
_PLACES = ((0, 0), (1, 0), (1, 1), (0, 1))


@dataclass(frozen=True, kw_only=True)
class RotateBlocksParameters(Parameters):
    """``quarter``: side of a block's quarter in pixels; ``rotations``: by how many places it moves."""

    quarter: int = recorded(minimum=1, maximum=LONGEST)
    rotations: int = recorded(minimum=1, maximum=3)


@dataclass(frozen=True, kw_only=True)
class RotateBlocks(Obfuscation[RotateBlocksParameters]):
    """The quarters of each block move counter-clockwise; none of them is turned itself.

    What is left of the picture at its right and lower border, narrower than a block, stays.
    """

    name: ClassVar[str] = "RotateBlocks"
    summary: ClassVar[str] = "small blocks, the four quarters of each in other places"
    source: ClassVar[str] = (
        "Benchmarking Robustness to Adversarial Image Obfuscations, appendix A.3"
    )
    category: ClassVar[Category] = "transformation"
    parameters: ClassVar[type[Parameters]] = RotateBlocksParameters

    block: Range = drawn_from(
        6,
        8,
        "side of a block, in pixels at 224: twice a quarter's",
        minimum=2,
        maximum=224,
        multiple_of=2,
    )
    rotations: Range = drawn_from(
        1, 3, "by how many places quarters move", minimum=1, maximum=3, multiple_of=1
    )

    @override
    def sample(self, stream: Stream, size: ImageSize, assets: AssetPack) -> RotateBlocksParameters:
        quarter = Range(self.block.low / 2, self.block.high / 2)
        return RotateBlocksParameters(
            quarter=quarter.draw_length(stream, size),
            rotations=self.rotations.draw_integer(stream),
        )

    @override
    def apply(self, image: Tensor, parameters: RotateBlocksParameters, assets: AssetPack) -> Tensor:
        quarter = parameters.quarter
        rows, columns = (length // (2 * quarter) for length in image.shape[1:])
        whole = (slice(None), slice(rows * 2 * quarter), slice(columns * 2 * quarter))
        before = image[whole].reshape(3, rows, 2, quarter, columns, 2, quarter)
        after = torch.empty_like(before)
        for index, (row, column) in enumerate(_PLACES):
            to_row, to_column = _PLACES[(index + parameters.rotations) % len(_PLACES)]
            after[:, :, to_row, :, :, to_column] = before[:, :, row, :, :, column]
        rotated = image.clone()
        rotated[whole] = after.reshape(image[whole].shape)
        return rotated
