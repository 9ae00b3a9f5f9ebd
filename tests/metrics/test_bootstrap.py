"""Drawing pictures again: exact sums, the same alone and among others, whatever their order."""

import numpy as np
import pytest

from unforeseen.metrics import bootstrap
from unforeseen.metrics.bootstrap import RESAMPLES, resampled_sums
from unforeseen.rng import Stream

SCORES = np.random.default_rng(0).integers(0, 23, (37, 3))


def test_sums_are_those_of_the_drawn_pictures_in_plain_python() -> None:
    stream = Stream("any", 5)
    ranked = [sorted(column) for column in SCORES.T.tolist()]
    sums = resampled_sums(SCORES, Stream("any", 5))
    assert sums.shape == (RESAMPLES, 3)
    for line in sums[:50].tolist():
        drawn = stream.integers(0, 36, (37,)).tolist()
        assert line == [sum(column[index] for index in drawn) for column in ranked]


def test_a_column_has_the_same_sums_alone_and_in_any_order() -> None:
    together = resampled_sums(SCORES, Stream("any", 0))
    alone = resampled_sums(SCORES[::-1, 1:2], Stream("any", 0))
    assert np.array_equal(alone[:, 0], together[:, 1])


def test_sums_do_not_depend_on_how_many_are_drawn_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    whole = resampled_sums(SCORES, Stream("any", 0))
    monkeypatch.setattr(bootstrap, "_DRAWS_AT_ONCE", 100)
    assert np.array_equal(resampled_sums(SCORES, Stream("any", 0)), whole)
