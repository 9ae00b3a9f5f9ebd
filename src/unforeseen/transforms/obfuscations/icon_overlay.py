"""A grid of icons over a picture (obfuscations paper, appendix A.5)."""

__all__ = ["IconOverlay", "IconOverlayParameters"]

from dataclasses import dataclass
from typing import ClassVar

from torch import Tensor
from typing_extensions import override

from unforeseen.ops.compositing import blend, tiled
from unforeseen.rng import Stream
from unforeseen.transforms.assets.manifest import AssetKind
from unforeseen.transforms.assets.pack import AssetPack
from unforeseen.transforms.obfuscation import Category, ImageSize, Obfuscation, Parameters, Range
from unforeseen.transforms.obfuscations.choices import choose
from unforeseen.transforms.ranges import drawn_from
from unforeseen.transforms.recorded_values import LONGEST, recorded


@dataclass(frozen=True, kw_only=True)
class IconOverlayParameters(Parameters):
    """``icon``: name of the asset; ``side``: of one in pixels; ``opacity``: of all."""

    icon: str
    side: int = recorded(minimum=1, maximum=LONGEST)
    opacity: float = recorded(minimum=0, maximum=1)


@dataclass(frozen=True, kw_only=True)
class IconOverlay(Obfuscation[IconOverlayParameters]):
    """An icon is repeated side by side, half transparent, from the upper left corner on."""

    name: ClassVar[str] = "IconOverlay"
    summary: ClassVar[str] = "a grid of half transparent icons"
    source: ClassVar[str] = (
        "Benchmarking Robustness to Adversarial Image Obfuscations, appendix A.5"
    )
    category: ClassVar[Category] = "overlay"
    asset_kinds: ClassVar[tuple[AssetKind, ...]] = ("icon",)
    parameters: ClassVar[type[Parameters]] = IconOverlayParameters

    count: Range = drawn_from(
        8,
        14,
        "icons along the shorter side; the last one may be cut",
        minimum=1,
        maximum=112,
        multiple_of=1,
    )
    opacity: Range = drawn_from(
        0.5, 0.75, "what the icon's own opacity is multiplied by", minimum=0, maximum=1
    )

    @override
    def sample(self, stream: Stream, size: ImageSize, assets: AssetPack) -> IconOverlayParameters:
        icon = choose(stream, assets.names("icon"))
        count = self.count.draw_integer(stream)
        return IconOverlayParameters(
            icon=icon, side=-(-min(size) // count), opacity=self.opacity.draw(stream)
        )

    @override
    def apply(self, image: Tensor, parameters: IconOverlayParameters, assets: AssetPack) -> Tensor:
        height, width = image.shape[1:]
        icon = assets.icon(parameters.icon, parameters.side)
        opacity = tiled(icon.opacity.to(image), (height, width)) * parameters.opacity
        return blend(image, tiled(icon.image.to(image), (height, width)), opacity)
