"""A picture as a part of a scene, in perspective (obfuscations paper, appendix A.4)."""

__all__ = ["PerspectiveComposition", "PerspectiveCompositionParameters"]

from dataclasses import dataclass
from typing import ClassVar

from torch import Tensor
from typing_extensions import override

from unforeseen.ops.compositing import blend
from unforeseen.ops.perspective import warp
from unforeseen.rng import Stream
from unforeseen.transforms.assets.manifest import AssetKind
from unforeseen.transforms.assets.pack import AssetPack
from unforeseen.transforms.obfuscation import Category, ImageSize, Obfuscation, Parameters
from unforeseen.transforms.obfuscations.choices import choose


@dataclass(frozen=True, kw_only=True)
class PerspectiveCompositionParameters(Parameters):
    """``scene``: name of the asset."""

    scene: str


@dataclass(frozen=True, kw_only=True)
class PerspectiveComposition(Obfuscation[PerspectiveCompositionParameters]):
    """The picture is put into a place of a scene where a picture could be, such as a screen.

    Each scene has one place. Parts of the scene may lie over the picture.
    """

    name: ClassVar[str] = "PerspectiveComposition"
    summary: ClassVar[str] = "the picture in perspective in a scene: on a screen, behind a pane"
    source: ClassVar[str] = (
        "Benchmarking Robustness to Adversarial Image Obfuscations, appendix A.4"
    )
    category: ClassVar[Category] = "composition"
    held_out: ClassVar[bool] = True
    asset_kinds: ClassVar[tuple[AssetKind, ...]] = ("scene",)
    parameters: ClassVar[type[Parameters]] = PerspectiveCompositionParameters

    @override
    def sample(
        self, stream: Stream, size: ImageSize, assets: AssetPack
    ) -> PerspectiveCompositionParameters:
        return PerspectiveCompositionParameters(scene=choose(stream, assets.names("scene")))

    @override
    def apply(
        self, image: Tensor, parameters: PerspectiveCompositionParameters, assets: AssetPack
    ) -> Tensor:
        height, width = image.shape[1:]
        scene = assets.scene(parameters.scene, (height, width))
        placed = warp(image, scene.corners, (height, width))
        visible = placed.coverage * (1 - scene.foreground.to(image))
        return blend(scene.image.to(image), placed.image, visible)
