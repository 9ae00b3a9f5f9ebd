"""Thin strokes strewn over a texture: scratches, hairs."""

__all__ = ["Strokes", "strewn"]

from dataclasses import dataclass
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray
from PIL import Image, ImageDraw

from drawing.relief import blurred
from drawing.textures.sheet import POINTS, random_places

Array: TypeAlias = NDArray[np.float64]

_PIECES = 5


@dataclass(frozen=True, kw_only=True)
class Strokes:
    """How strokes look.

    Attributes:
        count: All over the picture.
        lengths: Shortest and longest, in pixels.
        turn: Mean direction in degrees: 0 is right, 90 upwards.
        spread: Standard deviation of the direction, in degrees.
        wander: Standard deviation of the turn from each fifth of a stroke to the next, in degrees.
        width: In points.
    """

    count: int
    lengths: tuple[float, float]
    turn: float = 0
    spread: float = 360
    wander: float = 0
    width: int = 1


def strewn(generator: np.random.Generator, x: Array, y: Array, strokes: Strokes) -> Array:
    """Strokes on the points at x and y, of one shape: 0 beside them, up to 1 where they are strong."""
    image = Image.new("L", (x.shape[1], x.shape[0]))
    pen = ImageDraw.Draw(image)
    starts = random_places(generator, strokes.count) - (x[0, 0], y[0, 0])
    turns = generator.normal(strokes.turn, strokes.spread, (strokes.count, 1))
    bends = generator.normal(0, strokes.wander, (strokes.count, _PIECES)).cumsum(axis=1)
    angles = np.radians(turns + bends)
    lengths = generator.uniform(*strokes.lengths, (strokes.count, 1, 1)) / _PIECES
    steps = lengths * np.stack([np.cos(angles), -np.sin(angles)], axis=-1)
    paths = starts[:, None] + np.concatenate([np.zeros_like(steps[:, :1]), steps], axis=1).cumsum(1)
    strengths = generator.beta(1.4, 1.8, strokes.count)
    for path, strength in zip(paths * POINTS, strengths, strict=True):
        pen.line([(a, b) for a, b in path], fill=round(255 * strength), width=strokes.width)
    return blurred(np.asarray(image) / 255, 0.65)
