"""Metrics recount rows: every figure is checked against a plain count or another library."""

import json
from collections.abc import Mapping, Sequence

import numpy as np
import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats

from unforeseen.errors import RunError
from unforeseen.metrics import (
    Estimate,
    accuracy,
    clean_accuracy,
    count,
    mean_accuracy,
    ua2,
    wilson,
    worst_case,
)
from unforeseen.metrics import mean as mean_module
from unforeseen.rows import Row, Status, frame_of


def row(
    transform: str,
    picture: int,
    correct: bool | None,
    *,
    level: str = "medium",
    status: Status = "ok",
    gradients: int | None = None,
    cell: str = "",
) -> Row:
    return Row(
        cell=cell or f"{transform}-{level}",
        example_id=f"p{picture:03}",
        label=0,
        transform=transform,
        level=level,
        seed=0,
        correct=correct,
        status=status,
        gradient_evaluations=gradients,
    )


def table_of(verdicts: Mapping[str, Sequence[bool]]) -> pl.DataFrame:
    return frame_of(
        row(attack, picture, correct)
        for attack, column in verdicts.items()
        for picture, correct in enumerate(column)
    )


@given(n=st.integers(1, 5000), data=st.data(), confidence=st.sampled_from([0.8, 0.95, 0.99]))
@settings(max_examples=100, deadline=None, derandomize=True)
def test_wilson_is_scipys(n: int, data: st.DataObject, confidence: float) -> None:
    k = data.draw(st.integers(0, n))
    ours = wilson(k, n, confidence)
    theirs = stats.binomtest(k, n).proportion_ci(confidence, method="wilson")
    assert ours is not None
    assert ours.value == k / n
    assert ours.n == n
    assert (ours.low, ours.high) == pytest.approx((theirs.low, theirs.high), abs=1e-12)
    assert 0 <= ours.low <= ours.value <= ours.high <= 1


def test_accuracy_of_nothing_is_not_zero() -> None:
    empty = frame_of([])
    assert wilson(0, 0) is None
    assert accuracy(empty, "wood", "low") is None
    assert clean_accuracy(empty) is None
    assert ua2(empty, ["wood"]) is None
    assert worst_case(empty, ["wood"], "low") is None
    assert accuracy(frame_of([row("wood", 0, None, status="unreadable")]), "wood", "medium") is None


@pytest.mark.parametrize(("k", "n"), [(-1, 2), (3, 2), (0, -1)])
def test_impossible_counts_are_refused(k: int, n: int) -> None:
    with pytest.raises(ValueError, match="0 <= k <= n"):
        wilson(k, n)


