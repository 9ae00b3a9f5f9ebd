"""Noise in the space that JPEG compresses in (paper, section 4.2; after Shin & Song 2017)."""

__all__ = ["Jpeg", "JpegLatents"]

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import ClassVar

from torch import Tensor
from typing_extensions import override

from unforeseen.constraints import Ball, StepRule
from unforeseen.ops.blocks import block_count
from unforeseen.ops.jpeg_space import BLOCK, decode_blocks
from unforeseen.rng import ExampleKey
from unforeseen.transforms.base import Latents, NoScene, SceneFreeAttack, uniform_start


@dataclass(frozen=True, kw_only=True)
class JpegLatents(Latents):
    """``coefficients``: added to the picture's cosine transform, (B, 3, ⌈H/8⌉·8, ⌈W/8⌉·8).

    In units of 255 of the 0–255 scale.
    """

    coefficients: Tensor


@dataclass(frozen=True, kw_only=True)
class Jpeg(SceneFreeAttack[JpegLatents]):
    """x_adv = clamp(decode(encode(x) + δ), 0, 1), without rounding or quantisation.

    Encoding (RGB → YCbCr → orthonormal 8×8 cosine transform) is affine and decoding its
    inverse, so this is clamp(x + decode(δ)), which is what is computed.
    """

    name: ClassVar[str] = "jpeg"
    summary: ClassVar[str] = "the rippled blocks of a badly compressed picture"
    formula: ClassVar[str] = (
        "x_adv = clamp(decode(encode(x) + δ), 0, 1): encode is RGB → YCbCr → orthonormal 8×8 DCT "
        "per block, decode its inverse. No rounding, quantisation table or subsampling."
    )
    source: ClassVar[str] = "Testing Robustness, section 4.2; Shin & Song 2017"

    @property
    @override
    def balls(self) -> Mapping[str, Ball]:
        return {"coefficients": Ball(norm="linf")}

    @property
    @override
    def step_rule(self) -> StepRule:
        return "sign"

    @override
    def start(
        self,
        x: Tensor,
        scene: NoScene,
        radius: Tensor,
        keys: Sequence[ExampleKey],
    ) -> JpegLatents:
        """U(0, ε) per coefficient."""
        height, width = (block_count(length, BLOCK) * BLOCK for length in x.shape[-2:])
        start = uniform_start(keys, (3, height, width), radius, x)
        return JpegLatents(coefficients=start)

    @override
    def paint(self, x: Tensor, latents: JpegLatents, scene: NoScene) -> Tensor:
        change = decode_blocks(latents.coefficients)
        return (x + change[..., : x.shape[-2], : x.shape[-1]]).clamp(0, 1)
