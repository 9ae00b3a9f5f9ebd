"""Verdicts: which pictures count, under one transform, under several and in several runs."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from made_rows import judged_row, labelled_table
from unforeseen.errors import RunError
from unforeseen.metrics.accuracy import accuracy
from unforeseen.metrics.verdicts import TOP, TopK, labelled_verdicts, verdicts
from unforeseen.rows import frame_of

KS: tuple[TopK, ...] = (1, 3, 5, 10)


@given(ranks=st.lists(st.integers(1, 16), min_size=1, max_size=20))
@settings(max_examples=40, deadline=None, derandomize=True)
def test_a_picture_is_right_at_k_where_the_true_class_is_among_the_first_k(
    ranks: list[int],
) -> None:
    rows = frame_of(judged_row("Blur", n, 0, rank=rank) for n, rank in enumerate(ranks))
    shares = []
    for k in KS:
        estimate = accuracy(rows, "Blur", "", TOP[k])
        assert estimate is not None
        assert estimate.value == sum(rank <= k for rank in ranks) / len(ranks)
        shares.append(estimate.value)
    assert shares == sorted(shares)


def test_at_every_k_nonfinite_is_wrong_and_unreadable_is_outside() -> None:
    """Pitfall 13."""
    rows = frame_of(
        [
            judged_row("Blur", 0, 0, rank=1),
            judged_row("Blur", 1, 0, status="nonfinite"),
            judged_row("Blur", 2, 0, status="unreadable"),
        ]
    )
    for k in KS:
        assert verdicts(rows, "Blur", "", TOP[k])["right"].to_list() == [True, False]


def test_what_has_no_rank_is_neither_right_nor_wrong() -> None:
    rows = frame_of([judged_row("Blur", 0, 0, rank=None), judged_row("Blur", 1, 0, rank=4)])
    assert verdicts(rows, "Blur", "", "top5")["right"].to_list() == [True]
    assert verdicts(rows, "Blur", "", "top3")["right"].to_list() == [False]


def test_joint_verdicts_keep_pictures_labels_and_columns_together() -> None:
    labels = [3, 1, 2, 1]
    columns = {"a": [True, False, True, True], "b": [False, False, True, False]}
    rows = labelled_table(labels, columns).sample(fraction=1, shuffle=True, seed=1)
    joint = labelled_verdicts(rows, ["b", "a"], "")
    assert joint.labels.tolist() == labels
    assert np.array_equal(joint.right, np.stack([columns["b"], columns["a"]], axis=1))
    assert joint.names == ("p00000", "p00001", "p00002", "p00003")


def test_only_pictures_with_every_verdict_in_every_run_are_joint() -> None:
    one = frame_of(judged_row("a", n, 0) for n in (0, 1, 2))
    other = frame_of(
        [judged_row("a", 1, 0), judged_row("a", 2, 0, status="unreadable"), judged_row("a", 3, 0)]
    )
    assert labelled_verdicts([one, other], ["a"], "").names == ("p00001",)


def test_runs_that_label_a_picture_differently_share_no_figure() -> None:
    one, other = (frame_of([judged_row("a", 0, label)]) for label in (1, 2))
    with pytest.raises(RunError, match="one label for a picture, got 1 and 2 for 'p00000'"):
        labelled_verdicts([one, other], ["a"], "")
