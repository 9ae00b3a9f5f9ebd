"""Ink on paper: peaks that stand in mist, washes and a dry brush, pines and a red seal."""

__all__ = ["ink_peaks"]

from typing import NamedTuple

import numpy as np

from drawing.noise import fractal
from drawing.paintings.brush import Brush, Panel, Strokes
from drawing.paintings.plane import Array, around, blurred, plane, scattered

_INK = np.array([0.07, 0.075, 0.09])
_PAPER = np.array([0.88, 0.84, 0.75])
_SEAL = np.array([0.72, 0.14, 0.1])


class _Range(NamedTuple):
    """A row of mountains."""

    #: Where mist hides its feet.
    foot: float
    #: x, half width and height of each peak.
    peaks: tuple[tuple[float, float, float], ...]
    #: How dark its ink is at the crest.
    ink: float
    #: How dark the dry brush's marks are.
    marks: float
    seed: int


_RANGES = (
    _Range(0.5, ((0.1, 0.09, 0.2), (0.32, 0.1, 0.3), (0.55, 0.12, 0.2), (0.8, 0.1, 0.22)), 0.35, 0.0, 1),
    _Range(0.66, ((0.5, 0.075, 0.54), (0.62, 0.07, 0.4), (0.4, 0.05, 0.3), (0.74, 0.08, 0.24)), 0.9, 0.6, 2),
    _Range(0.82, ((0.1, 0.1, 0.46), (0.22, 0.07, 0.3), (0.93, 0.09, 0.44), (0.82, 0.05, 0.25)), 1.3, 0.8, 5),
    _Range(1.06, ((0.02, 0.16, 0.26), (0.36, 0.13, 0.24), (0.55, 0.09, 0.16), (0.95, 0.15, 0.3)), 1.9, 1.0, 8),
)  # fmt: skip


def ink_peaks(side: int) -> Array:
    """Ranges from far to near: washes, marks of a dry brush, and mist before the next."""
    x, y = plane(side)
    paper = _paper(x, y)
    panel = Panel(paper, seed=41)
    for each in _RANGES:
        crest = _crest(x[:1], each)
        _mountain(panel, paper, x, y, crest, each)
        if each.marks > 0.7:
            _pines(panel, crest[0], each)
    _seal(panel, x, y)
    return np.clip(panel.colour, 0, 1)


def _paper(x: Array, y: Array) -> Array:
    fibres = fractal(x * 120, y * 100, 42, octaves=2)
    stains = fractal(x * 2.5, y * 2.5, 44, octaves=4)
    return _PAPER * (1 + 0.05 * fibres + 0.1 * stains)[..., None]


def _crest(x: Array, each: _Range) -> Array:
    """Its height in each column; steep sides, blunt tops, and steps on the way."""
    top = np.zeros_like(x)
    for at_x, width, height in each.peaks:
        wander = 0.25 * fractal(x * 9, 0 * x + at_x * 7, each.seed + 11, octaves=3)
        top = np.maximum(top, height * np.exp(-(np.abs((x - at_x) / width + wander) ** 2.2)))
    jags = fractal(x * 26, 0 * x + each.seed * 3.1, each.seed + 12, octaves=3)
    return each.foot - top * (1 + 0.12 * jags)


def _mountain(panel: Panel, paper: Array, x: Array, y: Array, crest: Array, each: _Range) -> None:
    below = y - crest
    inside = np.clip(below * len(x), 0, 1)
    height = max(peak[2] for peak in each.peaks)
    fades = np.clip((each.foot - y) / height * 1.5, 0, 1)
    # Folds lean as the flank that they are on.
    slope = np.gradient(blurred(crest, 8), axis=1) * len(x)
    flank = np.broadcast_to(np.tanh(0.5 * slope), x.shape)
    folds = fractal(
        x * 17 + 2.2 * flank + 1.2 * fractal(x * 5, y * 5, each.seed + 5, octaves=2), y * 3.4,
        each.seed + 20, octaves=4,
    )  # fmt: skip
    grain = fractal(x * 80, y * 80, each.seed + 30, octaves=2)
    wet = (
        0.3 * fades
        + 0.9 * np.exp(-below / 0.014) * fades
        + 1.5 * fades * np.clip(folds + 0.02, 0, 1)
    )
    ink = blurred(np.clip(each.ink * wet * inside * (1 + 0.4 * grain), 0, 3), 0.8)
    covered = (0.98 * inside)[..., None]
    panel.colour += covered * (paper - panel.colour)
    panel.colour -= (1 - np.exp(-1.4 * ink))[..., None] * (panel.colour - _INK)
    if each.marks:
        tone = inside * np.clip(fades * 1.3, 0, 1) * np.clip(folds * 2.2 + 0.4, 0, 1)
        _marks(panel, tone, flank, each)
        _moss(panel, below, fades, each)
    # Mist rises between this range and what will stand before it.
    mist = np.exp(-(((y - each.foot + 0.03 + 0.02 * np.sin(6 * x + each.seed)) / 0.09) ** 2))
    share = np.clip(
        mist * (0.85 + 0.5 * fractal(x * 3, y * 9, each.seed + 48, octaves=3)), 0, 0.95
    )[..., None]
    panel.colour += share * (paper - panel.colour)


