"""UA2 and its bootstrap: the mean of accuracies, with the width that theory says."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from made_rows import row, table_of
from unforeseen.metrics import bootstrap, mean_accuracy, ua2, wilson, worst_case
from unforeseen.rows import frame_of

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


def test_the_interval_depends_on_what_happened_and_not_on_the_names_of_pictures() -> None:
    columns = np.random.default_rng(4).random((3, 30)) < 0.4
    forward, backward = (
        ua2(table_of(dict(zip("abc", each.tolist(), strict=True))), ["a", "b", "c"])
        for each in (columns, columns[:, ::-1])
    )
    assert forward == backward


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


@pytest.mark.parametrize(("right", "share"), [((), 0.0), (("a",), 0.5), (("a", "b"), 1.0)])
def test_where_all_pictures_are_alike_the_interval_is_that_of_one_share(
    right: tuple[str, ...], share: float
) -> None:
    estimate = ua2(table_of({name: [name in right] * 20 for name in "ab"}), ["a", "b"])
    expected = wilson(int(20 * share), 20)
    assert estimate is not None
    assert expected is not None
    assert estimate[:4] == pytest.approx(expected[:4])


def test_bootstrap_is_the_same_whatever_its_chunks(monkeypatch: pytest.MonkeyPatch) -> None:
    rows = table_of({"a": [True, False, True, False, False], "b": [True] * 5})
    whole = ua2(rows, ["a", "b"])
    monkeypatch.setattr(bootstrap, "_DRAWS_AT_ONCE", 7)
    assert ua2(rows, ["a", "b"]) == whole


def test_a_set_of_attacks_is_distinct_and_not_empty() -> None:
    rows = table_of({"a": [True]})
    for attacks in ([], ["a", "a"]):
        with pytest.raises(ValueError, match="distinct transforms"):
            mean_accuracy(rows, attacks, "medium")


def test_the_mean_over_models_is_over_the_pictures_that_each_of_them_has_judged() -> None:
    first = frame_of(row("wood", index, correct=True) for index in range(3))
    second = frame_of(row("wood", index, correct=False) for index in (1, 2, 3))
    both = mean_accuracy([first, second], ["wood"], "medium")
    assert both is not None
    assert (both.value, both.n) == (0.5, 2)
    assert mean_accuracy([first], ["wood"], "medium") == mean_accuracy(first, ["wood"], "medium")
    with pytest.raises(ValueError, match="distinct transforms"):
        mean_accuracy([], ["wood"], "medium")


def test_the_mean_over_models_is_the_mean_of_their_means_and_keeps_pictures_paired() -> None:
    columns = np.random.default_rng(5).random((4, 40)) < 0.6
    one, other = (
        table_of(dict(zip("ab", half.tolist(), strict=True))) for half in (columns[:2], columns[2:])
    )
    both = mean_accuracy([one, other], ["a", "b"], "medium")
    assert both is not None
    assert both.value == pytest.approx(columns.mean())
    # As if the four were attacks on one model: what is drawn is a picture with all its verdicts.
    assert both == mean_accuracy(
        table_of(dict(zip("abcd", columns.tolist(), strict=True))), list("abcd"), "medium"
    )
