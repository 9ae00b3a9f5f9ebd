"""Thick strokes that swirl: a night sky over dark hills."""

__all__ = ["impasto_night"]

import numpy as np

from drawing.noise import fractal
from drawing.paintings.brush import Brush, Panel, strokes_over
from drawing.paintings.plane import Array, blurred, mixed, plane

#: x, y, radius and sense of each whirl in the sky.
_WHIRLS = ((0.36, 0.34, 0.17, 1), (0.62, 0.46, 0.12, -1), (0.1, 0.5, 0.1, -1), (0.88, 0.52, 0.1, 1))
#: x, y and size of each light.
_LIGHTS = (
    (0.82, 0.17, 0.105), (0.12, 0.13, 0.055), (0.52, 0.1, 0.045), (0.3, 0.07, 0.03), (0.64, 0.24, 0.034),
    (0.07, 0.34, 0.036), (0.95, 0.4, 0.034), (0.5, 0.6, 0.028), (0.22, 0.58, 0.026), (0.74, 0.58, 0.03),
)  # fmt: skip


def impasto_night(side: int) -> Array:
    """Three layers of thick strokes along the currents of the sky."""
    x, y = plane(side)
    picture, angle = _night(x, y)
    panel = Panel(mixed(y, (0, (18, 26, 60)), (1, (24, 34, 40))), seed=11)
    for spacing, length, width, seed in (
        (0.034, 0.14, 0.045, 1),
        (0.02, 0.1, 0.025, 2),
        (0.0135, 0.075, 0.016, 3),
    ):
        soft = blurred(picture, width * side / 4)
        panel.lay(
            strokes_over(soft, angle, spacing, seed, loose=0.1, spread=0.07),
            Brush(length, width, thickness=0.005, streaks=0.09),
        )
    return panel.lit(gloss=0.35, depth=1.0)


def _night(x: Array, y: Array) -> tuple[Array, Array]:
    # The sky's currents: a drift to the right, and what turns about whirls and lights.
    drift_x, drift_y = np.ones_like(x) * 0.5, 0.25 * np.sin(6 * x + 1)
    bands = fractal(x * 2.2, y * 4.5, 5, octaves=3)
    for at_x, at_y, radius, sense in _WHIRLS:
        dx, dy = x - at_x, y - at_y
        distance = np.hypot(dx, dy)
        pull = sense * 2.2 * np.exp(-((distance / radius) ** 2) * 0.7) / radius
        drift_x, drift_y = drift_x - pull * dy, drift_y + pull * dx
        spiral = np.cos(np.arctan2(dy, dx) * 2 * sense - 7 * distance / radius)
        bands = bands + 0.55 * spiral * np.exp(-((distance / radius) ** 2))
    glow = np.zeros_like(x)
    for at_x, at_y, size in _LIGHTS:
        dx, dy = x - at_x, y - at_y
        distance = np.hypot(dx, dy)
        pull = 3 * np.exp(-((distance / size / 1.4) ** 2)) / size
        drift_x, drift_y = drift_x - pull * dy, drift_y + pull * dx
        rings = 1.25 * np.exp(-distance / size / 0.8) * (1 + 0.25 * np.cos(7.5 * distance / size))
        glow = np.maximum(glow, np.where(distance < 0.36 * size, 1.2, rings))
    sky = mixed(
        0.42 + 0.55 * bands,
        (0, (16, 28, 88)), (0.25, (28, 58, 140)), (0.5, (52, 98, 172)), (0.75, (110, 160, 200)), (1, (190, 212, 205)),
    )  # fmt: skip
    light = mixed(
        glow,
        (0, (60, 110, 150)),
        (0.25, (140, 180, 130)),
        (0.45, (240, 205, 60)),
        (0.8, (255, 205, 40)),
        (1.2, (255, 244, 170)),
    )
    share = np.clip(glow * 2.1, 0, 1)[..., None]
    sky = sky * (1 - share) + light * share
    angle = np.arctan2(drift_y, drift_x)

    ridge = 0.7 + 0.05 * np.sin(7 * x + 0.8) + 0.03 * np.sin(17 * x)
    near = 0.82 + 0.06 * np.sin(4.4 * x + 3.4)
    hills = mixed(
        0.5 + 0.8 * fractal(x * 5, y * 9, 8, octaves=3),
        (0, (14, 24, 58)), (0.5, (32, 62, 96)), (0.8, (58, 104, 112)), (1, (100, 140, 110)),
    )  # fmt: skip
    field = mixed(
        0.5 + 0.9 * fractal(x * 6, y * 12, 9, octaves=3),
        (0, (12, 30, 34)), (0.45, (28, 62, 54)), (0.75, (74, 104, 52)), (1, (176, 158, 62)),
    )  # fmt: skip
    picture = np.where((y > ridge)[..., None], hills, sky)
    picture = np.where((y > near)[..., None], field, picture)
    slope = np.arctan(0.35 * np.cos(7 * x + 0.8) + 0.5 * np.cos(17 * x)) + 0.5 * np.sin(
        11 * x + 20 * y
    )
    angle = np.where(y > ridge, slope, angle)
    angle = np.where(
        y > near, np.arctan(0.26 * np.cos(4.4 * x + 3.4)) - 0.25 + 0.3 * np.sin(18 * y), angle
    )
    return picture, angle