def test_unreadable_is_outside_and_nonfinite_is_wrong() -> None:
    rows = frame_of(
        [
            row("wood", 0, correct=True),
            row("wood", 1, correct=False),
            row("wood", 2, correct=None, status="unreadable"),
            row("wood", 3, correct=True, status="nonfinite"),
            row("wood", 4, correct=None, status="nonfinite"),
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


def test_worst_of_28_36_92_65_percent_is_at_most_28() -> None:
    accuracies = {"wood": 28, "snow": 36, "jpeg": 92, "pixel": 65}
    order = np.random.default_rng(0)
    columns = {
        name: order.permutation(np.arange(100) < right).tolist()
        for name, right in accuracies.items()
    }
    worst = worst_case(table_of(columns), list(columns), "medium")
    survivors = np.all(list(columns.values()), axis=0).sum()
    assert worst == wilson(int(survivors), 100)
    assert worst is not None
    assert worst.value <= 0.28
    nested = {name: (np.arange(100) < right).tolist() for name, right in accuracies.items()}
    assert worst_case(table_of(nested), list(nested), "medium") == wilson(28, 100)


VERDICTS = st.integers(1, 12).flatmap(
    lambda pictures: st.lists(
        st.lists(st.booleans(), min_size=pictures, max_size=pictures), min_size=1, max_size=4
    )
)


@given(columns=VERDICTS)
@settings(max_examples=40, deadline=None, derandomize=True)
def test_worst_is_below_the_mean_which_is_the_mean_of_accuracies(columns: list[list[bool]]) -> None:
    named = {f"a{index}": column for index, column in enumerate(columns)}
    rows = table_of(named)
    mean, worst = (
        mean_accuracy(rows, list(named), "medium"),
        worst_case(rows, list(named), "medium"),
    )
    assert mean is not None
    assert worst is not None
    assert mean.value == pytest.approx(np.mean(columns))
    assert 0 <= mean.low <= mean.value <= mean.high <= 1
    assert worst.value <= min(map(np.mean, columns)) + 1e-12
    assert mean.n == worst.n == len(columns[0])


def test_ua2_uses_the_pictures_that_have_all_rows() -> None:
    rows = frame_of(
        [
            row("wood", 0, correct=True),
            row("snow", 0, correct=False),
            row("wood", 1, correct=True),
            row("wood", 2, correct=True),
            row("snow", 2, correct=None, status="unreadable"),
        ]
    )
    estimate = ua2(rows, ["wood", "snow"])
    assert estimate is not None
    assert (estimate.value, estimate.n) == (0.5, 1)
    assert ua2(rows, ["wood", "snow", "jpeg"]) is None


def test_ua2_does_not_depend_on_the_order_of_rows_or_attacks() -> None:
    columns = np.random.default_rng(1).random((3, 30)) < 0.4
    rows = table_of(dict(zip("abc", columns.tolist(), strict=True)))
    shuffled = rows.sample(fraction=1, shuffle=True, seed=3)
    assert ua2(rows, ["a", "b", "c"]) == ua2(shuffled, ["c", "a", "b"])


def test_bootstrap_is_seeded_and_has_the_width_that_theory_says() -> None:
    columns = np.random.default_rng(2).random((4, 400)) < 0.5
    # Correlated attacks: the pairing must be seen, or the interval is too narrow.
    columns[1:] |= columns[0]
    rows = table_of(dict(zip("abcd", columns.tolist(), strict=True)))
    first, again, other = (ua2(rows, list("abcd"), seed=seed) for seed in (0, 0, 1))
    assert first == again
    assert first is not None
    assert other is not None
    assert first != other
    per_picture = columns.mean(axis=0)
    half = 1.96 * per_picture.std() / np.sqrt(400)
    assert first.value == pytest.approx(per_picture.mean())
    assert first.low == pytest.approx(first.value - half, abs=0.12 * half)
    assert first.high == pytest.approx(first.value + half, abs=0.12 * half)
    assert first.interval == "bootstrap"


def test_bootstrap_is_the_same_whatever_its_chunks(monkeypatch: pytest.MonkeyPatch) -> None:
    rows = table_of({"a": [True, False, True, False, False], "b": [True] * 5})
    whole = ua2(rows, ["a", "b"])
    monkeypatch.setattr(mean_module, "_DRAWS_AT_ONCE", 7)
    assert ua2(rows, ["a", "b"]) == whole


def test_a_set_of_attacks_is_distinct_and_not_empty() -> None:
    rows = table_of({"a": [True]})
    for attacks in ([], ["a", "a"]):
        with pytest.raises(ValueError, match="distinct transforms"):
            mean_accuracy(rows, attacks, "medium")


def test_counts_are_of_rows_and_pictures_and_never_invented() -> None:
    rows = frame_of(
        [
            row("clean", 0, correct=True, level=""),
            row("clean", 1, correct=None, level="", status="unreadable"),
            row("wood", 0, correct=False, gradients=7),
            row("wood", 1, correct=None, status="unreadable"),
            row("wood", 2, correct=False, status="nonfinite", gradients=5),
            row("snow", 2, correct=False, status="nonfinite", gradients=0),
        ]
    )
    assert count(rows) == (2, 1, 12)
    assert count(frame_of([])) == (0, 0, 0)
    assert count(frame_of([row("wood", 0, correct=True)])).gradient_evaluations is None


def test_an_estimate_becomes_the_documented_record() -> None:
    record = json.loads(json.dumps(Estimate(0.5, 0.25, 0.75, 4, "bootstrap").to_record()))
    assert record == {"value": 0.5, "low": 0.25, "high": 0.75, "n": 4, "interval": "bootstrap"}
