"""The worst case is a recount of rows, never above the lowest accuracy."""

import numpy as np

from made_rows import table_of
from unforeseen.metrics import wilson, worst_case


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
