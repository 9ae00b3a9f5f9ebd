"""Better beyond chance, and on more than one label."""

import pytest
import torch

from unforeseen.check.right import is_better_on_several_labels, is_clearly_better


@pytest.mark.parametrize(("elsewhere", "better"), [(0, False), (4, False), (5, True), (9, True)])
def test_a_gain_on_one_label_counts_where_five_of_others_are_gained_too(
    elsewhere: int, *, better: bool
) -> None:
    """Exact McNemar: 2 · 2^−5 < 0.1 < 2 · 2^−4."""
    labels = torch.tensor([0] * 100 + [1] * 10 + [2] * 10)
    usual = torch.zeros(120, dtype=torch.bool)
    other = usual.clone()
    other[:60] = True
    other[105 : 105 + elsewhere] = True
    assert is_clearly_better(other, usual, gain=0.2)
    assert is_better_on_several_labels(other, usual, labels, gain=0.2) == better


def test_a_gain_that_is_lost_on_other_labels_does_not_count() -> None:
    labels = torch.tensor([0] * 100 + [1] * 20)
    usual = torch.arange(120) >= 100
    assert not is_better_on_several_labels(~usual, usual, labels, gain=0.2)
