"""Oil with strong light and deep shadow: fruit on a cloth; canvas shows, and old varnish is cracked."""

__all__ = ["candlelit_fruit"]

from collections.abc import Sequence
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from drawing.noise import fractal
from drawing.paintings.brush import Brush, Panel, Strokes, strokes_over
from drawing.paintings.plane import Array, Colour, blurred, mixed, plane

_LAMP = np.array([-0.62, -0.6, 0.5])
_TABLE = 0.62

#: x, y, radius, and height to width.
_Ellipse: TypeAlias = tuple[float, float, float, float]

#: Each fruit with its dark, middle and light colour, from back to front.
_FRUIT: tuple[tuple[_Ellipse, Colour, Colour, Colour], ...] = (
    ((0.34, 0.4, 0.2, 1.0), (70, 30, 10), (206, 120, 24), (255, 208, 110)),
    ((0.66, 0.44, 0.185, 0.95), (52, 8, 8), (160, 28, 20), (240, 130, 84)),
    ((0.5, 0.59, 0.15, 1.0), (60, 40, 8), (196, 150, 40), (255, 232, 150)),
    ((0.19, 0.63, 0.14, 0.92), (50, 8, 10), (140, 22, 24), (232, 110, 80)),
    ((0.86, 0.62, 0.115, 1.0), (56, 26, 8), (196, 104, 20), (255, 196, 104)),
)
_GRAPES: tuple[tuple[_Ellipse, Colour, Colour, Colour], ...] = tuple(
    (
        (0.62 + 0.064 * column - 0.032 * (row % 2) + 0.012 * row, 0.66 + 0.052 * row, 0.041, 1.05),
        (22, 12, 22),
        (70, 36, 62),
        (170, 130, 150),
    )
    for row, columns in enumerate((4, 4, 3, 2))
    for column in range(columns)
)


def candlelit_fruit(side: int) -> Array:
    """Dark ground, thin strokes that go round what is round, then weave, cracks and varnish."""
    x, y = plane(side)
    picture, angle, things = _table(x, y)
    panel = Panel(mixed(y, (0, (44, 26, 14)), (1, (60, 36, 20))), seed=61)
    for spacing, length, width, opacity, pieces, seed in (
        (0.03, 0.1, 0.045, 1.0, None, 1),
        (0.016, 0.06, 0.022, 0.8, None, 2),
        (0.008, 0.03, 0.0095, 0.85, things, 3),
        (0.024, 0.06, 0.017, 0.55, None, 4),
    ):
        soft = blurred(picture, width * side / 6)
        panel.lay(
            strokes_over(soft, angle, spacing, seed, loose=0.2, spread=0.03),
            Brush(length, width, thickness=0.0016, opacity=opacity, streaks=0.06),
            within=pieces,
        )
    _stems(panel)
    return _aged(panel, x, y)


def _table(x: Array, y: Array) -> tuple[Array, Array, NDArray[np.int64]]:
    """The picture, the brush's direction, and a number for each thing in it."""
    glow = np.exp(-np.hypot(x - 0.18, y - 0.22) / 0.42) + 0.25 * fractal(
        x * 2.5, y * 2.5, 62, octaves=3
    )
    picture = mixed(
        glow, (0, (30, 18, 10)), (0.35, (84, 48, 24)), (0.7, (156, 98, 44)), (1.1, (196, 138, 70))
    )
    angle = 0.8 + 0.8 * np.sin(3 * x + 2 * y)

    # A cloth hangs in folds over the table's edge.
    edge = 0.8 + 0.02 * np.sin(8 * x)
    folds = 0.5 + 0.5 * np.sin(26 * x + 5 * np.sin(4 * x) + 2.5 * y) * np.clip(
        (y - edge) * 9 + 0.2, 0.1, 1
    )
    folds = folds + 0.25 * fractal(x * 5, y * 3, 63, octaves=3)
    light = np.clip(1.05 - 0.75 * x, 0.12, 1) * np.where(
        y > edge, 0.5 + 0.3 * folds, 0.75 + 0.2 * folds
    )
    cloth = mixed(
        light, (0, (30, 18, 10)), (0.35, (104, 66, 34)), (0.7, (190, 144, 88)), (1, (236, 204, 150))
    )
    on_cloth = y > _TABLE + 0.02 * np.sin(5 * x + 1)
    picture = np.where(on_cloth[..., None], cloth, picture)
    angle = np.where(
        on_cloth, np.where(y > edge, 1.4 + 0.3 * np.sin(9 * x), 0.15 * np.sin(9 * x)), angle
    )

    for (at_x, at_y, radius, tall), *_ in _FRUIT:
        # Shadows fall to the right.
        u = (x - at_x - 0.75 * radius) / (1.5 * radius)
        v = (y - at_y - 0.85 * radius * tall) / (0.3 * radius)
        shadow = np.clip(1.25 - np.hypot(u, v), 0, 0.85)[..., None] * on_cloth[..., None]
        picture = picture * (1 - shadow) + shadow * np.array([0.08, 0.045, 0.025])
    things = on_cloth.astype(np.int64)
    mottled = 0.1 * fractal(x * 14, y * 14, 64, octaves=3)
    for number, (shape, *colours) in enumerate((*_FRUIT, *_GRAPES)):
        body, turning, inside = _sphere(x, y, shape, colours, mottled)
        picture = picture + inside[..., None] * (body - picture)
        angle = np.where(inside > 0.5, turning, angle)
        things[inside > 0.5] = number + 2
    return picture, angle, things


