"""Accuracies are plain counts over the right denominator."""

import polars as pl
import pytest

from made_rows import row, table_of
from unforeseen.errors import RunError
from unforeseen.metrics import accuracy, clean_accuracy, count, ua2, wilson, worst_case
from unforeseen.rows import frame_of


def test_accuracy_of_nothing_is_not_zero() -> None:
    empty = frame_of([])
    assert wilson(0, 0) is None
    assert accuracy(empty, "wood", "low") is None
    assert clean_accuracy(empty) is None
    assert ua2(empty, ["wood"]) is None
    assert worst_case(empty, ["wood"], "low") is None
    assert accuracy(frame_of([row("wood", 0, None, status="unreadable")]), "wood", "medium") is None


def test_unreadable_is_outside_and_nonfinite_is_wrong() -> None:
    rows = frame_of(
        [
            row("wood", 0, correct=True),
            row("wood", 1, correct=False),
            row("wood", 2, correct=None, status="unreadable"),
            row("wood", 3, correct=True, status="nonfinite"),
            row("wood", 4, correct=None, status="nonfinite"),
            row("wood", 5, correct=False, status="unreadable"),
        ]
    )
    estimate = accuracy(rows, "wood", "medium")
    assert estimate is not None
    assert (estimate.value, estimate.n) == (1 / 4, 4)


def test_what_was_not_measured_is_neither_right_nor_wrong() -> None:
    rows = frame_of([row("wood", 0, correct=True), row("wood", 1, correct=None)])
    estimate = accuracy(rows, "wood", "medium")
    assert estimate is not None
    assert (estimate.value, estimate.n) == (1.0, 1)
    assert accuracy(rows, "wood", "medium", "correct_8bit") is None


def test_clean_accuracy_counts_the_clean_rows_only() -> None:
    rows = frame_of(
        [
            row("clean", 0, correct=True, level=""),
            row("clean", 1, correct=True, level=""),
            row("clean", 2, correct=False, level=""),
            row("wood", 0, correct=False),
        ]
    )
    estimate = clean_accuracy(rows)
    assert estimate is not None
    assert (estimate.value, estimate.n) == (2 / 3, 3)


def test_a_row_that_comes_twice_counts_once() -> None:
    rows = table_of({"wood": [True, False, False], "snow": [True, True, False]})
    twice = pl.concat([rows, rows, rows.head(1)])
    for take in (
        lambda frame: accuracy(frame, "wood", "medium"),
        lambda frame: ua2(frame, ["wood", "snow"]),
        lambda frame: worst_case(frame, ["wood", "snow"], "medium"),
        count,
    ):
        assert take(twice) == take(rows)


def test_two_cells_of_one_attack_are_never_mixed() -> None:
    rows = frame_of(
        [row("wood", 0, correct=True, cell="a"), row("wood", 1, correct=True, cell="b")]
    )
    with pytest.raises(RunError, match="rows of one cell for wood medium, got 2"):
        accuracy(rows, "wood", "medium")
    with pytest.raises(RunError, match="one cell"):
        ua2(rows, ["wood"])


def test_other_levels_stay_outside() -> None:
    rows = frame_of([row("wood", 0, correct=True), row("wood", 1, correct=False, level="high")])
    assert accuracy(rows, "wood", "medium") == wilson(1, 1)
    assert accuracy(rows, "wood", "high") == wilson(0, 1)
