"""Ten icons, flat and in a few colours."""

__all__ = ["ICONS", "SIDE", "draw_icon"]

import itertools
from collections.abc import Callable

import numpy as np
from PIL import Image

from drawing.canvas import Canvas, Points, arc, bezier, ellipse, turned

#: In pixels.
SIDE = 256


def draw_icon(name: str) -> Image.Image:
    """An icon in mode RGBA."""
    canvas = Canvas(SIDE)
    ICONS[name](canvas)
    return canvas.picture()


def _blossom(canvas: Canvas) -> None:
    """Five notched petals."""
    half = np.concatenate(
        [
            bezier((0.5, 0.5), (0.4, 0.44), (0.25, 0.2), (0.37, 0.07)),
            bezier((0.37, 0.07), (0.41, 0.02), (0.46, 0.04), (0.5, 0.11)),
        ]
    )
    petal = np.concatenate([half, _mirrored(half)[::-1]])
    for fifth in range(5):
        canvas.fill(turned(petal, 72 * fifth), (226, 138, 166))
        smaller = (petal - (0.5, 0.3)) * (0.88, 0.9) + (0.5, 0.3)
        canvas.fill(turned(smaller, 72 * fifth), (247, 187, 205))
    for fifth in range(5):
        canvas.line(turned(_path((0.5, 0.5), (0.5, 0.3)), 72 * fifth), 0.022, (205, 78, 120))
        canvas.disc(_turned_point((0.5, 0.29), 72 * fifth), 0.028, (250, 214, 90))
    canvas.disc((0.5, 0.5), 0.075, (205, 78, 120))


def _heart(canvas: Canvas) -> None:
    """With a light spot."""
    t = np.linspace(0, 2 * np.pi, 200)
    x = 16 * np.sin(t) ** 3
    y = -(13 * np.cos(t) - 5 * np.cos(2 * t) - 2 * np.cos(3 * t) - np.cos(4 * t))
    outline = np.stack([x, y], 1) / 34
    centre = np.array([0.5, 0.46])
    canvas.fill(outline + centre, (176, 24, 44))
    canvas.fill(outline * 0.9 + centre, (224, 44, 66))
    canvas.fill(turned(ellipse((0.29, 0.29), 0.1, 0.055), -40, (0.29, 0.29)), (246, 128, 142))


def _key(canvas: Canvas) -> None:
    """Lying askew, with a round bow and two teeth."""
    gold, dark = (226, 170, 38), (150, 102, 12)
    for width, colour in ((0.055, dark), (0.0, gold)):
        for part in (
            _box(0.42, 0.44, 0.97, 0.56),
            _box(0.72, 0.5, 0.8, 0.74),
            _box(0.87, 0.5, 0.95, 0.7),
        ):
            canvas.fill(_askew(_grown(part, width)), colour)
        canvas.line(_askew(arc((0.26, 0.5), 0.17, 0, 360)), 0.11 + 2 * width, colour)
    canvas.line(_askew(_path((0.45, 0.475), (0.94, 0.475))), 0.02, (250, 214, 120))


def _leaf(canvas: Canvas) -> None:
    """Two halves, light and dark, with veins."""
    side = np.concatenate(
        [
            bezier((0.5, 0.02), (0.3, 0.14), (0.14, 0.34), (0.18, 0.56)),
            bezier((0.18, 0.56), (0.22, 0.74), (0.36, 0.82), (0.5, 0.84)),
        ]
    )
    canvas.line(turned(_path((0.5, 0.8), (0.5, 0.98)), 30), 0.045, (44, 92, 30))
    canvas.fill(turned(side, 30), (86, 160, 58))
    canvas.fill(turned(_mirrored(side), 30), (58, 126, 44))
    vein = (190, 222, 140)
    canvas.line(turned(_path((0.5, 0.08), (0.5, 0.84)), 30), 0.02, vein)
    for y, reach in ((0.26, 0.13), (0.42, 0.19), (0.58, 0.22), (0.72, 0.17)):
        for way in (-1, 1):
            branch = _path((0.5, y), (0.5 + way * reach, y - 0.1))
            canvas.line(turned(branch, 30), 0.014, vein)


def _mushroom(canvas: Canvas) -> None:
    """A red cap with white spots."""
    stem = np.concatenate(
        [
            bezier((0.4, 0.5), (0.42, 0.66), (0.38, 0.8), (0.32, 0.92)),
            bezier((0.32, 0.92), (0.4, 0.98), (0.6, 0.98), (0.68, 0.92)),
            bezier((0.68, 0.92), (0.62, 0.8), (0.58, 0.66), (0.6, 0.5)),
        ]
    )
    canvas.fill(stem, (240, 226, 196))
    canvas.fill(ellipse((0.5, 0.58), 0.2, 0.06), (212, 192, 156))
    cap = np.concatenate(
        [
            bezier((0.04, 0.52), (0.04, 0.18), (0.28, 0.04), (0.5, 0.04)),
            bezier((0.5, 0.04), (0.72, 0.04), (0.96, 0.18), (0.96, 0.52)),
            bezier((0.96, 0.52), (0.8, 0.6), (0.2, 0.6), (0.04, 0.52)),
        ]
    )
    canvas.fill(cap, (206, 38, 36))
    for x, y, across, along in (
        (0.5, 0.19, 0.1, 0.075),
        (0.24, 0.3, 0.07, 0.075),
        (0.75, 0.32, 0.075, 0.08),
        (0.42, 0.43, 0.065, 0.05),
        (0.61, 0.46, 0.045, 0.035),
        (0.14, 0.48, 0.04, 0.035),
        (0.87, 0.49, 0.035, 0.032),
    ):
        canvas.fill(ellipse((x, y), across, along), (252, 244, 236))


