"""Class-balanced figures: means over classes, with intervals from pictures drawn within theirs."""

from collections.abc import Sequence
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from made_rows import judged_row, labelled_table
from unforeseen.metrics import (
    accuracy,
    balanced_accuracy,
    balanced_mean,
    balanced_worst_case,
    mean_accuracy,
    wilson,
    worst_case,
)
from unforeseen.metrics.balanced import balanced_estimates, balanced_shares, pictures_per_class
from unforeseen.metrics.bootstrap import RESAMPLES
from unforeseen.metrics.scores import Scores, scores_under
from unforeseen.metrics.unweighted import unweighted_estimates
from unforeseen.metrics.verdicts import labelled_verdicts
from unforeseen.rng import Stream
from unforeseen.rows import frame_of

#: Labels, and verdicts of three obfuscations.
TABLES = st.integers(1, 14).flatmap(
    lambda pictures: st.tuples(
        st.lists(st.sampled_from([0, 1, 4]), min_size=pictures, max_size=pictures),
        st.lists(
            st.lists(st.booleans(), min_size=pictures, max_size=pictures), min_size=3, max_size=3
        ),
    )
)


def by_hand(labels: Sequence[int], counts: Sequence[int], of: int) -> Fraction:
    """The sum of counts, each weighed by 1 / (pictures of its class), over the number of classes."""
    weighed = sum(
        (
            Fraction(count, of * labels.count(label))
            for label, count in zip(labels, counts, strict=True)
        ),
        Fraction(0),
    )
    return weighed / len(set(labels))


@given(table=TABLES)
@settings(max_examples=60, deadline=None, derandomize=True)
def test_every_picture_weighs_one_over_the_pictures_of_its_class(
    table: tuple[list[int], list[list[bool]]],
) -> None:
    labels, columns = table
    names = ["a", "b", "c"]
    rows = labelled_table(labels, dict(zip(names, columns, strict=True)))
    per_picture = list(zip(*columns, strict=True))
    single = balanced_accuracy(rows, "a")
    mean = balanced_mean(rows, names)
    worst = balanced_worst_case(rows, names)
    assert single is not None
    assert mean is not None
    assert worst is not None
    assert single.value == pytest.approx(float(by_hand(labels, columns[0], 1)))
    assert mean.value == pytest.approx(float(by_hand(labels, list(map(sum, per_picture)), 3)))
    assert worst.value == pytest.approx(float(by_hand(labels, list(map(all, per_picture)), 1)))
    singles = [balanced_accuracy(rows, name) for name in names]
    assert worst.value <= min(each.value for each in singles if each) + 1e-12
    assert worst.value <= mean.value + 1e-12
    for each in (single, mean, worst):
        assert 0 <= each.low <= each.high <= 1
        assert (each.n, each.interval) == (len(labels), "stratified")


def test_a_table_of_one_dog_too_many_counted_by_hand() -> None:
    # Three dogs, two of them right, and a bird that is wrong: (2/3 + 0) / 2.
    rows = labelled_table([10, 10, 10, 3], {"Blur": [True, True, False, False]})
    balanced, plain = balanced_accuracy(rows, "Blur"), accuracy(rows, "Blur", "")
    assert balanced is not None
    assert plain is not None
    assert balanced.value == pytest.approx(1 / 3)
    assert plain.value == 1 / 2


def test_where_classes_are_of_one_size_balanced_is_unweighted() -> None:
    labels = [0, 1, 2] * 8
    columns = (np.random.default_rng(0).random((3, 24)) < 0.6).tolist()
    rows = labelled_table(labels, dict(zip("abc", columns, strict=True)))
    for balanced, plain in (
        (balanced_accuracy(rows, "a"), accuracy(rows, "a", "")),
        (balanced_mean(rows, list("abc")), mean_accuracy(rows, list("abc"), "")),
        (balanced_worst_case(rows, list("abc")), worst_case(rows, list("abc"), "")),
    ):
        assert balanced is not None
        assert plain is not None
        assert balanced.value == pytest.approx(plain.value)


def test_figures_of_nothing_are_not_zero() -> None:
    empty = frame_of([])
    assert balanced_accuracy(empty, "a") is None
    assert balanced_mean(empty, ["a", "b"]) is None
    assert balanced_worst_case(empty, ["a"]) is None
    assert unweighted_estimates([scores_under(empty, "a")]) == (None,)
    assert np.isnan(balanced_shares(np.zeros(0, np.int64), np.zeros((0, 2), bool))).all()


def test_the_interval_is_the_one_of_resamples_within_classes_in_plain_python() -> None:
    labels = [0] * 31 + [2] * 17 + [7] * 5
    right = (np.random.default_rng(0).random(53) < 0.6).tolist()
    estimate = balanced_accuracy(labelled_table(labels, {"a": right}), "a", seed=4)
    shares: list[Fraction] = [Fraction(0)] * RESAMPLES
    for label in (0, 2, 7):
        mine = sorted(each for each, of in zip(right, labels, strict=True) if of == label)
        stream = Stream("stratified bootstrap", 4, label)
        for index in range(RESAMPLES):
            drawn = stream.integers(0, len(mine) - 1, (len(mine),)).tolist()
            shares[index] += Fraction(sum(mine[place] for place in drawn), 3 * len(mine))
    assert estimate is not None
    expected = np.quantile([float(each) for each in shares], (0.025, 0.975))
    np.testing.assert_allclose((estimate.low, estimate.high), expected, rtol=1e-12)


