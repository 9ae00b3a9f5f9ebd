"""Mean and standard deviation over seeds."""

import numpy as np
import pytest

from unforeseen.metrics import Spread, spread


def test_the_deviation_is_that_of_a_sample() -> None:
    values = [0.31, 0.29, 0.35, 0.3]
    found = spread(values)
    assert found is not None
    assert found.mean == pytest.approx(np.mean(values), rel=1e-12)
    assert found.deviation == pytest.approx(np.std(values, ddof=1), rel=1e-12)
    assert found.n == 4


def test_runs_that_agree_have_no_spread_and_one_run_has_none_that_is_known() -> None:
    assert spread([0.3, 0.3, 0.3]) == Spread(0.3, 0.0, 3)
    assert spread([0.3]) == Spread(0.3, None, 1)
    assert spread([]) is None