def _smile(canvas: Canvas) -> None:
    """A round yellow face."""
    dark = (74, 48, 12)
    canvas.disc((0.5, 0.5), 0.47, (206, 146, 20))
    canvas.disc((0.5, 0.5), 0.435, (252, 206, 56))
    for x in (0.34, 0.66):
        canvas.fill(ellipse((x, 0.37), 0.055, 0.085), dark)
        canvas.disc((x - 0.015, 0.335), 0.018, (255, 255, 255))
    mouth = np.concatenate([arc((0.5, 0.52), 0.28, 12, 168), arc((0.5, 0.43), 0.29, 142, 38)])
    canvas.fill(mouth, dark)


def _snowflake(canvas: Canvas) -> None:
    """Six arms on a blue disc."""
    canvas.disc((0.5, 0.5), 0.48, (36, 104, 176))
    white = (236, 246, 255)
    for sixth in range(6):
        arm = _path((0.5, 0.5), (0.5, 0.1))
        canvas.line(turned(arm, 60 * sixth), 0.045, white)
        for y, reach in ((0.19, 0.09), (0.31, 0.1)):
            for way in (-1, 1):
                branch = _path((0.5, y + 0.06), (0.5 + way * reach, y - 0.01))
                canvas.line(turned(branch, 60 * sixth), 0.034, white)
    canvas.disc((0.5, 0.5), 0.06, white)


def _star(canvas: Canvas) -> None:
    """Ten facets, light and dark by turns."""
    angle = np.radians(np.arange(10) * 36 - 90)
    radius = np.where(np.arange(10) % 2 == 0, 0.5, 0.215)
    corners = np.stack([np.cos(angle), np.sin(angle)], 1) * radius[:, None] + (0.5, 0.53)
    for corner in range(10):
        facet = np.array([(0.5, 0.53), corners[corner], corners[(corner + 1) % 10]])
        canvas.fill(facet, (250, 204, 40) if corner % 2 else (224, 156, 16))


def _sun(canvas: Canvas) -> None:
    """Long and short rays by turns."""
    for ray in range(16):
        tip = 0.01 if ray % 2 == 0 else 0.09
        shape = np.array([(0.43, 0.3), (0.5, tip), (0.57, 0.3)])
        canvas.fill(turned(shape, 22.5 * ray), (246, 132, 24) if ray % 2 else (250, 172, 30))
    canvas.disc((0.5, 0.5), 0.27, (236, 120, 16))
    canvas.disc((0.5, 0.5), 0.24, (255, 216, 70))


def _umbrella(canvas: Canvas) -> None:
    """Six coloured gores and a hooked handle."""
    wood = (116, 70, 34)
    canvas.line(_path((0.5, 0.03), (0.5, 0.8)), 0.04, wood)
    canvas.line(arc((0.59, 0.82), 0.09, 180, 0), 0.045, wood)
    edges = np.linspace(0.03, 0.97, 7)
    for gore, (left, right) in enumerate(itertools.pairwise(edges)):
        shape = np.concatenate(
            [
                _rib(left),
                bezier((left, 0.53), (left, 0.45), (right, 0.45), (right, 0.53)),
                _rib(right)[::-1],
            ]
        )
        canvas.fill(shape, (48, 92, 172) if gore % 2 else (238, 196, 60))


def _rib(x: float) -> Points:
    """From the top of the umbrella down to its edge."""
    return bezier((0.5, 0.08), (0.5 + (x - 0.5) * 0.6, 0.1), (x, 0.26), (x, 0.53))


def _path(*points: tuple[float, float]) -> Points:
    return np.array(points)


def _turned_point(point: tuple[float, float], degrees: float) -> tuple[float, float]:
    x, y = turned(_path(point), degrees)[0]
    return float(x), float(y)


def _mirrored(points: Points) -> Points:
    """Left and right exchanged."""
    mirrored: Points = points * (-1, 1) + (1, 0)
    return mirrored


def _box(left: float, top: float, right: float, bottom: float) -> Points:
    return _path((left, top), (right, top), (right, bottom), (left, bottom))


def _grown(box: Points, width: float) -> Points:
    grown: Points = box + np.sign(box - box.mean(0)) * width * 0.5
    return grown


def _askew(points: Points) -> Points:
    return turned((points - (0.52, 0.53)) * 0.98 + 0.5, -38)


#: What draws each icon.
ICONS: dict[str, Callable[[Canvas], None]] = {
    "blossom": _blossom,
    "heart": _heart,
    "key": _key,
    "leaf": _leaf,
    "mushroom": _mushroom,
    "smile": _smile,
    "snowflake": _snowflake,
    "star": _star,
    "sun": _sun,
    "umbrella": _umbrella,
}
