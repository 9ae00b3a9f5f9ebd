"""A print from carved blocks: hills under a low sun, few flat colours, and lines that a gouge left."""

__all__ = ["woodcut_hills"]

import numpy as np

from drawing.noise import fractal
from drawing.paintings.brush import Brush, Panel, Strokes
from drawing.paintings.plane import Array, around, plane, scattered

_PAPER = np.array([0.94, 0.89, 0.77])
_BLACK = np.array([0.1, 0.1, 0.13])
_OCHRE = np.array([0.95, 0.74, 0.36])
_TEAL = np.array([0.55, 0.68, 0.66])
_RED = np.array([0.84, 0.33, 0.17])
_BLUE = np.array([0.16, 0.3, 0.42])

_SUN = (0.64, 0.3)

#: Height of the middle, swing, waves per side, phase, and the colour of each hill, from far to near.
_HILLS = (
    (0.47, 0.035, 1.6, 0.4, _TEAL),
    (0.56, 0.06, 1.15, 2.3, _RED),
    (0.7, 0.06, 1.0, 5.4, _BLUE),
    (0.87, 0.05, 0.9, 2.9, _RED),
)


def woodcut_hills(side: int) -> Array:
    """Flat colours, black lines, and cuts that show the paper."""
    # A gouge's points are finer than a pixel.
    x, y = plane(2 * side)
    wobble = 0.003 * fractal(x * 30, y * 30, 51, octaves=2)
    panel = Panel(np.broadcast_to(_PAPER, (*x.shape, 3)), seed=52)
    _sky(panel, x, y + wobble)
    for number, hill in enumerate(_HILLS):
        _hill(panel, x, y + wobble, number, *hill)
    _trees(panel, x, y, wobble)
    wood = fractal(x * 5 + 0.4 * fractal(x * 3, y * 3, 53, octaves=2), y * 90, 54, octaves=3)
    starved = np.clip(wood - 0.35, 0, 1)[..., None] * 0.55
    printed = panel.colour + starved * (_PAPER - panel.colour)
    smaller: Array = printed.reshape(side, 2, side, 2, 3).mean((1, 3))
    return np.clip(smaller, 0, 1)


def _sky(panel: Panel, x: Array, y: Array) -> None:
    """Rings around the sun, which break off and swell as a gouge goes in and out of the wood."""
    dx, dy = x - _SUN[0], y - _SUN[1]
    distance, turn = np.hypot(dx, dy), np.arctan2(dy, dx)
    bent = distance + 0.018 * fractal(x * 4, y * 4, 55, octaves=2)
    shade = np.where((bent > 0.235)[..., None], _TEAL, _OCHRE)
    shade = np.where((bent > 0.47)[..., None], _BLUE, shade)
    panel.colour[:] = shade
    ring, within = np.divmod(bent * 44, 1)
    breaks = np.cos(turn * (5 + ring % 4) + 2.4 * ring) + 0.5 * np.cos(turn * 3 + 1.7 * ring)
    swell = np.clip(0.62 * (0.8 + 0.6 * breaks), 0, 0.66)
    panel.colour[(np.abs(within - 0.5) < swell / 2) & (bent > 0.12)] = _PAPER
    panel.colour[np.abs(bent - 0.235) < 0.0035] = _BLACK
    panel.colour[np.abs(bent - 0.47) < 0.0035] = _BLACK
    panel.colour[distance < 0.125] = _BLACK
    panel.colour[distance < 0.115] = _OCHRE


