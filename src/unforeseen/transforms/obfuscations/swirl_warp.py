"""A swirl about a point (obfuscations paper, appendix A.3).

The fall is that of scikit-image's ``swirl``, and the published example follows it to the corners,
with 2.4 radians and 109 pixels (scikit-image would call that a radius of 786: it counts to where
0.0007 of the strength are left).
"""

__all__ = ["SwirlWarp", "SwirlWarpParameters"]

from dataclasses import dataclass
from typing import ClassVar

from torch import Tensor
from typing_extensions import override

from unforeseen.ops.sampling import pixel_centres, sample_at
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
from unforeseen.transforms.obfuscations.choices import choose
from unforeseen.transforms.ranges import drawn_from
from unforeseen.transforms.recorded_values import LONGEST, recorded


@dataclass(frozen=True, kw_only=True)
class SwirlWarpParameters(Parameters):
    """``strength``: in radians at ``center``, which is x and y in pixels as ``radius``."""

    strength: float = recorded(minimum=-100, maximum=100)
    radius: float = recorded(minimum=1e-3, maximum=LONGEST)
    center: tuple[float, float]


@dataclass(frozen=True, kw_only=True)
class SwirlWarp(Obfuscation[SwirlWarpParameters]):
    """A pixel at distance ρ from the centre shows what lies strength · exp(−ρ / radius) further round.

    Where it looks outside the picture there is its mirror image.
    """

    name: ClassVar[str] = "SwirlWarp"
    summary: ClassVar[str] = "the picture stirred about a point"
    source: ClassVar[str] = (
        "Benchmarking Robustness to Adversarial Image Obfuscations, appendix A.3"
    )
    category: ClassVar[Category] = "transformation"
    parameters: ClassVar[type[Parameters]] = SwirlWarpParameters

    strength: Range = drawn_from(
        2,
        3.3,
        "angle at the centre, in radians, clockwise or counter-clockwise",
        minimum=0,
        maximum=100,
    )
    radius: Range = drawn_from(
        90, 140, "at which 1/e of the strength is left, in pixels at 224", minimum=1, maximum=500
    )
    center: Range = drawn_from(
        1 / 3, 2 / 3, "of the swirl, as shares of width and height", minimum=0, maximum=1
    )

    @override
    def sample(self, stream: Stream, size: ImageSize, assets: AssetPack) -> SwirlWarpParameters:
        height, width = size
        return SwirlWarpParameters(
            strength=self.strength.draw(stream) * choose(stream, (1, -1)),
            radius=self.radius.draw(stream) * scale_of(size),
            center=(self.center.draw(stream) * width, self.center.draw(stream) * height),
        )

    @override
    def apply(self, image: Tensor, parameters: SwirlWarpParameters, assets: AssetPack) -> Tensor:
        height, width = image.shape[1:]
        center_x, center_y = parameters.center
        x, y = pixel_centres(height, width, image)
        across, down = x - center_x, y - center_y
        distance = (across.square() + down.square()).sqrt()
        angle = parameters.strength * (distance / -parameters.radius).exp()
        cosine, sine = angle.cos(), angle.sin()
        return sample_at(
            image,
            center_x + cosine * across - sine * down,
            center_y + sine * across + cosine * down,
            outside="reflection",
        )
