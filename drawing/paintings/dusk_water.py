"""Broken level strokes: water at dusk, orange light on blue and green."""

__all__ = ["dusk_water"]

import numpy as np

from drawing.noise import fractal
from drawing.paintings.brush import Brush, Panel, strokes_over
from drawing.paintings.plane import Array, blurred, mixed, plane


def dusk_water(side: int) -> Array:
    """Three layers of level strokes, the upper ones dry; the warm ground shows between them."""
    x, y = plane(side)
    picture, angle = _water(x, y)
    ground = mixed(0 * y, (0, (196, 146, 112)))
    panel = Panel(ground, seed=31)
    for spacing, length, width, dry, seed in (
        (0.03, 0.15, 0.036, 0.1, 1),
        (0.019, 0.1, 0.02, 0.3, 2),
        (0.0145, 0.075, 0.0135, 0.4, 3),
    ):
        soft = blurred(picture, width * side / 5)
        panel.lay(
            strokes_over(soft, angle, spacing, seed, loose=0.1, spread=0.09),
            Brush(length, width, thickness=0.0022, streaks=0.08, dry=dry, uneven=0.45),
        )
    return panel.lit(gloss=0.12, depth=0.9)


def _water(x: Array, y: Array) -> tuple[Array, Array]:
    horizon = 0.36
    depth = np.clip((y - horizon) / (1 - horizon), 0, 1)
    sun_x, sun_y = 0.6, 0.2
    sun = np.hypot(x - sun_x, y - sun_y)
    sky = mixed(
        y / horizon + 0.35 * fractal(x * 2.5, y * 9, 3, octaves=3),
        (0, (104, 140, 156)), (0.35, (150, 158, 160)), (0.7, (226, 164, 120)), (1, (240, 138, 80)),
    )  # fmt: skip
    halo = np.exp(-sun / 0.1)[..., None]
    sky = sky * (1 - halo) + halo * np.array([1.0, 0.72, 0.36])
    sky = np.where((sun < 0.056)[..., None], np.array([1.0, 0.36, 0.12]), sky)
    shore = y > horizon - 0.025 - 0.045 * np.clip(fractal(x * 4, 0 * y, 6, octaves=4) + 0.35, 0, 1)
    far = mixed(
        0.5 + fractal(x * 8, y * 20, 7, octaves=2), (0, (60, 92, 112)), (1, (126, 132, 140))
    )
    picture = np.where(shore[..., None], far, sky)

    # Ripples lie closer together far away.
    across = 9 * np.log1p(6 * depth)
    ripple = fractal(x * (5 - 2.6 * depth), across * 1.6, 8, octaves=3, gain=0.6)
    blue = mixed(
        0.5 + 0.85 * ripple,
        (0, (24, 74, 100)), (0.3, (44, 112, 128)), (0.55, (96, 150, 152)), (0.8, (166, 178, 164)), (1, (236, 176, 130)),
    )  # fmt: skip
    path = np.exp(-(((x - sun_x + 0.02 * np.sin(9 * depth)) / (0.05 + 0.11 * depth)) ** 2))
    warm = np.exp(-(((x - sun_x) / 0.5) ** 2)) * 0.35
    glint = np.clip(path * (0.65 + 1.5 * ripple) + warm * (0.5 + 1.6 * ripple), 0, 1)[..., None]
    water = blue * (1 - glint) + glint * np.array([0.98, 0.5, 0.2])
    picture = np.where((y > horizon)[..., None], water, picture)
    angle = 0.12 * np.sin(9 * x + 14 * y) + 0.1 * ripple
    angle = np.where(y < horizon, 0.35 * np.sin(5 * x + 9 * y), angle)
    return picture, angle
