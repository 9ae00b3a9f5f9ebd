"""Light upon surfaces, held to closed forms."""

import numpy as np
import pytest

from drawing.relief import Light, blended, blurred, covered, linear, lit, painted

#: As white as the sun's light isn't: green of sun and sky is 1.
GREEN = 1
WHITE = np.ones((96, 96, 3))
ROWS, COLUMNS = np.mgrid[:96, :96].astype(np.float64)
INSIDE = slice(8, -8)


def seen(height: np.ndarray, **light: float) -> np.ndarray:
    return lit(WHITE, height, Light(**light))[..., GREEN]


def test_a_flat_surface_gives_back_the_sun_by_the_sine_of_its_elevation_and_all_of_the_sky() -> (
    None
):
    light = seen(np.zeros((96, 96)), elevation=30, sun=0.8, sky=0.3)
    assert light == pytest.approx(0.8 * 0.5 + 0.3)


def test_a_slope_that_faces_the_sun_has_all_of_it_and_one_turned_away_has_none() -> None:
    # 45° up to the right; azimuth 180 is at the left. Beyond 48 points no shadow is looked for.
    slope = COLUMNS
    towards = seen(slope, azimuth=180, elevation=45, sun=0.8, sky=0, softness=1e9)
    away = seen(slope, azimuth=0, elevation=45, sun=0.8, sky=0, softness=1e9)
    assert towards[INSIDE, INSIDE] == pytest.approx(0.8)
    assert away[INSIDE, INSIDE] == pytest.approx(0, abs=1e-12)


@pytest.mark.parametrize(
    ("azimuth", "brightest"), [(0, (0, 1)), (90, (-1, 0)), (180, (0, -1)), (270, (1, 0))]
)
def test_the_side_of_a_dome_that_faces_the_sun_is_the_brightest(
    azimuth: float, brightest: tuple[int, int]
) -> None:
    dome = 8 * np.exp(-((ROWS - 48) ** 2 + (COLUMNS - 48) ** 2) / 200)
    light = seen(dome, azimuth=azimuth, elevation=45, sky=0)
    row, column = np.unravel_index(light.argmax(), light.shape)
    assert (np.sign(row - 48), np.sign(column - 48)) == brightest


def test_a_wall_s_shadow_is_as_long_as_its_height_over_the_sun_s_slope() -> None:
    wall = np.where((COLUMNS > 40) & (COLUMNS < 44), 12.0, 0.0)
    light = seen(wall, azimuth=180, elevation=45, sun=1, sky=0, softness=1e-6)
    row = light[48]
    # Behind the wall's last column, 43: points less than 12 from it are dark.
    dark = np.flatnonzero(row[45:] < 1e-9) + 45
    assert dark.tolist() == list(range(45, 43 + 12))


def test_hollows_get_less_of_the_sky_than_open_ground() -> None:
    pit = -6 * np.exp(-((ROWS - 48) ** 2 + (COLUMNS - 48) ** 2) / 30)
    light = seen(pit, sun=0, sky=1)
    assert light[48, 48] < 0.5
    assert light[0, 0] == pytest.approx(1, abs=0.01)


def test_gloss_adds_the_sun_where_the_surface_mirrors_it_into_the_camera() -> None:
    # Under a sun at 45° that is a surface which leans by 22.5° towards it.
    slope = np.tan(np.radians(22.5)) * COLUMNS
    options = {"azimuth": 180.0, "elevation": 45.0, "sun": 0.0, "sky": 0.0, "softness": 1e9}
    shining = seen(slope, gloss=0.3, sharpness=400, **options)
    flat = seen(np.zeros((96, 96)), gloss=0.3, sharpness=400, **options)
    assert shining[INSIDE, INSIDE] == pytest.approx(0.3)
    assert flat.max() < 1e-6


def test_a_blurred_point_has_the_filter_s_weight_and_spread() -> None:
    point = np.zeros((96, 96))
    point[48, 48] = 1
    spread = blurred(point, 3.0)
    assert spread.sum() == pytest.approx(1)
    assert (spread * (COLUMNS - 48) ** 2).sum() == pytest.approx(9, rel=1e-6)
    assert (spread * (ROWS - 48) ** 2).sum() == pytest.approx(9, rel=1e-6)


def test_colours_of_light_below_the_shoulder_come_back() -> None:
    # 0.7 in light is level 217.
    levels = np.repeat(np.arange(217, dtype=np.uint8)[:, None], 3, axis=1)
    assert (painted(linear(levels)) == levels).all()


def test_brighter_light_is_never_painted_darker_nor_beyond_white() -> None:
    levels = painted(np.linspace(-0.1, 5, 2000))
    assert (np.diff(levels.astype(int)) >= 0).all()
    assert (levels[0], levels[-1]) == (0, 255)


def test_blends_have_their_colours_at_equal_distances() -> None:
    black, grey, white = (0, 0, 0), (90, 100, 110), (255, 255, 255)
    blend = blended(np.array([0, 0.25, 0.5, 1]), black, grey, white)
    assert blend == pytest.approx(
        np.array([linear(black), linear(grey) / 2, linear(grey), linear(white)])
    )


def test_what_covers_a_quarter_gives_a_quarter_of_the_light() -> None:
    below, above = np.full((2, 2, 3), 0.2), np.full((2, 2, 3), 0.6)
    assert covered(below, above, np.full((2, 2), 0.25)) == pytest.approx(0.3)
