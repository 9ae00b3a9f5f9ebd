"""Coloured shapes with dark rims, their colours optimised (paper, section 4.2)."""

__all__ = ["Kaleidoscope", "KaleidoscopeLatents", "KaleidoscopeScene"]

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import ClassVar

import kornia
import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor
from typing_extensions import override

from unforeseen.constraints import Ball, StepRule
from unforeseen.ops.shapes import CORNERS, DISC, TRIANGLE, dilate, fill_disc, fill_polygon
from unforeseen.rng import ExampleKey, Stream
from unforeseen.transforms.base import Attack, Latents, Scene, stack_named
from unforeseen.transforms.parameters import parameter


@dataclass(frozen=True, kw_only=True)
class KaleidoscopeScene(Scene):
    """N shapes per picture, each a small bitmap at a place.

    ``origin``: row and column of each bitmap's corner, (B, N, 2), perhaps outside the picture.
    ``bitmap``: (B, N, k, k), 0 or 1. ``colour``: RGB, (B, N, 3). ``covered``, ``rim``: pixels under
    any shape and pixels around any shape, (B, 1, H, W), boolean.
    """

    origin: Tensor
    bitmap: Tensor
    colour: Tensor
    covered: Tensor
    rim: Tensor


@dataclass(frozen=True, kw_only=True)
class KaleidoscopeLatents(Latents):
    """``colour``: added to each shape's, (B, N, 3). ``rim``: grey of rim pixels, (B, 1, H, W)."""

    colour: Tensor
    rim: Tensor


