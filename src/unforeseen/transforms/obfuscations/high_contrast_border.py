"""A faint picture in a border of noise (obfuscations paper, appendix A.4)."""

__all__ = ["HighContrastBorder", "HighContrastBorderParameters"]

from dataclasses import dataclass
from typing import ClassVar

import torch
from torch import Tensor
from typing_extensions import override

from unforeseen.ops.compositing import blend, paste
from unforeseen.ops.resizing import resize
from unforeseen.rng import Stream
from unforeseen.transforms.assets.pack import AssetPack
from unforeseen.transforms.obfuscation import Category, ImageSize, Obfuscation, Parameters, Range
from unforeseen.transforms.obfuscations.placement import shrunk
from unforeseen.transforms.obfuscations.seeds import draw_seed, seeded_stream
from unforeseen.transforms.ranges import drawn_from
from unforeseen.transforms.recorded_values import LONGEST, recorded

_MID_GREY = torch.tensor(0.5)


@dataclass(frozen=True, kw_only=True)
class HighContrastBorderParameters(Parameters):
    """``contrast``: what is left of it; ``height``, ``width``: of the picture; ``seed``: of the border."""

    contrast: float = recorded(minimum=0, maximum=1)
    height: int = recorded(minimum=1, maximum=LONGEST)
    width: int = recorded(minimum=1, maximum=LONGEST)
    seed: int = recorded(minimum=0, maximum=2**53 - 1)


@dataclass(frozen=True, kw_only=True)
class HighContrastBorder(Obfuscation[HighContrastBorderParameters]):
    """The picture loses contrast towards mid-grey, is shrunk, and gets a border of U(0, 1) values.

    Each channel of each pixel of the border is drawn by itself. The picture lies in the middle.
    """

    name: ClassVar[str] = "HighContrastBorder"
    summary: ClassVar[str] = "a faint, small picture inside a border of coloured noise"
    source: ClassVar[str] = (
        "Benchmarking Robustness to Adversarial Image Obfuscations, appendix A.4"
    )
    category: ClassVar[Category] = "composition"
    parameters: ClassVar[type[Parameters]] = HighContrastBorderParameters

    contrast: Range = drawn_from(
        0.1, 0.3, "what distances from mid-grey are multiplied by", minimum=0, maximum=1
    )
    inner: Range = drawn_from(
        0.4,
        0.6,
        "side of what is inside the border, as a share of the whole",
        minimum=0.01,
        maximum=1,
    )

    @override
    def sample(
        self, stream: Stream, size: ImageSize, assets: AssetPack
    ) -> HighContrastBorderParameters:
        contrast, inner = self.contrast.draw(stream), self.inner.draw(stream)
        height, width = shrunk(size, down=inner, across=inner)
        return HighContrastBorderParameters(
            contrast=contrast, height=height, width=width, seed=draw_seed(stream)
        )

    @override
    def apply(
        self, image: Tensor, parameters: HighContrastBorderParameters, assets: AssetPack
    ) -> Tensor:
        noise = seeded_stream(self.name, parameters.seed).uniform(0, 1, tuple(image.shape))
        inner = resize(image, (parameters.height, parameters.width))
        return paste(
            torch.from_numpy(noise).to(image),
            blend(inner, _MID_GREY, 1 - parameters.contrast),
            top=(image.shape[1] - parameters.height) // 2,
            left=(image.shape[2] - parameters.width) // 2,
        )
