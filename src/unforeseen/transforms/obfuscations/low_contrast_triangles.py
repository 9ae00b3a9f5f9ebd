"""Three interleaved areas of low contrast (obfuscations paper, appendix A.2)."""

__all__ = ["LowContrastTriangles", "LowContrastTrianglesParameters"]

from dataclasses import dataclass
from typing import ClassVar

import torch
from torch import Tensor
from typing_extensions import override

from unforeseen.ops.sampling import pixel_centres
from unforeseen.rng import Stream
from unforeseen.transforms.assets.pack import AssetPack
from unforeseen.transforms.obfuscation import (
    Category,
    ImageSize,
    Obfuscation,
    Parameters,
    Range,
    scale_of,
)
from unforeseen.transforms.ranges import drawn_from
from unforeseen.transforms.recorded_values import LONGEST, recorded

_MID_GREY = 0.5


@dataclass(frozen=True, kw_only=True)
class LowContrastTrianglesParameters(Parameters):
    """``scale``: in pixels; ``contrasts``: what is left of it in the three areas."""

    scale: float = recorded(minimum=1e-3, maximum=LONGEST)
    contrasts: tuple[float, float, float] = recorded(minimum=0, maximum=1)


@dataclass(frozen=True, kw_only=True)
class LowContrastTriangles(Obfuscation[LowContrastTrianglesParameters]):
    """Strips of triangles, in three areas; in each, distances from mid-grey shrink by a factor.

    A strip's triangles are as high as wide and lean to the right; two
    that make a parallelogram belong to the same area. In the first, third … strip every other
    parallelogram is of the first area, in the other strips of the second; the rest, half the picture,
    is of the third. The first area keeps most contrast.
    """

    name: ClassVar[str] = "LowContrastTriangles"
    summary: ClassVar[str] = "a tiling of triangles in three areas, each with its own low contrast"
    source: ClassVar[str] = (
        "Benchmarking Robustness to Adversarial Image Obfuscations, appendix A.2"
    )
    category: ClassVar[Category] = "color"
    held_out: ClassVar[bool] = True
    parameters: ClassVar[type[Parameters]] = LowContrastTrianglesParameters

    scale: Range = drawn_from(
        20,
        48,
        "after how many pixels the pattern repeats, at 224: twice a triangle's height and width",
        minimum=2,
        maximum=448,
    )
    clear: Range = drawn_from(0.3, 0.6, "contrast of the first area", minimum=0, maximum=1)
    faint: Range = drawn_from(0.05, 0.1, "contrasts of the two others", minimum=0, maximum=1)

    @override
    def sample(
        self, stream: Stream, size: ImageSize, assets: AssetPack
    ) -> LowContrastTrianglesParameters:
        return LowContrastTrianglesParameters(
            scale=self.scale.draw(stream) * scale_of(size),
            contrasts=(self.clear.draw(stream), self.faint.draw(stream), self.faint.draw(stream)),
        )

    @override
    def apply(
        self, image: Tensor, parameters: LowContrastTrianglesParameters, assets: AssetPack
    ) -> Tensor:
        height, width = image.shape[1:]
        side = parameters.scale / 2
        x, y = pixel_centres(height, width, image)
        first, second, third = image.new_tensor(parameters.contrasts)
        of_strip = torch.where(y[:, :1] // side % 2 == 0, first, second)
        contrast = torch.where((x + y % side) // side % 2 == 0, third, of_strip)
        return _MID_GREY + contrast * (image - _MID_GREY)
