"""What a cost table says, for people and for programs."""

import csv
import io
import json
from dataclasses import replace

import pytest
from rich.console import Console

from made_costs import TIMES
from unforeseen.experiment_folder.cost_times import CostTimes, Pair
from unforeseen.report.cost_table import (
    about,
    costs_to_csv,
    costs_to_json,
    costs_to_markdown,
    costs_to_rich,
)


def rows_of(markdown: str) -> list[list[str]]:
    lines = [line for line in markdown.splitlines() if line.startswith("|")]
    return [[cell.strip() for cell in line.split("|")[1:-1]] for line in lines[2:]]


def test_a_line_has_medians_and_ranges_and_what_was_not_measured_is_no_number() -> None:
    said = costs_to_markdown([TIMES])
    assert rows_of(said) == [
        ["PGD", "1.00", "1.00–1.00", "100.00", "1.0", "4", "1.00"],
        ["Wood", "3.50", "2.00–5.00", "450.00", "1.6", "10", "7.83"],
        ["Fog", "–", "–", "–", "–", "7", "–"],
    ]
    assert "–: not measured" in said
    assert "not measured" not in costs_to_markdown([replace(TIMES, attacks=TIMES.attacks[1:])])


@pytest.mark.parametrize("name", ["kaleidoscope", "[red]x", "evil\x1b[31m", "a|b"])
def test_a_terminal_of_80_columns_shows_whole_lines_and_obeys_no_names(name: str) -> None:
    console = Console(width=80, record=True, file=io.StringIO())
    attacks = (*TIMES.attacks, replace(TIMES.attacks[1], attack=name))
    console.print(costs_to_rich([replace(TIMES, attacks=attacks)]))
    lines = console.export_text().splitlines()
    shown = name.capitalize().replace("\x1b", "\N{REPLACEMENT CHARACTER}")
    assert any(line.split()[:2] == [shown, "3.50"] for line in lines)


def test_json_holds_every_time_and_the_figures() -> None:
    (content,) = json.loads(costs_to_json([TIMES]))
    assert CostTimes.from_record(content) == TIMES
    assert [each["ratio"] for each in content["costs"]] == [1.0, 3.5, None]


def test_rounds_that_say_nothing_are_told_of_beside_the_attack() -> None:
    rounds = (*TIMES.attacks[1].rounds, Pair(4.0, 12.0, 4.0, 4.0))
    times = replace(TIMES, attacks=(replace(TIMES.attacks[1], rounds=rounds), TIMES.attacks[2]))
    said = costs_to_markdown([times])
    assert rows_of(said)[1][:2] == ["Wood (2 of 3 rounds)", "3.50"]
    assert "say nothing of a ratio" in said
    assert "say nothing of a ratio" not in costs_to_markdown([TIMES])


@pytest.mark.parametrize("steps", [3.0, 3.4, 3.6, 2.2])
def test_a_busy_machine_is_told_of_above_the_table(steps: float) -> None:
    """Of PGD beside itself, 2 s for two steps each time but once."""
    rounds = (*TIMES.attacks[2].rounds, Pair(1.0, steps, 1.0, 3.0))
    times = replace(TIMES, attacks=(TIMES.attacks[1], replace(TIMES.attacks[2], rounds=rounds)))
    above = costs_to_markdown([times]).partition("|")[0]
    ratio = (steps - 1) / 2
    assert ("The machine was busy" in above) == (not 0.8 <= ratio <= 1.25)
    assert (f"{ratio:.2f}" in above) == (not 0.8 <= ratio <= 1.25)


def test_csv_holds_the_same_figures_and_empty_cells() -> None:
    pgd, wood, fog = csv.DictReader(io.StringIO(costs_to_csv([TIMES])))
    assert pgd["ratio"] == pgd["whole"] == "1.0"
    assert [float(wood[key]) for key in ("ratio", "ratio_low", "ratio_high")] == [3.5, 2.0, 5.0]
    assert float(wood["milliseconds"]) == 450
    assert float(wood["whole"]) == pytest.approx((60 / 5 + 44 / 12) / 2)
    assert wood["rounds"] == "2"
    measured = ("ratio", "ratio_low", "ratio_high", "milliseconds", "once", "whole")
    assert [fog[key] for key in measured] == [""] * 6
    assert (fog["attack"], fog["steps"], fog["rounds"]) == ("fog", "7", "0")
    assert {line["model"] for line in (pgd, wood, fog)} == {TIMES.model}


def test_conditions_are_said_in_one_printable_line() -> None:
    said = about(replace(TIMES, model="evil\x1b[31m\nmodel"))
    assert said.isprintable()
    for words in ("small, edition published", "10 × 32×48 px", "0 of 2 rounds", "threads: 1"):
        assert words in said
