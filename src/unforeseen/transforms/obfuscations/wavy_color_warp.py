"""Waves through the picture, and other colours (obfuscations paper, appendix A.3).

The published example moves columns only, with a wavelength of 9.55 pixels, by up to 2.2.
"""

__all__ = ["WavyColorWarp", "WavyColorWarpParameters"]

import math
from dataclasses import dataclass
from typing import ClassVar

from torch import Tensor
from typing_extensions import override

from unforeseen.ops.hue import shift_hue
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
from unforeseen.transforms.ranges import drawn_from
from unforeseen.transforms.recorded_values import LONGEST, recorded


@dataclass(frozen=True, kw_only=True)
class WavyColorWarpParameters(Parameters):
    """``wavelength``, ``down``, ``across``: in pixels; ``hue``: shift, 1 is the whole circle."""

    wavelength: float = recorded(minimum=1e-3, maximum=LONGEST)
    down: float = recorded(minimum=0, maximum=LONGEST)
    across: float = recorded(minimum=0, maximum=LONGEST)
    hue: float = recorded(minimum=-1, maximum=1)


@dataclass(frozen=True, kw_only=True)
class WavyColorWarp(Obfuscation[WavyColorWarpParameters]):
    """Columns move up and down and rows to and fro in sine waves; all hues turn.

    The pixel (x, y) shows what lies at (x + across · sin(2πy/λ), y + down · sin(2πx/λ)), black outside
    the picture, its hue raised.
    """

    name: ClassVar[str] = "WavyColorWarp"
    summary: ClassVar[str] = "waves through the picture, all hues turned"
    source: ClassVar[str] = (
        "Benchmarking Robustness to Adversarial Image Obfuscations, appendix A.3"
    )
    category: ClassVar[Category] = "transformation"
    parameters: ClassVar[type[Parameters]] = WavyColorWarpParameters

    wavelength: Range = drawn_from(15, 25, "λ, in pixels at 224", minimum=2, maximum=500)
    down: Range = drawn_from(
        2.5, 3.8, "by how much columns move at most, in pixels at 224", minimum=0, maximum=224
    )
    across: Range = drawn_from(
        0, 1.3, "by how much rows move at most, in pixels at 224", minimum=0, maximum=224
    )
    hue: Range = drawn_from(
        0.15, 0.85, "by which hues are raised; 1 is the whole circle", minimum=-1, maximum=1
    )

    @override
    def sample(self, stream: Stream, size: ImageSize, assets: AssetPack) -> WavyColorWarpParameters:
        return WavyColorWarpParameters(
            wavelength=self.wavelength.draw(stream) * scale_of(size),
            down=self.down.draw(stream) * scale_of(size),
            across=self.across.draw(stream) * scale_of(size),
            hue=self.hue.draw(stream),
        )

    @override
    def apply(
        self, image: Tensor, parameters: WavyColorWarpParameters, assets: AssetPack
    ) -> Tensor:
        height, width = image.shape[1:]
        x, y = pixel_centres(height, width, image)
        turns = 2 * math.pi / parameters.wavelength
        wavy = sample_at(
            image,
            x + parameters.across * (turns * y[:, :1]).sin(),
            y + parameters.down * (turns * x[:1]).sin(),
            outside="zeros",
        )
        return shift_hue(wavy, parameters.hue)