def _sphere(
    x: Array, y: Array, shape: _Ellipse, colours: Sequence[Colour], mottled: Array
) -> tuple[Array, Array, Array]:
    """Its colours, the direction around it, and where it is."""
    at_x, at_y, radius, tall = shape
    u, v = (x - at_x) / radius, (y - at_y) / radius / tall
    out = np.hypot(u, v)
    w = np.sqrt(np.clip(1 - out**2, 0, 1))
    facing = (u * _LAMP[0] + v * _LAMP[1] + w * _LAMP[2]) / np.linalg.norm(_LAMP)
    dent = np.exp(-((u - 0.12) ** 2) / 0.03 - (v + 0.74) ** 2 / 0.008)
    # Light comes back from the cloth into the shadow's edge.
    bounce = 0.16 * np.clip(v, 0, 1) * np.clip(out, 0, 1) ** 4
    light = np.clip(facing, 0, 1) ** 1.1 + bounce + mottled * np.clip(facing + 0.2, 0, 1)
    light = light * (1 - 0.8 * dent)
    dark, middle, bright = colours
    black = (0.25 * dark[0], 0.25 * dark[1], 0.25 * dark[2])
    body = mixed(light, (0, black), (0.2, dark), (0.55, middle), (0.85, middle), (1.05, bright))
    half = _LAMP / np.linalg.norm(_LAMP) + np.array([0, 0, 1])
    gleam = np.clip((u * half[0] + v * half[1] + w * half[2]) / np.linalg.norm(half), 0, 1) ** 60
    body = body + 0.75 * gleam[..., None] * np.array([1.0, 0.93, 0.78])
    inside = np.clip((1 - out) * radius * len(x) * 0.5 + 0.5, 0, 1)
    return np.clip(body, 0, 1), np.arctan2(v, u) + np.pi / 2, inside


def _stems(panel: Panel) -> None:
    shapes = np.array([shape for shape, *_ in _FRUIT])
    x, y, radius, tall = shapes.T
    strokes = Strokes(
        x + 0.16 * radius,
        y - 0.88 * radius * tall,
        np.linspace(-2.0, -1.1, len(x)),
        np.broadcast_to(np.array([0.2, 0.12, 0.06]), (len(x), 3)),
        np.full(len(x), 8.0),
    )
    panel.lay(strokes, Brush(0.06, 0.009, thickness=0.003))


def _aged(panel: Panel, x: Array, y: Array) -> Array:
    # Threads go over and under each other; paint fills the hollows between them unevenly.
    threads = 0.011
    warp, weft = np.pi * x / threads, np.pi * y / threads
    over = np.sin(warp) * np.sin(weft)
    weave = np.where(over > 0, np.abs(np.cos(warp)), np.abs(np.cos(weft)))
    filled = 0.7 + 0.6 * fractal(x * 5, y * 5, 96, octaves=3)
    panel.relief += 1.25 * filled * weave
    islands = _cracks(x, y, 17.0, 97)
    fine = _cracks(x, y, 38.0, 98)
    patches = np.clip(fractal(x * 3, y * 3, 99, octaves=2) * 3 + 0.6, 0, 1)
    # Each island of paint curls up towards its edge.
    panel.relief += 0.7 * np.exp(-islands / 0.12)
    cracked = np.clip(1.25 - islands / 0.03, 0, 1)
    cracked = np.maximum(cracked, patches * 0.6 * np.clip(1.2 - fine / 0.06, 0, 1))
    # Varnish is yellow.
    panel.colour = blurred(panel.colour, 0.5) * np.array([1.04, 0.99, 0.86])
    tone = panel.lit(gloss=0.1, depth=0.8)
    dust = np.where(
        tone.mean(-1, keepdims=True) < 0.14, 0.3 * np.array([0.5, 0.4, 0.3]), tone * 0.25
    )
    return tone + (0.85 * cracked)[..., None] * (dust - tone)


def _cracks(x: Array, y: Array, cells: float, seed: int) -> Array:
    """How far a point is from the line between the two nearest of scattered centres, in cells."""
    bent = 0.5 / cells
    u = cells * (x + bent * fractal(x * cells / 2, y * cells / 2, seed, octaves=3))
    v = cells * (y + bent * fractal(x * cells / 2 + 9, y * cells / 2, seed + 1, octaves=3))
    count = int(cells) + 6
    centres = np.random.default_rng(seed).uniform(0, 1, (count, count, 2))
    column, row = np.floor(u).astype(np.int64), np.floor(v).astype(np.int64)
    nearest, second = np.full(x.shape, np.inf), np.full(x.shape, np.inf)
    for right in (-1, 0, 1):
        for down in (-1, 0, 1):
            place = centres[(row + down) % count, (column + right) % count]
            away = np.hypot(column + right + place[..., 0] - u, row + down + place[..., 1] - v)
            second = np.minimum(second, np.maximum(nearest, away))
            nearest = np.minimum(nearest, away)
    result: Array = second - nearest
    return result
