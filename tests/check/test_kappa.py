"""Agreement beyond chance, against all orders that the labels could have had."""

import itertools
import math

import pytest
import torch

from unforeseen.check.kappa import by_chance, deviation_by_chance, kappa


@pytest.mark.parametrize(
    ("said", "labels"),
    [
        ([0, 0, 1, 1, 2, 2], [0, 1, 1, 2, 2, 0]),
        ([0, 0, 0, 0, 0, 1], [0, 0, 0, 0, 0, 1]),
        ([3, 3, 3, 0, 1, 1], [0, 0, 0, 0, 1, 3]),
        ([-1, 0, 1, -1, 1, 1], [0, 0, 1, 1, 1, -2]),
    ],
)
def test_chance_is_what_labels_in_any_order_would_agree_on(
    said: list[int], labels: list[int]
) -> None:
    """Over all orders the variance is n/(n − 1) times the asymptotic one."""
    n = len(labels)
    agree = [
        sum(one == other >= 0 for one, other in zip(said, order, strict=True)) / n
        for order in itertools.permutations(labels)
    ]
    mean = sum(agree) / len(agree)
    variance = sum((each - mean) ** 2 for each in agree) / len(agree)
    given = torch.tensor(said), torch.tensor(labels)
    assert by_chance(*given) == pytest.approx(mean)
    assert deviation_by_chance(*given) == pytest.approx(math.sqrt(variance * (n - 1) / n))
    right = sum(one == other for one, other in zip(said, labels, strict=True)) / n
    assert kappa(*given) == pytest.approx((right - mean) / (1 - mean))


def test_naming_one_class_and_data_of_one_label_tell_nothing_apart() -> None:
    labels = torch.tensor([0] * 95 + [1] * 5)
    assert kappa(torch.zeros_like(labels), labels) == 0.0
    assert kappa(labels, torch.zeros_like(labels)) == 0.0
    assert kappa(torch.zeros_like(labels), torch.zeros_like(labels)) == 0.0
    assert kappa(labels, labels) == 1.0
