"""Brush strokes: laid one over the other on a panel, with the ridges that bristles leave, then lit.

A painting begins as a picture of what it shows, and as the direction in which the brush goes at each point. It is
covered with strokes from coarse to fine, as Hertzmann (1998) does; each is bent as the directions around it turn.
"""

__all__ = ["Brush", "Panel", "Strokes", "strokes_over"]

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from drawing.noise import fractal
from drawing.paintings.plane import Array, around, blurred, scattered

#: Points of a bristle's track along and across a stroke.
_TRACKS = (256, 512)


class Strokes(NamedTuple):
    """Where strokes go, in shares of the panel's side; N of them."""

    #: (N,), of the middle.
    x: Array
    #: (N,), downwards.
    y: Array
    #: (N,), radians from the x axis towards the y axis.
    angle: Array
    #: (N, 3), 0 to 1.
    colour: Array
    #: (N,), radians that the direction turns by per side of the panel.
    bend: Array


class Brush(NamedTuple):
    """What leaves a stroke."""

    #: Of a stroke, in shares of the panel's side.
    length: float
    width: float
    #: How thick the paint lies, in shares of the panel's side.
    thickness: float = 0.004
    #: Share of the colour that covers what is below.
    opacity: float = 1.0
    #: How much each bristle's paint differs in brightness.
    streaks: float = 0.12
    #: Share of bristles without paint; a dry brush has many.
    dry: float = 0.0
    #: How far the ends are frayed, in shares of the half length.
    frayed: float = 0.35
    #: Share of a stroke's length and width that it may differ by.
    uneven: float = 0.3
    #: Share of its width that a stroke keeps at its end.
    tip: float = 1.0
    #: Whether a stroke is an ellipse, as a touch with the tip leaves it.
    round: bool = False


class Panel:
    """A square that paint lies on.

    Args:
        ground: (side, side, 3), 0 to 1: what shows between strokes.
        seed: For bristles and for what differs from stroke to stroke.
    """

    def __init__(self, ground: Array, seed: int) -> None:
        self.colour = ground.copy()
        self.relief: Array = np.zeros(ground.shape[:2])
        self._side = len(ground)
        self._generator = np.random.default_rng(seed)
        along, across = _TRACKS
        s, t = np.mgrid[:along, :across] / 1.0
        tracks = fractal(t / 5.0, s / 90.0, seed, octaves=3, gain=0.6)
        self._tracks = tracks / tracks.std()

    def lay(self, strokes: Strokes, brush: Brush, within: NDArray[np.int64] | None = None) -> None:
        """Lays strokes in their order.

        Args:
            strokes: Where they go.
            brush: What leaves them.
            within: (side, side): a stroke stays inside the piece, of one number, that its middle is in.
        """
        number = len(strokes.x)
        stretch = 1 + brush.uneven * self._generator.uniform(-1, 1, (number, 2))
        begins = self._generator.integers(0, _TRACKS, (number, 2))
        for index in range(number):
            self._stroke(strokes, index, brush, stretch[index], begins[index], within)

    def _stroke(
        self,
        strokes: Strokes,
        index: int,
        brush: Brush,
        stretch: Array,
        begin: NDArray[np.int64],
        within: NDArray[np.int64] | None,
    ) -> None:
        side = self._side
        half_length = max(brush.length * stretch[0] * side / 2, 0.8)
        half_width = max(brush.width * stretch[1] * side / 2, 0.8)
        angle, bend = strokes.angle[index], strokes.bend[index] / side / 2
        # A stroke that turned by more would leave the parabola that stands for it.
        bend = np.clip(bend, -0.45 / half_length, 0.45 / half_length)
        x, y = strokes.x[index] * side - 0.5, strokes.y[index] * side - 0.5
        cosine, sine = np.cos(angle), np.sin(angle)
        sag = abs(bend) * half_length**2
        reach_x = abs(cosine) * half_length + abs(sine) * (half_width + sag) + 1
        reach_y = abs(sine) * half_length + abs(cosine) * (half_width + sag) + 1
        left, right = max(int(x - reach_x), 0), min(int(x + reach_x) + 2, side)
        top, bottom = max(int(y - reach_y), 0), min(int(y + reach_y) + 2, side)
        if left >= right or top >= bottom:
            return
        dx, dy = np.arange(left, right) - x, (np.arange(top, bottom) - y)[:, None]
        along = cosine * dx + sine * dy
        across = cosine * dy - sine * dx - bend * along**2
        s, t = along / half_length, across / half_width
        # As many bristles on a broad brush as on its width: a track is about three pixels wide.
        row = ((along * 0.7).astype(np.int64) + begin[0]) % _TRACKS[0]
        column = ((across * 2.2).astype(np.int64) + begin[1]) % _TRACKS[1]
        track = self._tracks[row, column]
        covers = brush.opacity * _covers(brush, s, t, (half_length, half_width), track)
        window = np.s_[top:bottom, left:right]
        if within is not None:
            down, over = (min(max(round(each), 0), side - 1) for each in (y, x))
            covers = covers * (within[window] == within[down, over])
        colour = strokes.colour[index] * (1 + brush.streaks * track)[..., None]
        self.colour[window] += covers[..., None] * (colour - self.colour[window])
        if brush.thickness:
            # Paint is pushed aside and heaped up where the brush leaves.
            profile = 0.55 + 0.25 * track + 0.5 * np.abs(t) ** 4 + 0.5 * np.clip(s, 0, 1) ** 6
            height = self.relief[window] * 0.45 + brush.thickness * side * profile
            self.relief[window] += covers * (height - self.relief[window])

    def lit(self, gloss: float = 0.25, depth: float = 1.0) -> Array:
        """The paint under a lamp at the upper left.

        Args:
            gloss: How bright varnish and wet ridges shine.
            depth: How much steeper the relief is than it was painted.

        Returns:
            (side, side, 3), 0 to 1.
        """
        slope_y, slope_x = np.gradient(blurred(self.relief, 0.6))
        towards = (slope_x + 1.3 * slope_y) * depth
        shade = 1 + 0.55 * np.tanh(towards * 0.7)
        shine = gloss * np.clip(np.tanh(towards * 0.6) - 0.35, 0, None) ** 1.5
        colour: Array = np.clip(self.colour, 0, 1) * shade[..., None] + shine[..., None]
        return np.clip(colour, 0, 1)


