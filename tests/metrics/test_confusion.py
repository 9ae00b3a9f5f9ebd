"""The confusion matrix counts what pictures are taken for."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from made_rows import judged_row
from unforeseen.errors import RunError
from unforeseen.metrics import balanced_accuracy, confusion
from unforeseen.metrics.confusion import Confusion
from unforeseen.rows import frame_of

PAIRS = st.lists(st.tuples(st.integers(0, 3), st.integers(0, 3)), max_size=30)


@given(pairs=PAIRS)
@settings(max_examples=50, deadline=None, derandomize=True)
def test_a_field_is_the_number_of_pictures_of_a_class_that_are_taken_for_another(
    pairs: list[tuple[int, int]],
) -> None:
    rows = frame_of(
        judged_row("a", number, true, rank=1 if true == said else 2, prediction=said)
        for number, (true, said) in enumerate(pairs)
    )
    found = confusion(rows, "a", 4)
    assert found.counts.tolist() == [
        [pairs.count((true, said)) for said in range(4)] for true in range(4)
    ]
    assert found.pictures.sum() == len(pairs)
    if pairs:
        balanced = balanced_accuracy(rows, "a")
        assert balanced is not None
        assert np.nanmean(np.diag(found.shares)) == pytest.approx(balanced.value)


def test_nonfinite_is_counted_apart_and_unreadable_not_at_all() -> None:
    rows = frame_of(
        [
            judged_row("a", 0, 1),
            judged_row("a", 1, 1, status="nonfinite"),
            judged_row("a", 2, 1, status="unreadable"),
            judged_row("b", 3, 0),
        ]
    )
    found = confusion(rows, "a", 3)
    assert found.counts.tolist() == [[0, 0, 0], [0, 1, 0], [0, 0, 0]]
    assert found.nonfinite.tolist() == [0, 1, 0]
    np.testing.assert_array_equal(found.shares[1], [0, 0.5, 0])
    assert np.isnan(found.shares[0]).all()


def test_classes_that_there_are_not_are_refused() -> None:
    rows = frame_of([judged_row("a", 0, 1, rank=2, prediction=7)])
    with pytest.raises(RunError, match=r"classes from 0 to 3, got 1 to 7\."):
        confusion(rows, "a", 4)
    assert confusion(frame_of([]), "a", 2).counts.tolist() == [[0, 0], [0, 0]]


def test_pairs_of_classes_that_are_called_alike_stay_apart() -> None:
    found = Confusion(np.array([[2, 1, 0], [0, 3, 0], [0, 0, 0]]), np.array([0, 0, 1]))
    assert list(found.pairs(["crane", "crane", "owl"])) == [
        ("crane", "crane", 2),
        ("crane", "crane", 1),
        ("crane", "crane", 3),
        ("owl", None, 1),
    ]
