"""A picture on its own blurred self (obfuscations paper, appendix A.4)."""

__all__ = ["BackgroundBlurComposition", "BackgroundBlurCompositionParameters"]

import math
from dataclasses import dataclass
from typing import ClassVar

from torch import Tensor
from typing_extensions import override

from unforeseen.ops.compositing import paste
from unforeseen.ops.resizing import resize
from unforeseen.ops.smoothing import gaussian_blur
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
from unforeseen.transforms.obfuscations.placement import draw_place, shrunk
from unforeseen.transforms.ranges import drawn_from
from unforeseen.transforms.recorded_values import LONGEST, recorded

#: Where the Gaussian is cut off, in σ.
_REACH = 3


@dataclass(frozen=True, kw_only=True)
class BackgroundBlurCompositionParameters(Parameters):
    """``sigma``: of the blur; the rest: where the small picture lies. All in pixels."""

    sigma: float = recorded(minimum=1e-3, maximum=LONGEST)
    top: int = recorded(minimum=0, maximum=LONGEST)
    left: int = recorded(minimum=0, maximum=LONGEST)
    height: int = recorded(minimum=1, maximum=LONGEST)
    width: int = recorded(minimum=1, maximum=LONGEST)


@dataclass(frozen=True, kw_only=True)
class BackgroundBlurComposition(Obfuscation[BackgroundBlurCompositionParameters]):
    """The picture is shrunk and pasted on its own self, which a Gaussian has blurred.

    Beyond its border, the picture that is blurred goes on as its mirror image.
    """

    name: ClassVar[str] = "BackgroundBlurComposition"
    summary: ClassVar[str] = "the picture, small and distorted, on its own blurred self"
    source: ClassVar[str] = (
        "Benchmarking Robustness to Adversarial Image Obfuscations, appendix A.4"
    )
    category: ClassVar[Category] = "composition"
    parameters: ClassVar[type[Parameters]] = BackgroundBlurCompositionParameters

    factor: Range = drawn_from(
        0.22,
        0.36,
        "height's and width's, each drawn by itself, as a share of the picture's",
        minimum=0.01,
        maximum=1,
    )
    sigma: Range = drawn_from(
        6, 12, "width σ of the Gaussian, in pixels at 224", minimum=0.1, maximum=50
    )

    @override
    def sample(
        self, stream: Stream, size: ImageSize, assets: AssetPack
    ) -> BackgroundBlurCompositionParameters:
        down, across = self.factor.draw(stream), self.factor.draw(stream)
        height, width = shrunk(size, down=down, across=across)
        sigma = self.sigma.draw(stream) * scale_of(size)
        top, left = draw_place(stream, (height, width), size)
        return BackgroundBlurCompositionParameters(
            sigma=sigma, top=top, left=left, height=height, width=width
        )

    @override
    def apply(
        self, image: Tensor, parameters: BackgroundBlurCompositionParameters, assets: AssetPack
    ) -> Tensor:
        window = 2 * math.ceil(_REACH * parameters.sigma) + 1
        blurred = gaussian_blur(image[None], window, parameters.sigma)[0].clamp(0, 1)
        small = resize(image, (parameters.height, parameters.width))
        return paste(blurred, small, top=parameters.top, left=parameters.left)
