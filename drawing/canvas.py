"""Flat shapes with smooth edges: drawn four times as large, then made small by averaging."""

__all__ = ["SUPERSAMPLING", "Canvas", "Colour", "Points", "arc", "bezier", "ellipse", "turned"]

from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray
from PIL import Image, ImageDraw

#: Points per pixel along each side.
SUPERSAMPLING = 4

#: (N, 2), x to the right and y down, as shares of the side.
Points: TypeAlias = NDArray[np.float64]
#: Red, green and blue from 0 to 255.
Colour: TypeAlias = tuple[int, int, int]

_STEPS = 96


class Canvas:
    """A transparent square that opaque shapes are laid on, one over the other.

    Args:
        side: Of the picture in pixels.
    """

    def __init__(self, side: int) -> None:
        self._side = side
        self._large = side * SUPERSAMPLING
        self._image = Image.new("RGBA", (self._large, self._large))
        self._draw = ImageDraw.Draw(self._image)

    def fill(self, outline: Points, colour: Colour) -> None:
        """Fills a closed outline."""
        self._draw.polygon([(x, y) for x, y in outline * self._large], fill=colour)

    def disc(self, centre: tuple[float, float], radius: float, colour: Colour) -> None:
        """Fills a circle."""
        self.fill(ellipse(centre, radius, radius), colour)

    def line(self, points: Points, width: float, colour: Colour) -> None:
        """Draws a line with round ends and corners."""
        large = points * self._large
        self._draw.line([(x, y) for x, y in large], fill=colour, width=round(width * self._large))
        for x, y in points:
            self.disc((x, y), width / 2, colour)

    def picture(self) -> Image.Image:
        """What was drawn, in mode RGBA."""
        # Pillow weighs colours by their opacity here, so that no dark seam appears.
        return self._image.resize((self._side, self._side), Image.Resampling.BOX)


def ellipse(centre: tuple[float, float], across: float, along: float) -> Points:
    """The outline of an ellipse with these half axes."""
    angle = np.linspace(0, 2 * np.pi, _STEPS, endpoint=False)
    return np.stack([np.cos(angle) * across, np.sin(angle) * along], 1) + centre


def arc(centre: tuple[float, float], radius: float, start: float, end: float) -> Points:
    """Part of a circle, from one angle to another in degrees; 90 is below the centre."""
    angle = np.radians(np.linspace(start, end, _STEPS))
    return np.stack([np.cos(angle), np.sin(angle)], 1) * radius + centre


def bezier(*points: tuple[float, float]) -> Points:
    """A cubic curve from the first of four points to the last."""
    first, second, third, last = np.array(points)
    t = np.linspace(0, 1, _STEPS)[:, None]
    s = 1 - t
    curve: Points = s**3 * first + 3 * s**2 * t * second + 3 * s * t**2 * third + t**3 * last
    return curve


def turned(points: Points, degrees: float, centre: tuple[float, float] = (0.5, 0.5)) -> Points:
    """Points turned clockwise about a centre."""
    cosine, sine = np.cos(np.radians(degrees)), np.sin(np.radians(degrees))
    matrix = np.array([[cosine, sine], [-sine, cosine]])
    result: Points = (points - centre) @ matrix + centre
    return result
