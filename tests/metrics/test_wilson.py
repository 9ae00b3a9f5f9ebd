"""Wilson's interval is what an independent library computes."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats

from unforeseen.metrics import wilson


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


@pytest.mark.parametrize(("k", "n"), [(-1, 2), (3, 2), (0, -1)])
def test_impossible_counts_are_refused(k: int, n: int) -> None:
    with pytest.raises(ValueError, match="0 <= k <= n"):
        wilson(k, n)
