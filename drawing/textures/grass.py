"""A lawn from above: blades of all greens, the lower ones in the shade of the upper."""

__all__ = ["grass"]

from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray
from PIL import Image, ImageDraw

from drawing.relief import blended, linear, painted
from drawing.textures.sheet import POINTS, random_places

Array: TypeAlias = NDArray[np.float64]

_BLADES = 9000
_DRY = 0.06
_GROUND = (18, 24, 10)


def grass(x: Array, y: Array) -> Array:
    """Light from the points at x and y of a grid, (rows, columns, 3)."""
    generator = np.random.default_rng(9)
    image = Image.new("RGB", (x.shape[1], x.shape[0]), _GROUND)
    pen = ImageDraw.Draw(image)
    roots = (random_places(generator, _BLADES) - (x[0, 0], y[0, 0])) * POINTS
    for root, depth in zip(roots, np.linspace(0, 1, _BLADES), strict=True):
        _blade(generator, pen, root, depth)
    return linear(np.asarray(image))


def _blade(
    generator: np.random.Generator, pen: ImageDraw.ImageDraw, root: Array, depth: float
) -> None:
    """One blade, brighter the nearer it is; depth runs from 0 at the ground to 1."""
    # Most bow to one side, as in wind.
    turn, bend = generator.normal(1.15, 0.75), generator.normal(0, 0.9)
    length, width = generator.uniform(16, 40) * POINTS, generator.uniform(0.7, 1.75) * POINTS
    along = np.linspace(0, 1, 9)
    angle = turn + bend * along
    steps = np.stack([np.cos(angle), -np.sin(angle)], axis=-1) * length / len(along)
    spine = root + steps.cumsum(axis=0)
    aside = np.stack([np.sin(angle), np.cos(angle)], axis=-1)
    half = width * (1 - along**1.8)[:, None] * aside
    tone = np.array(generator.beta(2, 2))
    leaf = blended(tone, (46, 92, 26), (84, 138, 38), (124, 170, 58), (166, 196, 88))
    if generator.random() < _DRY:
        leaf = blended(tone, (176, 160, 96), (206, 190, 130))
    leaf = leaf * (0.16 + 0.84 * depth**1.6) * generator.uniform(0.7, 1.15)
    # One side of its fold faces the sun.
    bright = 1.0 if np.sin(turn) > np.cos(turn) else 0.72
    for outer, share in ((spine + half, bright), (spine - half, 1.55 - bright)):
        outline = [(a, b) for a, b in np.concatenate([spine, outer[::-1]])]
        red, green, blue = painted(leaf * share).tolist()
        pen.polygon(outline, fill=(red, green, blue))
