"""Pebbles of a beach, of many stones' colours."""

__all__ = ["pebbles"]

from typing import NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from drawing.canvas import Colour
from drawing.noise import fractal
from drawing.relief import Light, linear, lit
from drawing.textures.sheet import POINTS, random_places

Array: TypeAlias = NDArray[np.float64]

_STONES: tuple[Colour, ...] = (
    (128, 126, 122),
    (96, 98, 104),
    (158, 150, 138),
    (178, 168, 154),
    (70, 72, 76),
    (146, 122, 104),
    (196, 190, 180),
    (120, 104, 94),
    (112, 118, 122),
    (150, 96, 76),
)
_EARTH: Colour = (74, 66, 58)
# Smallest and largest half length in pixels, and how many.
_SIZES = ((2.5, 5.0, 3200), (5.0, 9.0, 1350), (9.0, 15.0, 400))


class _Ground(NamedTuple):
    """What the stones lie on, and then they too; each array has a value for every point."""

    x: Array
    y: Array
    height: Array
    colours: Array
    grain: Array
    spots: Array
    bands: Array

    def part(self, rows: slice, columns: slice) -> "_Ground":
        return _Ground(*(each[rows, columns] for each in self))


def pebbles(x: Array, y: Array) -> Array:
    """Light from the points at x and y of a grid, (rows, columns, 3)."""
    generator = np.random.default_rng(4)
    ground = _Ground(
        x=x,
        y=y,
        height=1.5 * fractal(x / 4, y / 4, 10, 3) - 6,
        colours=np.tile(linear(_EARTH), (*x.shape, 1)),
        grain=fractal(x / 2.5, y / 2.5, 20, 4, 0.75),
        spots=fractal(x / 1.2, y / 1.2, 30, 2),
        bands=fractal(x / 30, y / 30, 40, 4),
    )
    radii = [generator.uniform(low, high) for low, high, count in _SIZES for _ in range(count)]
    middles = random_places(generator, len(radii))
    # One stream for each stone: how many numbers it takes must not move the next.
    for radius, middle, stream in zip(radii, middles, generator.spawn(len(radii)), strict=True):
        low = np.floor((middle - (x[0, 0], y[0, 0]) - 1.4 * radius) * POINTS).astype(int)
        high = low + round(2.8 * radius * POINTS) + 1
        if high.min() > 0 and low.max() < len(x):
            columns, rows = (slice(max(a, 0), b) for a, b in zip(low, high, strict=True))
            _lay(stream, radius, middle, ground.part(rows, columns))
    light = Light(azimuth=130, elevation=48, sun=0.95, sky=0.42, occlusion=0.22, gloss=0.03)
    return lit(np.clip(ground.colours, 0, 1), ground.height, light)


def _lay(generator: np.random.Generator, radius: float, middle: Array, ground: _Ground) -> None:
    """Puts a stone of a half length on the ground: it is seen where it is higher than what lies there."""
    turn = generator.uniform(0, np.pi)
    right, down = ground.x - middle[0], ground.y - middle[1]
    across = right * np.cos(turn) + down * np.sin(turn)
    along = down * np.cos(turn) - right * np.sin(turn)
    outside = _outside(generator, across / radius, along / (radius * generator.uniform(0.6, 0.95)))
    thickness = radius * generator.uniform(0.5, 0.75) * POINTS
    top = generator.uniform(-2.5, 2.5) + 0.55 * radius + 0.35 * ground.grain
    top += thickness * np.sqrt(np.maximum(1 - outside, 0))
    seen = (outside < 1) & (top > ground.height)
    tone = 1 + 0.35 * ground.grain * generator.uniform(0.3, 1) + 0.3 * ground.bands
    tone += 0.5 * ground.spots * generator.beta(1, 2)
    if generator.random() < 0.18:
        # A vein of quartz.
        apart = 0.83 * along + 0.3 * across + 2 * ground.bands - generator.normal(0, radius / 3)
        tone += 0.9 * np.exp(-((apart / 0.6) ** 2))
    stone = linear(_STONES[generator.integers(len(_STONES))]) * generator.uniform(0.75, 1.2)
    stone = stone * generator.normal(1, 0.04, 3)
    ground.height[seen] = top[seen]
    ground.colours[seen] = stone * tone[seen][:, None]


def _outside(generator: np.random.Generator, across: Array, along: Array) -> Array:
    """0 in a stone's middle and 1 at its rim, which is a circle but for its corners and lumps."""
    angle = np.arctan2(along, across)
    phases, lumps = generator.uniform(0, 2 * np.pi, 3), generator.normal(0, 0.035, 3)
    uneven = 1 + sum(lumps[k] * np.sin((k + 2) * angle + phases[k]) for k in range(3))
    power = generator.uniform(2.0, 2.7)
    result: Array = (np.abs(across) ** power + np.abs(along) ** power) / uneven**2
    return result
