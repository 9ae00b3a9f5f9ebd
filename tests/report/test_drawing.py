"""Labels stand where they should as nearly as they can, and never over each other."""

from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from matplotlib.figure import Figure
from PIL import Image

from unforeseen.report.drawing import literal, save_figure, spread_out

PLACES = st.lists(st.floats(0, 1), min_size=1, max_size=20)


@given(wanted=PLACES)
@settings(deadline=None, derandomize=True)
def test_labels_keep_their_distance_their_order_and_their_bounds(wanted: list[float]) -> None:
    gap = 0.045
    places = spread_out(wanted, gap, 0, 1)
    assert all(-1e-9 <= place <= 1 + 1e-9 for place in places)
    assert all(np.diff(sorted(places)) >= gap - 1e-9)
    order = sorted(range(len(wanted)), key=lambda index: wanted[index])
    assert sorted(places) == pytest.approx([places[index] for index in order])


def test_labels_that_do_not_touch_stay() -> None:
    assert spread_out([0.9, 0.1, 0.5], 0.1, 0, 1) == pytest.approx([0.9, 0.1, 0.5])


def test_labels_that_touch_stand_around_the_mean_of_their_places() -> None:
    assert spread_out([0.5, 0.5], 0.1, 0, 1) == pytest.approx([0.45, 0.55])
    assert spread_out([0.5, 0.52, 0.9], 0.1, 0, 1) == pytest.approx([0.46, 0.56, 0.9])
    assert spread_out([0, 0, 0.05], 0.1, 0, 1) == pytest.approx([0, 0.1, 0.2])


def test_the_sum_of_squared_moves_is_the_least_that_there_is() -> None:
    optimise = pytest.importorskip("scipy.optimize")
    wanted = np.random.default_rng(0).random(8)
    gap = 0.08
    places = np.array(spread_out(wanted.tolist(), gap, -5, 5))
    order = np.argsort(wanted)
    best = optimise.minimize(
        lambda x: ((x - wanted[order]) ** 2).sum(),
        np.linspace(0, 1, 8),
        constraints=[{"type": "ineq", "fun": lambda x: np.diff(x) - gap}],
        options={"ftol": 1e-12},
    )
    assert places[order] == pytest.approx(best.x, abs=1e-4)


def test_where_there_is_no_room_labels_share_what_there_is() -> None:
    places = spread_out([0.5] * 11, 0.5, 0, 1)
    assert places == pytest.approx(np.linspace(0, 1, 11))
    assert spread_out([], 0.5, 0, 1) == []


def test_a_dollar_sign_begins_no_formula() -> None:
    assert literal("$x^2$") == r"\$x^2\$"


def test_what_can_not_be_printed_is_replaced_and_lines_stay() -> None:
    assert literal("\ud800x\n\u202eabc\x9b") == "\ufffdx\n\ufffdabc\ufffd"
    assert literal("ε ≤ 1, 木槌\xa0a") == "ε ≤ 1, 木槌\xa0a"


def test_names_in_a_script_that_the_font_lacks_are_drawn_without_a_warning(tmp_path: Path) -> None:
    """Warnings are errors in tests."""
    figure = Figure()
    figure.text(0.5, 0.5, "木槌")
    save_figure(figure, tmp_path / "a.png")
    with Image.open(tmp_path / "a.png") as drawn:
        assert np.asarray(drawn.convert("L")).min() < 255
