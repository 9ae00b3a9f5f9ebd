"""A grey picture behind a coloured pattern (obfuscations paper, appendix A.5)."""

__all__ = ["ColorPatternOverlay", "ColorPatternOverlayParameters"]

from dataclasses import dataclass
from typing import ClassVar

from torch import Tensor
from torchvision.transforms.v2.functional import rgb_to_grayscale
from typing_extensions import override

from unforeseen.ops.compositing import blend, tiled
from unforeseen.rng import Stream
from unforeseen.transforms.assets.manifest import AssetKind
from unforeseen.transforms.assets.pack import AssetPack
from unforeseen.transforms.obfuscation import Category, ImageSize, Obfuscation, Parameters, Range
from unforeseen.transforms.obfuscations.choices import choose
from unforeseen.transforms.obfuscations.colors import COLORS, ColorName, color_planes
from unforeseen.transforms.ranges import drawn_from
from unforeseen.transforms.recorded_values import LONGEST, recorded


@dataclass(frozen=True, kw_only=True)
class ColorPatternOverlayParameters(Parameters):
    """``pattern``: name of the asset; ``side``: of its tile in pixels; ``color``, ``opacity``: its."""

    pattern: str
    color: ColorName
    side: int = recorded(minimum=1, maximum=LONGEST)
    opacity: float = recorded(minimum=0, maximum=1)


@dataclass(frozen=True, kw_only=True)
class ColorPatternOverlay(Obfuscation[ColorPatternOverlayParameters]):
    """The picture turns grey; a pattern in one colour lies over it, and lets some of it shine through.

    The paper speaks of a low grade of transparency. With opacities above 0.5, which it may mean, too
    many pictures could no longer be recognised here.
    """

    name: ClassVar[str] = "ColorPatternOverlay"
    summary: ClassVar[str] = (
        "the picture in grey behind a pattern in one colour, through which it shines"
    )
    source: ClassVar[str] = (
        "Benchmarking Robustness to Adversarial Image Obfuscations, appendix A.5"
    )
    category: ClassVar[Category] = "overlay"
    held_out: ClassVar[bool] = True
    asset_kinds: ClassVar[tuple[AssetKind, ...]] = ("pattern",)
    parameters: ClassVar[type[Parameters]] = ColorPatternOverlayParameters

    side: Range = drawn_from(
        48,
        72,
        "side of the pattern's tile, in pixels at 224; the default pack's repeat four times in it",
        minimum=4,
        maximum=224,
        multiple_of=1,
    )
    opacity: Range = drawn_from(0.4, 0.5, "of the pattern where it covers", minimum=0, maximum=1)

    @override
    def sample(
        self, stream: Stream, size: ImageSize, assets: AssetPack
    ) -> ColorPatternOverlayParameters:
        return ColorPatternOverlayParameters(
            pattern=choose(stream, assets.names("pattern")),
            color=choose(stream, COLORS),
            side=self.side.draw_length(stream, size),
            opacity=self.opacity.draw(stream),
        )

    @override
    def apply(
        self, image: Tensor, parameters: ColorPatternOverlayParameters, assets: AssetPack
    ) -> Tensor:
        height, width = image.shape[1:]
        tile = assets.pattern(parameters.pattern, parameters.side).to(image)
        covered = tiled(tile, (height, width)) * parameters.opacity
        grey = rgb_to_grayscale(image, num_output_channels=3)
        return blend(grey, color_planes(parameters.color, image), covered)
