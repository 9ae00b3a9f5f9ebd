import pytest
from scipy import stats

from unforeseen.metrics.mcnemar import mcnemar


@pytest.mark.parametrize(
    ("gained", "lost"), [(0, 0), (1, 0), (7, 0), (11, 0), (5, 5), (9, 2), (40, 12)]
)
def test_the_p_value_is_that_of_a_fair_coin(gained: int, lost: int) -> None:
    n = gained + lost
    expected = stats.binomtest(gained, n).pvalue if n else 1.0
    assert mcnemar(gained, lost) == pytest.approx(expected)
    assert mcnemar(lost, gained) == mcnemar(gained, lost)


def test_counts_below_0_are_refused() -> None:
    with pytest.raises(ValueError, match="counts from 0"):
        mcnemar(-1, 2)