def test_the_interval_has_the_width_that_theory_says_for_strata() -> None:
    rng = np.random.default_rng(1)
    labels = np.repeat([0, 1, 2], [900, 300, 100])
    chances = np.array([0.9, 0.5, 0.2])
    right = rng.random(1300) < chances[labels]
    estimate = balanced_accuracy(labelled_table(labels.tolist(), {"a": right.tolist()}), "a")
    assert estimate is not None
    variance = sum(right[labels == label].var() / (labels == label).sum() / 9 for label in range(3))
    half = 1.96 * np.sqrt(variance)
    assert estimate.low == pytest.approx(estimate.value - half, abs=0.12 * half)
    assert estimate.high == pytest.approx(estimate.value + half, abs=0.12 * half)


@pytest.mark.parametrize("right", [0, 1, 7, 14])
def test_classes_of_one_picture_are_as_uncertain_as_wilson_says(right: int) -> None:
    # Of one picture that is right, and of one that is wrong, the interval is 0.2065 to 1, and 0 to 0.7935.
    one = wilson(0, 1)
    assert one is not None
    reach = one.high
    estimate = balanced_accuracy(
        labelled_table(list(range(14)), {"a": [number < right for number in range(14)]}), "a"
    )
    assert estimate is not None
    assert estimate.value == pytest.approx(right / 14)
    assert estimate.low == pytest.approx(right / 14 - reach * np.sqrt(right) / 14)
    assert estimate.high == pytest.approx(right / 14 + reach * np.sqrt(14 - right) / 14)


def test_a_class_of_which_all_or_no_pictures_are_right_widens_the_interval() -> None:
    rng = np.random.default_rng(6)
    varied = (rng.random(60) < 0.5).tolist()
    alone = balanced_accuracy(labelled_table([0] * 60, {"a": varied}), "a")
    both = balanced_accuracy(labelled_table([0] * 60 + [1] * 9, {"a": varied + [False] * 9}), "a")
    nine = wilson(0, 9)
    assert alone is not None
    assert both is not None
    assert nine is not None
    half = 0.5 * np.hypot(alone.high - alone.value, nine.high)
    assert both.high - both.value == pytest.approx(half)
    assert both.value - both.low == pytest.approx((alone.value - alone.low) / 2)


@given(table=TABLES)
@settings(max_examples=60, deadline=None, derandomize=True)
def test_no_interval_is_without_width(table: tuple[list[int], list[list[bool]]]) -> None:
    labels, columns = table
    joint = labelled_verdicts(
        labelled_table(labels, dict(zip("abc", columns, strict=True))), list("abc"), ""
    )
    scores = [Scores.of_mean(joint), Scores.of_worst(joint)]
    for estimates in (balanced_estimates, unweighted_estimates):
        for each in estimates(scores):
            assert each is not None
            assert 0 <= each.low <= each.value + 1e-12
            assert each.value - 1e-12 <= each.high <= 1
            assert each.high - each.low > 0.02


def test_many_figures_at_once_are_what_each_is_alone() -> None:
    rng = np.random.default_rng(2)
    labels = rng.choice([0, 3, 5], 80, p=[0.7, 0.2, 0.1])
    joint = labelled_verdicts(
        labelled_table(labels.tolist(), {name: (rng.random(80) < 0.5).tolist() for name in "abc"}),
        list("abc"),
        "",
    )
    fewer = Scores(labels[:50], joint.right[:50, 0].astype(np.int64), 1)
    scores = [Scores.of_mean(joint), fewer, Scores.of_worst(joint)]
    for estimates in (balanced_estimates, unweighted_estimates):
        alone = tuple(estimates([each], seed=3)[0] for each in scores)
        assert estimates(scores, seed=3) == alone
        assert estimates(scores, seed=4) != alone or estimates is unweighted_estimates


def test_unweighted_figures_are_those_of_the_other_metrics() -> None:
    columns = dict(zip("ab", [[True, False, True], [True] * 3], strict=True))
    rows = labelled_table([0, 1, 1], columns)
    joint = labelled_verdicts(rows, ["a", "b"], "")
    assert unweighted_estimates(
        [scores_under(rows, "a"), Scores.of_mean(joint), Scores.of_worst(joint)], seed=9
    ) == (
        accuracy(rows, "a", ""),
        mean_accuracy(rows, ["a", "b"], "", seed=9),
        worst_case(rows, ["a", "b"], ""),
    )


def test_top_k_never_falls_with_k() -> None:
    ranks = np.random.default_rng(5).integers(1, 17, 60).tolist()
    rows = frame_of(
        judged_row("a", number, number % 4, rank=rank) for number, rank in enumerate(ranks)
    )
    estimates = [
        balanced_accuracy(rows, "a", column=each) for each in ("correct", "top3", "top5", "top10")
    ]
    values = [each.value for each in estimates if each is not None]
    assert len(values) == 4
    assert values == sorted(values)


def test_nonfinite_outputs_lower_the_accuracy_of_their_class() -> None:
    """Pitfall 13: a model must not win by answering NaN."""
    rows = frame_of(
        [judged_row("a", 0, 0), judged_row("a", 1, 0, status="nonfinite"), judged_row("a", 2, 1)]
    )
    estimate = balanced_accuracy(rows, "a")
    assert estimate is not None
    assert (estimate.value, estimate.n) == (0.75, 3)


def test_pictures_are_counted_for_each_class_that_there_could_be() -> None:
    assert pictures_per_class([2, 0, 2], 4) == (1, 0, 2, 0)
    with pytest.raises(ValueError, match="below 2, got 2"):
        pictures_per_class([2], 2)
