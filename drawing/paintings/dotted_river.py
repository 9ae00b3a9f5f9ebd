"""Dots of pure colour that the eye mixes: a river between meadows and trees at noon."""

__all__ = ["dotted_river"]

import numpy as np

from drawing.noise import fractal
from drawing.paintings.brush import Brush, Panel, Strokes
from drawing.paintings.plane import Array, around, blurred, mixed, plane, scattered

#: The pure paints; a dot has one of them, with white in it or not.
_PAINTS = (
    (238, 192, 30), (240, 140, 40), (222, 66, 58), (214, 84, 142), (120, 70, 160),
    (44, 66, 160), (52, 138, 206), (40, 160, 150), (40, 134, 64), (140, 186, 50), (250, 244, 226),
    (250, 214, 180), (190, 214, 236), (30, 60, 60),
)  # fmt: skip


def dotted_river(side: int) -> Array:
    """Three layers of dots on a pale ground."""
    x, y = plane(side)
    picture = _river(x, y)
    panel = Panel(np.broadcast_to(np.array([0.93, 0.88, 0.76]), (side, side, 3)), seed=21)
    paints = np.array(_PAINTS) / 255
    for spacing, size, seed in ((0.0165, 0.019, 1), (0.0125, 0.0145, 2), (0.0115, 0.0125, 3)):
        at_x, at_y = scattered(spacing, seed)
        wanted = around(blurred(picture, size * side / 4), at_x, at_y)
        generator = np.random.default_rng(seed + 20)
        # A paint is the likelier, the nearer it is to what is wanted; the others stay possible.
        wanted = wanted + 0.1 * generator.normal(size=wanted.shape)
        distance = np.square(wanted[:, None] - paints).sum(-1)
        lots = generator.gumbel(size=distance.shape)
        chosen = paints[np.argmax(-distance / 0.045 + lots, 1)]
        colour = 0.82 * chosen + 0.18 * np.clip(wanted, 0, 1)
        angle = generator.uniform(0, np.pi, len(at_x))
        panel.lay(
            Strokes(at_x, at_y, angle, colour, np.zeros(len(at_x))),
            Brush(
                size * 1.15,
                size * 0.9,
                thickness=0.0016,
                streaks=0.03,
                frayed=0.1,
                uneven=0.2,
                round=True,
            ),
        )
    return panel.lit(gloss=0.08, depth=0.8)


def _river(x: Array, y: Array) -> Array:
    horizon = 0.42
    down = np.clip((y - horizon) / (1 - horizon), 0, 1)
    sky = mixed(y / horizon, (0, (96, 160, 220)), (0.6, (170, 204, 226)), (1, (250, 224, 196)))
    clouds = np.clip(2.2 * fractal(x * 3, y * 7, 4, octaves=3) - 0.1, 0, 1)[..., None]
    picture = sky * (1 - clouds) + clouds * np.array([0.99, 0.92, 0.86])

    hills = y > 0.36 + 0.03 * np.sin(5 * x + 1) + 0.015 * np.sin(13 * x)
    picture = np.where(
        hills[..., None], mixed(x, (0, (110, 120, 190)), (1, (150, 130, 190))), picture
    )

    grass = mixed(
        0.5 + 0.8 * fractal(x * 4, y * 14, 6, octaves=3),
        (0, (60, 140, 70)), (0.4, (130, 180, 60)), (0.7, (210, 200, 70)), (1, (240, 170, 110)),
    )  # fmt: skip
    picture = np.where((y > horizon)[..., None], grass, picture)

    middle = 0.56 + 0.13 * np.sin(4.4 * down + 0.6) - 0.05 * down
    water = np.abs(x - middle) < 0.03 + 0.25 * down**1.4
    flow = 0.5 + 0.9 * fractal(x * 3, y * 26, 7, octaves=3)
    blue = mixed(
        flow,
        (0, (30, 84, 160)),
        (0.5, (90, 160, 210)),
        (0.8, (190, 214, 226)),
        (1, (250, 226, 190)),
    )
    picture = np.where(((y > horizon) & water)[..., None], blue, picture)

    for at_x, foot, height, width, seed in (
        (0.2, 0.5, 0.22, 0.1, 31), (0.34, 0.46, 0.12, 0.07, 32), (0.85, 0.48, 0.2, 0.09, 33),
        (0.74, 0.45, 0.1, 0.06, 34), (0.06, 0.62, 0.46, 0.17, 35), (0.98, 0.6, 0.36, 0.13, 36),
    ):  # fmt: skip
        # A shadow lies on the grass to the right of a tree, violet as everything without sun.
        shadow = np.hypot((x - at_x - width * 0.6) / width / 1.3, (y - foot - 0.01) / 0.035) < 1
        picture = np.where(
            (shadow & ~water & (y > horizon))[..., None], np.array([70, 60, 140]) / 255, picture
        )
        crown = foot - 0.62 * height
        edge = 1 + 0.35 * fractal(x * 9, y * 9, seed, octaves=3)
        leaves = np.hypot((x - at_x) / width, (y - crown) / height / 0.52) < edge
        trunk = (np.abs(x - at_x) < 0.09 * width) & (y > crown) & (y < foot)
        picture = np.where(trunk[..., None], np.array([90, 50, 110]) / 255, picture)
        light = 0.55 - 0.55 * (x - at_x) / width - 0.5 * (y - crown) / height
        foliage = mixed(
            light + 0.6 * fractal(x * 12, y * 12, seed + 9, octaves=2),
            (0, (36, 44, 110)), (0.35, (28, 110, 80)), (0.65, (80, 160, 60)), (1, (226, 206, 60)),
        )  # fmt: skip
        picture = np.where(leaves[..., None], foliage, picture)
    return picture
