"""The plot of costs shows the table's ratios, each beside its attack."""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from matplotlib.collections import LineCollection
from matplotlib.colors import to_hex
from matplotlib.patches import Rectangle
from PIL import Image

from made_costs import PGD, TIMES, made_times
from report.drawn import drawn, tick_labels
from unforeseen.experiment_folder.cost_times import AttackTimes, Pair
from unforeseen.report import cost_plot
from unforeseen.report.cost_figures import costs_of
from unforeseen.report.cost_plot import draw_costs


@pytest.mark.parametrize("slowest", [1.5, 40.0])
def test_bars_whiskers_and_names_are_those_of_the_table(
    monkeypatch: pytest.MonkeyPatch, slowest: float
) -> None:
    rounds = tuple(Pair(1.0, 1.0 + 2 * each * slowest, 1.0, 3.0) for each in (0.5, 0.8, 1.0))
    times = made_times(
        AttackTimes(attack="wood", updates=1, rounds=rounds),
        PGD,
        AttackTimes(attack="p$x", updates=1, rounds=(*PGD.rounds[:2], Pair(1.0, 2.0, 1.0, 1.0))),
        AttackTimes(attack="fog", updates=1),
    )
    (axes,) = drawn(monkeypatch, cost_plot, lambda path: draw_costs(path, times))
    costs = [cost for cost in costs_of(times) if cost.ratio is not None]
    bars = [each for each in axes.patches if isinstance(each, Rectangle)]
    (whiskers,) = (each for each in axes.collections if isinstance(each, LineCollection))
    assert len(bars) == len(costs) == 3
    names = tick_labels(axes, "y")
    for place, (cost, bar, whisker) in enumerate(
        zip(costs, bars, whiskers.get_segments(), strict=True)
    ):
        assert cost.ratio is not None
        assert bar.get_width() == pytest.approx(cost.ratio.median)
        assert bar.get_y() + bar.get_height() / 2 == pytest.approx(place)
        assert names[place] == cost.label.replace("$", r"\$")
        assert [tuple(end) for end in whisker] == [
            pytest.approx((cost.ratio.low, place)),
            pytest.approx((cost.ratio.high, place)),
        ]
        assert (to_hex(bar.get_facecolor()) == cost_plot.PGD_BAR) == (cost.attack == "pgd")
    assert r"P\$x (2 of 3 rounds)" in names.values()
    assert "small" in axes.get_title(loc="left")
    assert "10\N{NO-BREAK SPACE}×\N{NO-BREAK SPACE}32×48" in axes.get_title(loc="left")
    assert "machine was busy" not in axes.get_title(loc="left")
    # The quickest is at the top.
    bottom, top = axes.get_ylim()
    assert bottom > top


@pytest.mark.parametrize("slowest", [2.0, 200.0])
def test_the_plot_is_a_picture_with_pgd_in_another_colour(tmp_path: Path, slowest: float) -> None:
    attacks = (
        AttackTimes(attack="p$x", updates=1, rounds=(Pair(0.0, 2 * slowest, 0.0, 2.0),)),
        *TIMES.attacks,
    )
    draw_costs(tmp_path / "plot.png", replace(TIMES, attacks=attacks))
    with Image.open(tmp_path / "plot.png") as drawn:
        pixels = np.asarray(drawn.convert("RGB")).reshape(-1, 3)
    colours = {tuple(pixel) for pixel in pixels.tolist()}
    assert {(0x5B, 0x8D, 0xB8), (0xB5, 0x65, 0x1D)} <= colours
