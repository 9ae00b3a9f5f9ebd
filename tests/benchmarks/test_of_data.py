"""Which benchmark a data set's labels are of, and what is said where nothing tells."""

import pytest

from data.in_memory import InMemory, noise
from unforeseen.benchmarks.of_data import benchmark_for
from unforeseen.errors import UserError


@pytest.mark.parametrize(
    ("labels", "named"), [(10, "cifar10-ua"), (100, "imagenet100-ua"), (1000, "imagenet-ua")]
)
def test_where_nothing_says_what_the_labels_are_their_number_points_at_one(
    labels: int, named: str
) -> None:
    data = InMemory([noise()] * 2, [0, labels - 1])
    with pytest.raises(UserError, match=rf"0 … {labels - 1}, as {named}'s are") as refused:
        benchmark_for(data)
    assert "Name one (--benchmark)" in str(refused.value)


def test_a_number_of_labels_that_no_benchmark_has_points_at_none() -> None:
    with pytest.raises(UserError) as refused:
        benchmark_for(InMemory([noise()] * 2, [0, 6]))
    assert "labels are" not in str(refused.value)
