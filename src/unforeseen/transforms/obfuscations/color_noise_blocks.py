"""Blocks of which one colour channel each is shifted (obfuscations paper, appendix A.2)."""

__all__ = ["ColorNoiseBlocks", "ColorNoiseBlocksParameters"]

from dataclasses import dataclass
from typing import ClassVar

import torch
from torch import Tensor
from typing_extensions import override

from unforeseen.ops.blocks import block_count, spread
from unforeseen.rng import Stream
from unforeseen.transforms.assets.pack import AssetPack
from unforeseen.transforms.obfuscation import Category, ImageSize, Obfuscation, Parameters, Range
from unforeseen.transforms.obfuscations.seeds import draw_seed, seeded_stream
from unforeseen.transforms.ranges import drawn_from
from unforeseen.transforms.recorded_values import LONGEST, recorded


@dataclass(frozen=True, kw_only=True)
class ColorNoiseBlocksParameters(Parameters):
    """``block``: side of a block in pixels; ``seed``: of each block's channel and shift."""

    block: int = recorded(minimum=1, maximum=LONGEST)
    seed: int = recorded(minimum=0, maximum=2**53 - 1)


@dataclass(frozen=True, kw_only=True)
class ColorNoiseBlocks(Obfuscation[ColorNoiseBlocksParameters]):
    """In each block, U(0, 1) is added to one random channel; what exceeds 1 begins at 0 again."""

    name: ClassVar[str] = "ColorNoiseBlocks"
    summary: ClassVar[str] = "a mosaic of blocks, each with one colour channel shifted at random"
    source: ClassVar[str] = (
        "Benchmarking Robustness to Adversarial Image Obfuscations, appendix A.2"
    )
    category: ClassVar[Category] = "color"
    parameters: ClassVar[type[Parameters]] = ColorNoiseBlocksParameters

    block: Range = drawn_from(
        12, 24, "side of a block, in pixels at 224", minimum=1, maximum=224, multiple_of=1
    )

    @override
    def sample(
        self, stream: Stream, size: ImageSize, assets: AssetPack
    ) -> ColorNoiseBlocksParameters:
        return ColorNoiseBlocksParameters(
            block=self.block.draw_length(stream, size), seed=draw_seed(stream)
        )

    @override
    def apply(
        self, image: Tensor, parameters: ColorNoiseBlocksParameters, assets: AssetPack
    ) -> Tensor:
        height, width = image.shape[1:]
        block = parameters.block
        blocks = (block_count(height, block), block_count(width, block))
        stream = seeded_stream(self.name, parameters.seed)
        channel = torch.from_numpy(stream.integers(0, 2, blocks))
        shift = torch.from_numpy(stream.uniform(0, 1, blocks)).to(image.dtype)
        of_blocks = torch.zeros(3, *blocks, dtype=image.dtype)
        of_blocks.scatter_(0, channel[None], shift[None])
        shifted = image + spread(of_blocks.to(image.device), (block, block), (height, width))
        return torch.where(shifted > 1, shifted - 1, shifted)
