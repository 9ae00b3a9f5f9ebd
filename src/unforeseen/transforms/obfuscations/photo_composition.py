"""A picture somewhere on a photo (obfuscations paper, appendix A.4)."""

__all__ = ["PhotoComposition", "PhotoCompositionParameters"]

from dataclasses import dataclass
from typing import ClassVar

from torch import Tensor
from typing_extensions import override

from unforeseen.ops.compositing import paste
from unforeseen.ops.resizing import resize
from unforeseen.rng import Stream
from unforeseen.transforms.assets.manifest import AssetKind
from unforeseen.transforms.assets.pack import AssetPack
from unforeseen.transforms.obfuscation import Category, ImageSize, Obfuscation, Parameters, Range
from unforeseen.transforms.obfuscations.choices import choose
from unforeseen.transforms.obfuscations.placement import draw_place, shrunk
from unforeseen.transforms.ranges import drawn_from
from unforeseen.transforms.recorded_values import LONGEST, recorded


@dataclass(frozen=True, kw_only=True)
class PhotoCompositionParameters(Parameters):
    """``photo``: name of the asset; the rest: where the picture lies on it, in pixels."""

    photo: str
    top: int = recorded(minimum=0, maximum=LONGEST)
    left: int = recorded(minimum=0, maximum=LONGEST)
    height: int = recorded(minimum=1, maximum=LONGEST)
    width: int = recorded(minimum=1, maximum=LONGEST)


@dataclass(frozen=True, kw_only=True)
class PhotoComposition(Obfuscation[PhotoCompositionParameters]):
    """The picture is shrunk and pasted on a photo of the original size."""

    name: ClassVar[str] = "PhotoComposition"
    summary: ClassVar[str] = "the picture, small, somewhere on a photo"
    source: ClassVar[str] = (
        "Benchmarking Robustness to Adversarial Image Obfuscations, appendix A.4"
    )
    category: ClassVar[Category] = "composition"
    asset_kinds: ClassVar[tuple[AssetKind, ...]] = ("photo",)
    parameters: ClassVar[type[Parameters]] = PhotoCompositionParameters

    factor: Range = drawn_from(
        0.23, 0.36, "side of the small picture, as a share of the whole", minimum=0.01, maximum=1
    )

    @override
    def sample(
        self, stream: Stream, size: ImageSize, assets: AssetPack
    ) -> PhotoCompositionParameters:
        photo = choose(stream, assets.names("photo"))
        factor = self.factor.draw(stream)
        height, width = shrunk(size, down=factor, across=factor)
        top, left = draw_place(stream, (height, width), size)
        return PhotoCompositionParameters(
            photo=photo, top=top, left=left, height=height, width=width
        )

    @override
    def apply(
        self, image: Tensor, parameters: PhotoCompositionParameters, assets: AssetPack
    ) -> Tensor:
        height, width = image.shape[1:]
        photo = assets.photo(parameters.photo, (height, width)).to(image)
        small = resize(image, (parameters.height, parameters.width))
        return paste(photo, small, top=parameters.top, left=parameters.left)
