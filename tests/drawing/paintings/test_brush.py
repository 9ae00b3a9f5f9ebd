"""Strokes, held to what was asked of them."""

import numpy as np
import pytest
from numpy.typing import NDArray

from drawing.paintings.brush import Brush, Panel, Strokes, strokes_over
from drawing.paintings.plane import plane

SIDE = 64
WHITE = np.ones((SIDE, SIDE, 3))
RED = np.array([[0.8, 0.2, 0.1]])
#: Paint without bristles, so that a stroke is a rectangle.
PLAIN = Brush(0.5, 0.25, thickness=0, streaks=0, frayed=0, uneven=0)


def painted(angle: float = 0, bend: float = 0, brush: Brush = PLAIN) -> Panel:
    panel = Panel(WHITE, seed=1)
    middle = np.array([0.5])
    panel.lay(Strokes(middle, middle, np.array([angle]), RED, np.array([bend])), brush)
    return panel


def covered(panel: Panel) -> NDArray[np.bool_]:
    return panel.colour[..., 1] < 0.6


def test_a_stroke_covers_its_length_times_its_width_in_its_colour() -> None:
    expected = WHITE.copy()
    expected[24:40, 16:48] = RED
    # Its edges lie between pixels, where paint covers half of each.
    inner = np.s_[25:39, 17:47]
    panel = painted()
    assert panel.colour[inner] == pytest.approx(expected[inner])
    assert covered(panel).sum() == pytest.approx(32 * 16, rel=0.1)


def test_a_stroke_at_right_angles_is_the_same_stroke_turned() -> None:
    turned = painted(angle=np.pi / 2).colour
    assert turned == pytest.approx(np.rot90(painted().colour), abs=1e-9)


def test_a_bent_stroke_turns_clockwise_by_the_bend_over_its_length() -> None:
    """Its middle line is an arc, by whose height the ends lie lower than the middle."""
    bend = 1.2
    paint = 1 - painted(bend=bend).colour[..., 1]
    middle = (np.arange(SIDE)[:, None] * paint).sum(0) / np.maximum(paint.sum(0), 1e-9)
    for column in (20, 26, 38, 44):
        along = (column + 0.5) / SIDE - 0.5
        arc = (1 - np.cos(bend * along)) / bend * SIDE
        assert middle[column] - (SIDE - 1) / 2 == pytest.approx(arc, abs=0.05)


def test_thin_paint_lets_what_is_below_through_by_its_share() -> None:
    middle = painted(brush=PLAIN._replace(opacity=0.25)).colour[32, 32]
    assert middle == pytest.approx(0.75 + 0.25 * RED[0])


def test_a_round_touch_covers_an_ellipse() -> None:
    area = covered(painted(brush=PLAIN._replace(round=True))).sum()
    assert area == pytest.approx(np.pi / 4 * 32 * 16, rel=0.1)


def test_a_pointed_stroke_grows_narrower_to_its_end() -> None:
    widths = covered(painted(brush=PLAIN._replace(tip=0.1))).sum(0)
    assert widths[18] > widths[32] > widths[44]


def test_a_dry_brush_leaves_gaps_and_more_of_them_at_the_end() -> None:
    panel = painted(brush=PLAIN._replace(dry=0.5))
    first, last = covered(panel)[26:38, 18:32].mean(), covered(panel)[26:38, 32:46].mean()
    assert last < first < 1


def test_a_stroke_stays_in_the_piece_that_its_middle_is_in() -> None:
    pieces = np.zeros((SIDE, SIDE), dtype=np.int64)
    pieces[:, 36:] = 1
    panel = Panel(WHITE, seed=1)
    middle = np.array([0.5])
    panel.lay(Strokes(middle, middle, 0 * middle, RED, 0 * middle), PLAIN, within=pieces)
    assert np.array_equal(panel.colour[:, 36:], WHITE[:, 36:])
    assert covered(panel)[:, :36].any()


def test_strokes_beyond_the_panel_leave_it_as_it_was() -> None:
    panel = Panel(WHITE, seed=1)
    far = np.array([-1.0, 2.0])
    panel.lay(Strokes(far, far, 0 * far, np.repeat(RED, 2, 0), 0 * far), PLAIN)
    assert np.array_equal(panel.colour, WHITE)


def test_a_flat_panel_is_lit_as_it_was_painted() -> None:
    assert np.array_equal(painted().lit(), painted().colour)


def test_a_ridge_is_bright_towards_the_lamp_and_dark_away_from_it() -> None:
    panel = Panel(WHITE / 2, seed=1)
    panel.relief[:, 30:34] = 3
    row = panel.lit(gloss=0)[32, :, 0]
    assert row[29] > 0.5 > row[34]


def test_strokes_take_their_colours_from_the_picture_and_their_bend_from_the_field() -> None:
    """Around a centre, directions turn by one over the distance from it."""
    x, y = plane(256)
    around_centre = np.arctan2(y - 0.5, x - 0.5) + np.pi / 2
    picture = np.stack([x, y, 0 * x], -1)
    strokes = strokes_over(picture, around_centre, 0.1, seed=3, loose=0, spread=0)
    inside = (np.abs(strokes.x - 0.5) < 0.45) & (np.abs(strokes.y - 0.5) < 0.45)
    distance = np.hypot(strokes.x - 0.5, strokes.y - 0.5)
    inside &= distance > 0.2
    assert inside.sum() > 30
    places = np.stack([strokes.x, strokes.y], -1)[inside]
    assert strokes.colour[inside, :2] == pytest.approx(places, abs=1 / 256)
    # A pixel's angle stands for all points in it.
    assert strokes.bend[inside] * distance[inside] == pytest.approx(1, abs=0.45)
    assert (strokes.bend[inside] * distance[inside]).mean() == pytest.approx(1, abs=0.03)