def _covers(brush: Brush, s: Array, t: Array, half: tuple[float, float], track: Array) -> Array:
    """How much of each pixel paint covers, 0 to 1.

    Args:
        brush: What the stroke is of.
        s: Along the stroke, -1 to 1 on it.
        t: Across it, -1 to 1 on it.
        half: Length and width in pixels.
        track: How much paint each bristle has, about -2 to 2.
    """
    if brush.round:
        within = (1 - np.hypot(s, t) * (1 + 0.06 * track)) * min(half)
    else:
        narrow = 1 - (1 - brush.tip) * np.clip((s + 1) / 2, 0, 1) ** 2
        beside = (narrow - np.abs(t)) * half[1]
        fringe = brush.frayed * np.clip(0.35 * track + 0.5 * t * t, 0, 1)
        within = np.minimum(beside, (1 - np.abs(s) - fringe) * half[0])
    covers: Array = np.clip(within + 0.5, 0, 1)
    if brush.dry:
        # The paint runs out towards the end.
        share = brush.dry * (0.5 + 0.6 * np.clip(s + 0.4, 0, None))
        covers = covers * np.clip((track + 1.8 - 3.6 * share) * 2.5, 0, 1)
    return covers


def strokes_over(
    picture: Array,
    angle: Array,
    spacing: float,
    seed: int,
    *,
    loose: float = 0.15,
    spread: float = 0.05,
) -> Strokes:
    """Strokes that cover a picture along a field of directions.

    Args:
        picture: (side, side, 3), 0 to 1; best as blurred as the brush is broad.
        angle: (side, side), radians.
        spacing: Between strokes, in shares of the side.
        seed: Of places and of what differs.
        loose: How far directions stray, in radians.
        spread: How far colours stray, in shares of the whole range.
    """
    generator = np.random.default_rng(seed + 1)
    x, y = scattered(spacing, seed)
    at = around(angle, x, y)
    step = 0.01
    later = around(angle, x + step * np.cos(at), y + step * np.sin(at))
    turn = np.angle(np.exp(2j * (later - at))) / 2 / step
    colour = around(picture, x, y) * (1 + spread * generator.normal(size=(len(x), 1)))
    colour = colour + spread * generator.normal(size=(len(x), 3)) * 0.6
    at = at + loose * generator.normal(size=at.shape)
    return Strokes(x, y, at, np.clip(colour, 0, 1), turn)