def _marks(panel: Panel, tone: Array, flank: Array, each: _Range) -> None:
    """Strokes of a dry brush, down the slopes."""
    generator = np.random.default_rng(each.seed)
    for spacing, length, width in ((0.016, 0.08, 0.02), (0.011, 0.05, 0.007)):
        x, y = scattered(spacing, each.seed + 50)
        keep = generator.uniform(size=x.shape) < around(tone, x, y)
        x, y = x[keep], y[keep]
        angle = np.pi / 2 - 0.5 * around(flank, x, y) + generator.normal(0, 0.16, x.shape)
        darkness = np.clip(each.marks * generator.uniform(0.6, 1.1, (len(x), 1)), 0, 1)
        colour = _PAPER + darkness * (_INK - _PAPER)
        brush = Brush(
            length,
            width,
            thickness=0,
            opacity=0.85,
            streaks=0,
            dry=0.55,
            frayed=0.4,
            uneven=0.5,
            tip=0.3,
        )
        panel.lay(Strokes(x, y, angle, colour, generator.normal(0, 2, x.shape)), brush)


def _moss(panel: Panel, below: Array, fades: Array, each: _Range) -> None:
    """Dabs that stand for shrubs, along crests and edges."""
    generator = np.random.default_rng(each.seed + 7)
    x, y = scattered(0.008, each.seed + 60)
    chance = np.where(np.abs(below - 0.003) < 0.01, 0.8 * np.clip(2 * fades, 0, 1), 0)
    clusters = np.clip(1.5 * fractal(x * 8, y * 8, each.seed + 70, octaves=2) + 0.35, 0, 1)
    keep = generator.uniform(size=x.shape) < around(chance, x, y) * clusters
    _dabs(panel, x[keep], y[keep], each.marks, 0.009 + 0.006 * each.marks, generator)


def _pines(panel: Panel, crest: Array, each: _Range) -> None:
    """Trees on the crest: a trunk, and level tiers of needles that grow shorter upwards."""
    generator = np.random.default_rng(each.seed + 9)
    for at_x, _, tall in each.peaks[:3]:
        for _ in range(4):
            x = float(np.clip(at_x + generator.normal(0, 0.05), 0.01, 0.99))
            foot = crest[int(x * len(crest))] + 0.012
            height = (0.05 + 0.1 * tall) * each.marks * generator.uniform(0.8, 1.4)
            lean = generator.normal(0, 0.1)
            at = np.array([[x], [foot - height / 2], [np.pi / 2 + lean]])
            trunk = Strokes(at[0], at[1], at[2], _INK[None], np.array([3.0]))
            panel.lay(trunk, Brush(height, 0.006, thickness=0, streaks=0, uneven=0, frayed=0.1))
            tiers = np.repeat(np.linspace(0.3, 1.02, 6), 16)
            reach = height * 0.34 * (1.15 - tiers) ** 0.6
            along = generator.uniform(-1, 1, tiers.shape)
            y = foot - height * tiers + generator.normal(0, 0.0025, tiers.shape) + 0.012 * along**2
            _dabs(
                panel, x + reach * along - lean * height * (tiers - 0.5), y, 1.0, 0.0125, generator
            )


def _dabs(
    panel: Panel, x: Array, y: Array, darkness: float, size: float, generator: np.random.Generator
) -> None:
    shade = np.clip(darkness * generator.uniform(0.75, 1.15, (len(x), 1)), 0, 1)
    angle = generator.normal(0, 0.35, x.shape)
    brush = Brush(size, size * 0.5, thickness=0, opacity=0.9, streaks=0, uneven=0.45, round=True)
    panel.lay(Strokes(x, y, angle, _PAPER + shade * (_INK - _PAPER), 0 * x), brush)


def _seal(panel: Panel, x: Array, y: Array) -> None:
    u, v = (x - 0.9) / 0.034, (y - 0.13) / 0.045
    worn = 0.06 * fractal(x * 40, y * 40, 49, octaves=2)
    block = np.maximum(np.abs(u), np.abs(v)) + worn < 1
    # A figure cut out of the stone, no letter.
    figure = np.abs(u) + np.abs(v)
    lines = (np.abs(figure - 0.62) < 0.11) | (figure < 0.22)
    share = blurred((block & ~lines).astype(np.float64), 0.7)[..., None] * 0.9
    panel.colour += share * (_SEAL - panel.colour)