@dataclass(frozen=True, kw_only=True)
class Kaleidoscope(Attack[KaleidoscopeScene, KaleidoscopeLatents]):
    """Discs, triangles and squares: x · transparency + Σ (colour + δ) under them, |δ| on rims.

    Attributes:
        shapes: N.
        shape_size: s in pixels: a disc's diameter, a square's edge; a triangle's is
            1.5·s/sin 60°.
        transparency: What is left of the picture under a shape.
        edge_width: Pixels within edge_width // 2 of a shape (along both axes) are its rim.
    """

    name: ClassVar[str] = "kaleidoscope"
    summary: ClassVar[str] = "bright little discs, triangles and squares with nearly black rims"
    formula: ClassVar[str] = (
        "Under any shape x · transparency; each shape adds its colour + δ (overlaps add up); rim "
        "pixels become |δ_rim|; clamped to [0, 1]."
    )
    source: ClassVar[str] = "Testing Robustness, section 4.2"

    shapes: int = parameter(40, "number of shapes", minimum=1)
    shape_size: int = parameter(15, "diameter or edge of a shape in pixels", minimum=2)
    transparency: float = parameter(
        0.1, "what is left of the picture under a shape", minimum=0, maximum=1
    )
    edge_width: int = parameter(5, "twice the reach of a rim in pixels, plus 1", minimum=1)

    @property
    @override
    def balls(self) -> Mapping[str, Ball]:
        return {"colour": Ball(norm="linf"), "rim": Ball(norm="linf")}

    @property
    @override
    def step_rule(self) -> StepRule:
        return "sign"

    @override
    def draw_scene(self, x: Tensor, keys: Sequence[ExampleKey]) -> KaleidoscopeScene:
        size = (x.shape[-2], x.shape[-1])
        drawn = stack_named(keys, lambda stream: self._draw(stream, size), x, purpose="scene")
        hue_saturation_value = drawn.pop("hsv").transpose(1, 2)[..., None]
        colour = kornia.color.hsv_to_rgb(hue_saturation_value)[..., 0].transpose(1, 2)
        return KaleidoscopeScene(colour=colour, **drawn)

    @override
    def start(
        self, x: Tensor, scene: KaleidoscopeScene, radius: Tensor, keys: Sequence[ExampleKey]
    ) -> KaleidoscopeLatents:
        """Colours from U(−ε, ε), rims from U(0, ε)."""
        rim_shape = tuple(scene.rim.shape[1:])
        unit = stack_named(
            keys,
            lambda stream: {
                "colour": stream.uniform(-1, 1, (self.shapes, 3)),
                "rim": stream.uniform(0, 1, rim_shape),
            },
            x,
            purpose="start",
        )
        return KaleidoscopeLatents(
            colour=unit["colour"] * radius.reshape(-1, 1, 1),
            rim=unit["rim"] * radius.reshape(-1, 1, 1, 1),
        )

    @override
    def paint(self, x: Tensor, latents: KaleidoscopeLatents, scene: KaleidoscopeScene) -> Tensor:
        beneath = torch.where(scene.covered, x * self.transparency, x)
        picture = beneath + _stamp(scene.colour + latents.colour, scene, x)
        return torch.where(scene.rim, latents.rim.abs(), picture).clamp(0, 1)

    def _draw(self, stream: Stream, size: tuple[int, int]) -> dict[str, NDArray[np.generic]]:
        kind = stream.integers(0, 2, (self.shapes,))
        anywhere = np.stack(
            [stream.integers(0, length - 1, (self.shapes,)) for length in size], axis=1
        )
        triangle_edge = int(1.5 * self.shape_size / math.sin(math.pi / 3))
        edge = np.where(kind == TRIANGLE, triangle_edge, self.shape_size)
        inside = np.stack([self._vertex(stream, length, edge) for length in size], axis=1)
        angle = stream.uniform(0, 2 * math.pi, (self.shapes,)).astype(np.float64)
        hsv = np.stack(
            [
                stream.uniform(0, 2 * math.pi, (self.shapes,)),
                stream.uniform(0.7, 1, (self.shapes,)),
                stream.uniform(0.8, 1, (self.shapes,)),
            ],
            axis=1,
        )

        # Room for the largest of the three, and for its rim all around.
        border = self.edge_width // 2
        side = max(math.ceil(self.shape_size * math.sqrt(2)), triangle_edge) + 2 + 2 * border
        turned = _turn(CORNERS[kind] * edge[:, None, None], angle)
        corners = np.trunc(inside[:, None] + turned).astype(np.int64)
        is_disc = kind == DISC
        origin = np.where(is_disc[:, None], anywhere - self.shape_size // 2, corners.min(axis=1))
        origin = origin - border
        bitmap = np.where(
            is_disc[:, None, None],
            fill_disc(anywhere - origin, self.shape_size / 2, side),
            fill_polygon(corners - origin[:, None], side),
        )
        rim = dilate(bitmap, border) & ~bitmap
        return {
            "origin": origin,
            "bitmap": bitmap.astype(np.float32),
            "hsv": hsv,
            "covered": _union(bitmap, origin, size),
            "rim": _union(rim, origin, size),
        }

    def _vertex(self, stream: Stream, length: int, edge: NDArray[np.int64]) -> NDArray[np.int64]:
        """Whole pixels in [edge + 1, length − edge − 2]; anywhere where that leaves no room."""
        low, high = edge + 1, length - edge - 2
        low, high = np.where(low > high, 0, low), np.where(low > high, length - 1, high)
        unit = stream.uniform(0, 1, (self.shapes,)).astype(np.float64)
        return low + np.floor(unit * (high - low + 1)).astype(np.int64)


def _turn(corners: NDArray[np.float64], angle: NDArray[np.float64]) -> NDArray[np.float64]:
    """Rotates (N, corners, 2) about the origin by (N,) radians."""
    cosine, sine = np.cos(angle)[:, None], np.sin(angle)[:, None]
    down, across = corners[..., 0], corners[..., 1]
    return np.stack([cosine * down + sine * across, cosine * across - sine * down], axis=-1)


def _union(
    bitmaps: NDArray[np.bool_], origin: NDArray[np.int64], size: tuple[int, int]
) -> NDArray[np.bool_]:
    """Pixels of the picture under any bitmap, (1, H, W)."""
    which, row, column = np.nonzero(bitmaps)
    row, column = row + origin[which, 0], column + origin[which, 1]
    inside = (row >= 0) & (row < size[0]) & (column >= 0) & (column < size[1])
    union = np.zeros((1, *size), dtype=np.bool_)
    union[0, row[inside], column[inside]] = True
    return union


def _stamp(colour: Tensor, scene: KaleidoscopeScene, x: Tensor) -> Tensor:
    """Adds each shape's colour under its bitmap: (B, N, 3) → (B, 3, H, W)."""
    batch, _, height, width = x.shape
    within = torch.arange(scene.bitmap.shape[-1], device=x.device)
    row = scene.origin[..., 0, None, None] + within[:, None]
    column = scene.origin[..., 1, None, None] + within
    inside = (row >= 0) & (row < height) & (column >= 0) & (column < width)
    place = torch.where(inside, row * width + column, 0).reshape(batch, 1, -1)
    weight = torch.where(inside, scene.bitmap, 0.0)
    added = colour.transpose(1, 2)[..., None, None] * weight[:, None]
    flat = x.new_zeros(batch, 3, height * width)
    stamped = flat.scatter_add(2, place.expand(-1, 3, -1), added.reshape(batch, 3, -1))
    return stamped.reshape(x.shape)
