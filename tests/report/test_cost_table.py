"""What a cost table says, for people and for programs, and its plot."""

import csv
import io
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from unforeseen.experiments.cost_times import AttackTimes, CostTimes, Pair
from unforeseen.report.cost_plot import draw_costs
from unforeseen.report.cost_table import COLUMNS, about, cost_lines, to_csv

STEADY = Pair(1.0, 3.0, 1.0, 3.0)
TIMES = CostTimes(
    benchmark="small",
    edition="published",
    level="medium",
    model="py:model.py:make",
    data=None,
    picture_size=(32, 48),
    batch_size=10,
    timed_steps=2,
    rounds=2,
    environment={"device": "cpu", "device_name": "x86", "threads": 1},
    attacks=(
        AttackTimes(attack="fog", updates=7),
        # 5 s and 4 s per step of ten pictures, beside 1 s and 2 s.
        AttackTimes(
            attack="wood", updates=10, rounds=(Pair(10, 20, 1, 3), Pair(4.0, 12.0, 4.0, 8.0))
        ),
        AttackTimes(attack="pgd", updates=4, rounds=(STEADY, STEADY)),
    ),
)


def test_a_line_has_medians_and_ranges_and_what_was_not_measured_is_no_number() -> None:
    assert [dict(zip(COLUMNS, line, strict=True)) for line in cost_lines(TIMES)] == [
        dict(zip(COLUMNS, line, strict=True))
        for line in (
            ["pgd", "1.00", "1.00–1.00", "100.00", "1.0", "4", "1.00"],
            ["wood", "3.50", "2.00–5.00", "450.00", "1.5", "10", "7.83"],
            ["fog", "–", "–", "–", "–", "7", "–"],
        )
    ]


def test_csv_holds_the_same_figures_and_empty_cells() -> None:
    pgd, wood, fog = csv.DictReader(io.StringIO(to_csv(TIMES)))
    assert pgd["ratio"] == pgd["whole"] == "1.0"
    assert [float(wood[key]) for key in ("ratio", "ratio_low", "ratio_high")] == [3.5, 2.0, 5.0]
    assert float(wood["milliseconds"]) == 450
    assert float(wood["whole"]) == pytest.approx((60 / 5 + 44 / 12) / 2)
    assert wood["rounds"] == "2"
    assert fog == {key: {"attack": "fog", "steps": "7", "rounds": "0"}.get(key, "") for key in fog}


def test_conditions_are_said_in_one_printable_line() -> None:
    said = about(replace(TIMES, model="evil\x1b[31m\nmodel"))
    assert said.isprintable()
    for words in ("small, edition published", "10 × 48×32 px", "0 of 2 rounds", "threads: 1"):
        assert words in said


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
