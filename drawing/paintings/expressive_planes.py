"""Planes with hard outlines: mountains, trees and a sun, broken into facets of unmixed colour."""

__all__ = ["expressive_planes"]

import numpy as np
from numpy.typing import NDArray

from drawing.noise import fractal
from drawing.paintings.brush import Brush, Panel, Strokes
from drawing.paintings.plane import Array, around, blurred, plane, scattered

_OUTLINE = np.array([0.09, 0.05, 0.11])

#: Colours of each part of the picture; a facet has one of them.
_PAINTS: dict[str, tuple[tuple[int, int, int], ...]] = {
    "sky": ((244, 120, 150), (250, 172, 140), (212, 70, 130), (250, 200, 170), (170, 84, 160)),
    "sun": ((255, 236, 90), (255, 206, 50)),
    "far": ((120, 70, 150), (90, 60, 150), (176, 60, 130), (196, 110, 170)),
    "near": ((200, 30, 70), (120, 20, 80), (232, 60, 60), (80, 30, 100)),
    "field": ((20, 140, 96), (110, 180, 60), (230, 210, 50), (16, 104, 104), (60, 190, 140)),
    "crown": ((10, 96, 72), (20, 140, 96), (0, 70, 80), (120, 190, 50)),
    "trunk": ((70, 20, 70), (150, 40, 60)),
}


def expressive_planes(side: int) -> Array:
    """Facets with a stroke's direction each, then outlines."""
    x, y = plane(side)
    wobble = 0.004 * fractal(x * 9, y * 9, 72, octaves=2)
    parts, part = _motif(x + wobble, y - wobble)
    facets = _facets(x + wobble, y + wobble, part)
    picture, angle = _painted(x, y, parts, part, facets)
    panel = Panel(blurred(picture, 2), seed=71)
    for spacing, length, width, seed in ((0.022, 0.075, 0.026, 1), (0.0145, 0.05, 0.0135, 2)):
        generator = np.random.default_rng(seed)
        at_x, at_y = scattered(spacing, seed)
        colour = around(picture, at_x, at_y) + 0.04 * generator.normal(size=(len(at_x), 3))
        turn = around(angle, at_x, at_y) + generator.normal(0, 0.08, at_x.shape)
        panel.lay(
            Strokes(at_x, at_y, turn, np.clip(colour, 0, 1), 0 * at_x),
            Brush(length, width, thickness=0.003, streaks=0.07, dry=0.15),
            within=facets,
        )
    _outlined(panel, x, y, facets, part)
    return panel.lit(gloss=0.12, depth=0.9)


def _motif(x: Array, y: Array) -> tuple[list[str], NDArray[np.int64]]:
    """The names of the parts, and which of them each point belongs to."""
    parts = ["sky"]
    part = np.zeros(x.shape, dtype=np.int64)

    def add(name: str, where: NDArray[np.bool_]) -> None:
        parts.append(name)
        part[where] = len(parts) - 1

    def peak(at_x: float, top: float, left: float, right: float) -> NDArray[np.bool_]:
        return y > top + np.where(x < at_x, (at_x - x) * left, (x - at_x) * right)

    add("sun", np.hypot(x - 0.68, y - 0.2) < 0.11)
    add("far", peak(0.2, 0.24, 0.9, 0.75) | peak(0.88, 0.3, 0.6, 0.7))
    add("far", peak(0.62, 0.36, 0.8, 0.5))
    add("near", peak(0.42, 0.32, 0.95, 0.9))
    add("near", peak(0.8, 0.48, 0.5, 0.6))
    add("field", y > 0.62 + 0.1 * (x - 0.3))
    add("field", y > 0.8 - 0.16 * x)
    for at_x, foot, height in (
        (0.64, 0.76, 0.26),
        (0.1, 0.88, 0.6),
        (0.32, 0.96, 0.42),
        (0.88, 0.94, 0.56),
    ):
        add("trunk", (np.abs(x - at_x) < 0.05 * height) & (y < foot) & (y > foot - height * 0.5))
        # Crowns of three tiers, the upper ones before the lower.
        for up, across in ((0.22, 0.25), (0.46, 0.2), (0.7, 0.14)):
            top = foot - (up + 0.32) * height
            tier = (np.abs(x - at_x) / across < (y - top) / 0.32) & (
                y < foot - up * height + 0.2 * (x - at_x)
            )
            add("crown", tier)
    return parts, part


def _facets(x: Array, y: Array, part: NDArray[np.int64]) -> NDArray[np.int64]:
    """Pieces that straight cuts through the whole picture, and arcs around its sun, leave of each part."""
    generator = np.random.default_rng(73)
    pieces = part.copy()
    for _ in range(13):
        at_x, at_y = generator.uniform(0.05, 0.95, 2)
        turn = generator.uniform(0, np.pi)
        beyond = (x - at_x) * np.cos(turn) + (y - at_y) * np.sin(turn) > 0
        pieces = pieces * 2 + beyond
    away = np.hypot(x - 0.68, y - 0.2)
    pieces = pieces * 4 + np.digitize(away, [0.2, 0.33, 0.5])
    names, numbered = np.unique(pieces, return_inverse=True)
    result: NDArray[np.int64] = numbered.reshape(x.shape).astype(np.int64)
    assert len(names) == result.max() + 1
    return result


def _painted(
    x: Array, y: Array, parts: list[str], part: NDArray[np.int64], facets: NDArray[np.int64]
) -> tuple[Array, Array]:
    generator = np.random.default_rng(74)
    picture, angle = np.zeros((*x.shape, 3)), np.zeros(x.shape)
    for facet in range(facets.max() + 1):
        inside = facets == facet
        paints = _PAINTS[parts[part[inside][0]]]
        colour = np.array(paints[generator.integers(len(paints))]) / 255
        turn = generator.uniform(0, 2 * np.pi)
        along = np.cos(turn) * x[inside] + np.sin(turn) * y[inside]
        share = (along - along.min()) / max(np.ptp(along), 1e-9)
        # A facet turns from light to dark, as if each had a lamp of its own.
        shade = (0.68 + 0.5 * share)[:, None]
        picture[inside] = np.clip(colour * shade + 0.12 * np.clip(shade - 1, 0, 1), 0, 1)
        angle[inside] = turn + np.pi / 2
    return picture, angle


def _outlined(
    panel: Panel, x: Array, y: Array, facets: NDArray[np.int64], part: NDArray[np.int64]
) -> None:
    side = len(x)
    uneven = 1 + 0.5 * fractal(x * 14, y * 14, 75, octaves=2)
    for pieces, width in ((facets, 0.0042), (part, 0.007)):
        edge = np.zeros(x.shape)
        edge[:, 1:] += pieces[:, 1:] != pieces[:, :-1]
        edge[1:] += pieces[1:] != pieces[:-1]
        sigma = width * side / 2
        near = blurred(np.clip(edge, 0, 1), sigma) * sigma * np.sqrt(2 * np.pi)
        share = np.clip((near * uneven - 0.32) * sigma * 1.6 + 0.5, 0, 1)
        panel.colour += share[..., None] * (_OUTLINE - panel.colour)
        panel.relief += share * (0.5 - 0.6 * panel.relief)