def _hill(
    panel: Panel, x: Array, y: Array, number: int, middle: float, swing: float, waves: float, phase: float,
    colour: Array,
) -> None:  # fmt: skip
    turn = 2 * np.pi * waves
    crest = (
        middle
        + swing * np.sin(turn * x + phase)
        + 0.25 * swing * np.sin(2.7 * turn * x + 2 * phase)
    )
    below = y - crest
    panel.colour[below > 0] = colour
    # Shadows, carved as lines that follow the ground and swell where it turns away from the sun.
    slope = np.gradient(crest, axis=1) * len(x)
    away = np.clip(
        0.45
        + 1.3 * slope * np.tanh((x - _SUN[0]) / 0.12)
        + 0.8 * fractal(x * 4, y * 6, 60 + number, octaves=2),
        0,
        1,
    )
    rows = below * (62 - 7 * number)
    bent = rows + 1.2 * fractal(x * 5, y * 5, 70 + number, octaves=2)
    near_crest = np.clip(1 - below / 0.2, 0, 1)
    swell = away * (0.4 + 0.75 * near_crest)
    lines = (np.abs(bent % 1 - 0.5) < 0.5 * swell) & (below > 0.006)
    panel.colour[lines & (below > 0)] = _BLACK
    panel.colour[(below > 0) & (below < 0.008)] = _BLACK
    # Cuts across, as of grass: light on what is dark.
    generator = np.random.default_rng(80 + number)
    at_x, at_y = scattered(0.026, 90 + number)
    inside = around(below, at_x, at_y)
    chance = np.clip(0.75 - around(away, at_x, at_y), 0, 0.75) * (inside > 0.03)
    keep = generator.uniform(size=at_x.shape) < chance
    at_x, at_y = at_x[keep], at_y[keep]
    order = np.argsort(at_y)
    at_x, at_y = at_x[order], at_y[order]
    angle = -np.pi / 2 + 0.5 * np.sin(9 * at_x) + generator.normal(0, 0.12, at_x.shape)
    cut = np.broadcast_to(_PAPER, (len(at_x), 3))
    brush = Brush(0.045, 0.0095, thickness=0, streaks=0, frayed=0, uneven=0.35, tip=0.05)
    panel.lay(Strokes(at_x, at_y, angle, cut, generator.normal(0, 6, at_x.shape)), brush)


def _trees(panel: Panel, x: Array, y: Array, wobble: Array) -> None:
    """Dark cypresses with light cut into one side."""
    for number, (at_x, foot, height) in enumerate(
        (
            (0.13, 0.9, 0.56),
            (0.25, 0.93, 0.4),
            (0.9, 0.95, 0.44),
            (0.42, 0.67, 0.14),
            (0.47, 0.68, 0.1),
        )
    ):
        up = (foot - y) / height
        width = height * 0.15 * np.clip(up, 0, 1) ** 0.35 * np.clip(1 - up, 0, 1) ** 0.75 * 1.5
        sway = at_x + 0.02 * np.sin(6 * up) * height
        flames = 1 + 0.7 * fractal(
            x * 22 / (0.4 + height), (y - 1.5 * np.abs(x - sway)) * 16, 100 + number, octaves=2
        )
        inside = (np.abs(x - sway + wobble) < width * flames) & (up > 0) & (up < 1)
        panel.colour[inside] = _BLACK
        panel.colour[(np.abs(x - at_x) < 0.012 * height) & (up > -0.08) & (up < 0.1)] = _BLACK
        generator = np.random.default_rng(110 + number)
        cut_x, cut_y = scattered(0.02 * (0.5 + height), 120 + number)
        towards = np.sign(_SUN[0] - at_x)
        lies = around(inside.astype(np.float64), cut_x, cut_y) > 0
        lies &= around(inside.astype(np.float64), cut_x + 0.008 * towards, cut_y) > 0
        lies &= (
            towards * (cut_x - at_x) > generator.uniform(-0.35, 0.1, cut_x.shape) * height * 0.12
        )
        cut_x, cut_y = cut_x[lies], cut_y[lies]
        angle = (
            np.pi / 2 + towards * 0.3 * np.sin(30 * cut_y) + generator.normal(0, 0.12, cut_x.shape)
        )
        colour = np.broadcast_to(_TEAL, (len(cut_x), 3))
        size = 0.05 * (0.4 + height)
        brush = Brush(size, 0.16 * size, thickness=0, streaks=0, frayed=0, uneven=0.35, tip=0.05)
        panel.lay(Strokes(cut_x, cut_y, angle, colour, generator.normal(0, 8, cut_x.shape)), brush)
