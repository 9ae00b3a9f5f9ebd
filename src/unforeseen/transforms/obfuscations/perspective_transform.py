"""The picture in perspective on black (obfuscations paper, appendix A.3)."""

__all__ = ["PerspectiveTransform", "PerspectiveTransformParameters"]

from dataclasses import dataclass
from typing import ClassVar

import torch
from torch import Tensor
from typing_extensions import override

from unforeseen.ops.perspective import is_convex, warp
from unforeseen.rng import Stream
from unforeseen.transforms.assets.pack import AssetPack
from unforeseen.transforms.obfuscation import Category, ImageSize, Obfuscation, Parameters, Range
from unforeseen.transforms.ranges import drawn_from

#: Upper left, upper right, lower right and lower left, as shares of width and height.
_QUADRANTS = torch.tensor([[0.25, 0.25], [0.75, 0.25], [0.75, 0.75], [0.25, 0.75]])
#: Of a quadrilateral, its two sides and a diagonal: with less, one side shows next to nothing.
_LEAST_TRIANGLE = 0.15

Point = tuple[float, float]


@dataclass(frozen=True, kw_only=True)
class PerspectiveTransformParameters(Parameters):
    """``corners``: where the upper left, upper right, lower right, lower left one go, x and y in pixels."""

    corners: tuple[Point, Point, Point, Point]


@dataclass(frozen=True, kw_only=True)
class PerspectiveTransform(Obfuscation[PerspectiveTransformParameters]):
    """Each corner goes to a random point near the centre of its quadrant; black lies around.

    Points whose quadrilateral isn't convex, or in which two neighbouring sides span less than 15 % of
    its area, come nearer to the quadrants' centres, by half as often as needed.
    """

    name: ClassVar[str] = "PerspectiveTransform"
    summary: ClassVar[str] = "the picture small and in perspective on black"
    source: ClassVar[str] = (
        "Benchmarking Robustness to Adversarial Image Obfuscations, appendix A.3"
    )
    category: ClassVar[Category] = "transformation"
    parameters: ClassVar[type[Parameters]] = PerspectiveTransformParameters

    spread: Range = drawn_from(
        0.1,
        0.22,
        "how far points lie from the quadrants' centres at most, in each direction, as a share of width and height; drawn once a picture",
        minimum=0,
        maximum=1,
    )

    @override
    def sample(
        self, stream: Stream, size: ImageSize, assets: AssetPack
    ) -> PerspectiveTransformParameters:
        spread = self.spread.draw(stream)
        offsets = torch.from_numpy(stream.uniform(-spread, spread, (4, 2)))
        sides = torch.tensor([size[1], size[0]])
        while not is_convex((_QUADRANTS + offsets) * sides, least_triangle=_LEAST_TRIANGLE):
            offsets = offsets / 2
        corners = ((_QUADRANTS + offsets) * sides).tolist()
        first, second, third, fourth = ((x, y) for x, y in corners)
        return PerspectiveTransformParameters(corners=(first, second, third, fourth))

    @override
    def apply(
        self, image: Tensor, parameters: PerspectiveTransformParameters, assets: AssetPack
    ) -> Tensor:
        height, width = image.shape[1:]
        warped = warp(image, torch.tensor(parameters.corners), (height, width))
        return warped.image * warped.coverage
