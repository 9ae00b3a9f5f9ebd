"""The picture as a coarse print (obfuscations paper, appendix A.2)."""

__all__ = ["Halftoning", "HalftoningParameters"]

from dataclasses import dataclass
from typing import ClassVar, Literal, get_args

import torch
from torch import Tensor
from typing_extensions import override

from unforeseen.ops.halftone import halftone, scatter_pixels
from unforeseen.rng import Stream
from unforeseen.transforms.assets.pack import AssetPack
from unforeseen.transforms.obfuscation import Category, ImageSize, Obfuscation, Parameters, Range
from unforeseen.transforms.obfuscations.choices import choose
from unforeseen.transforms.obfuscations.seeds import draw_seed, seeded_stream
from unforeseen.transforms.ranges import drawn_from
from unforeseen.transforms.recorded_values import LONGEST, recorded

Technique = Literal["disc", "square", "zigzag", "pixels"]

TECHNIQUES: tuple[Technique, ...] = get_args(Technique)

#: By which the screens of red, green and blue are turned, in degrees.
_ANGLES = (0.0, 15.0, 30.0)
#: With less, blocks have next to no shades.
_LEAST_BLOCK = 3


@dataclass(frozen=True, kw_only=True)
class HalftoningParameters(Parameters):
    """``technique``: what blocks become; ``block``: side in pixels; ``seed``: of ``pixels``."""

    technique: Technique
    block: int = recorded(minimum=3, maximum=LONGEST)
    seed: int = recorded(minimum=0, maximum=2**53 - 1)


@dataclass(frozen=True, kw_only=True)
class Halftoning(Obfuscation[HalftoningParameters]):
    """In each channel, blocks become white shapes on black that have the block's mean as their area.

    Discs, squares, zigzag lines or random pixels. As in print, the three channels'
    screens are turned against each other; but for random pixels, which need no screen.
    """

    name: ClassVar[str] = "Halftoning"
    summary: ClassVar[str] = "a coarse print: discs, squares, zigzags or pixels of each colour"
    source: ClassVar[str] = (
        "Benchmarking Robustness to Adversarial Image Obfuscations, appendix A.2"
    )
    category: ClassVar[Category] = "color"
    parameters: ClassVar[type[Parameters]] = HalftoningParameters

    block: Range = drawn_from(
        3,
        4,
        "side of a block, in pixels at 224, but for zigzags",
        minimum=3,
        maximum=224,
        multiple_of=1,
    )
    zigzag: Range = drawn_from(
        4,
        5,
        "side of a zigzag's block, in pixels at 224: only from 5 on has a line room to go up and down twice",
        minimum=3,
        maximum=224,
        multiple_of=1,
    )

    @override
    def sample(self, stream: Stream, size: ImageSize, assets: AssetPack) -> HalftoningParameters:
        technique = choose(stream, TECHNIQUES)
        block = self.zigzag if technique == "zigzag" else self.block
        return HalftoningParameters(
            technique=technique,
            block=block.draw_length(stream, size, least=_LEAST_BLOCK),
            seed=draw_seed(stream),
        )

    @override
    def apply(self, image: Tensor, parameters: HalftoningParameters, assets: AssetPack) -> Tensor:
        if parameters.technique == "pixels":
            stream = seeded_stream(self.name, parameters.seed)
            return scatter_pixels(image, parameters.block, stream)
        return torch.stack(
            [
                halftone(plane, parameters.block, angle, parameters.technique)
                for plane, angle in zip(image, _ANGLES, strict=True)
            ]
        )
