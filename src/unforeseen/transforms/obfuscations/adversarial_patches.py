"""Adversarial patches in the corners of a picture (obfuscations paper, appendix A.6)."""

__all__ = ["AdversarialPatches", "AdversarialPatchesParameters", "with_patches"]

import math
from dataclasses import dataclass
from typing import ClassVar

import torch
from torch import Tensor
from typing_extensions import override

from unforeseen.ops.compositing import paste
from unforeseen.ops.resizing import resize
from unforeseen.ops.smoothing import gaussian_blur
from unforeseen.rng import Stream
from unforeseen.transforms.assets.manifest import AssetKind
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
from unforeseen.transforms.obfuscations.placement import shrunk
from unforeseen.transforms.ranges import drawn_from
from unforeseen.transforms.recorded_values import LONGEST, recorded

#: Where the Gaussian is cut off, in σ.
_REACH = 3


@dataclass(frozen=True, kw_only=True)
class AdversarialPatchesParameters(Parameters):
    """``patch``: name of the asset. In pixels: its ``side``; the picture's size; the blur's ``sigma``."""

    patch: str
    side: int = recorded(minimum=1, maximum=LONGEST)
    height: int = recorded(minimum=1, maximum=LONGEST)
    width: int = recorded(minimum=1, maximum=LONGEST)
    sigma: float = recorded(minimum=1e-3, maximum=LONGEST)


@dataclass(frozen=True, kw_only=True)
class AdversarialPatches(Obfuscation[AdversarialPatchesParameters]):
    """The picture is shrunk, and one adversarial patch lies in all four corners.

    The margin around the picture is its own mirror image, blurred. Patches come ready from a pack:
    nothing is optimised here.
    """

    name: ClassVar[str] = "AdversarialPatches"
    summary: ClassVar[str] = "a patch that misleads networks in all four corners"
    source: ClassVar[str] = (
        "Benchmarking Robustness to Adversarial Image Obfuscations, appendix A.6"
    )
    category: ClassVar[Category] = "machine-learning"
    asset_kinds: ClassVar[tuple[AssetKind, ...]] = ("patch",)
    parameters: ClassVar[type[Parameters]] = AdversarialPatchesParameters

    factor: Range = drawn_from(
        0.7, 0.85, "side of the picture, as a share of the whole", minimum=0.01, maximum=1
    )
    side: Range = drawn_from(
        50, 50, "side of a patch, in pixels at 224", minimum=1, maximum=112, multiple_of=1
    )
    sigma: Range = drawn_from(
        5, 8, "width σ of the margin's blur, in pixels at 224", minimum=0.1, maximum=50
    )

    @override
    def sample(
        self, stream: Stream, size: ImageSize, assets: AssetPack
    ) -> AdversarialPatchesParameters:
        return self.sample_for(choose(stream, assets.names("patch")), stream, size)

    def sample_for(
        self, patch: str, stream: Stream, size: ImageSize
    ) -> AdversarialPatchesParameters:
        """Draws all but the patch; arguments as of :meth:`sample`."""
        factor = self.factor.draw(stream)
        height, width = shrunk(size, down=factor, across=factor)
        return AdversarialPatchesParameters(
            patch=patch,
            height=height,
            width=width,
            side=self.side.draw_length(stream, size),
            sigma=self.sigma.draw(stream) * scale_of(size),
        )

    @override
    def apply(
        self, image: Tensor, parameters: AdversarialPatchesParameters, assets: AssetPack
    ) -> Tensor:
        patch = assets.patch(parameters.patch, parameters.side)
        return with_patches(image, patch.to(image), parameters)


def with_patches(image: Tensor, patch: Tensor, parameters: AdversarialPatchesParameters) -> Tensor:
    """Lays a patch, (3, side, side) in [0, 1], around a picture; differentiable in the patch.

    Raises:
        DataError: The parameters are of a larger picture.
    """
    size = (parameters.height, parameters.width)
    laid = _framed(image, size, parameters.sigma)
    bottom, right = (whole - parameters.side for whole in image.shape[1:])
    for top in (0, bottom):
        for left in (0, right):
            laid = paste(laid, patch, top=top, left=left)
    return laid


def _framed(image: Tensor, size: ImageSize, sigma: float) -> Tensor:
    """The picture shrunk to ``size``, in the middle of its own mirror image, which is blurred."""
    height, width = image.shape[1:]
    small = resize(image, size)
    top, left = (height - size[0]) // 2, (width - size[1]) // 2
    around = small[:, _mirrored(size[0], top, height)][:, :, _mirrored(size[1], left, width)]
    window = 2 * math.ceil(_REACH * sigma) + 1
    blurred = gaussian_blur(around[None], window, sigma)[0].clamp(0, 1)
    return paste(blurred, small, top=top, left=left)


def _mirrored(length: int, before: int, whole: int) -> Tensor:
    """Which of ``length`` pixels each of ``whole`` shows, where mirror images go on at both ends.

    The first of them is the pixel 0 that ``before`` pixels lie ahead of.
    """
    place = (torch.arange(whole) - before).remainder(2 * length)
    return torch.where(place < length, place, 2 * length - 1 - place)
