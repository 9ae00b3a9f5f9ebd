"""The check from Python: what it tells whoever watches, and which benchmark it takes."""

import pytest

from check.colours import CLASSES, NearestColour, coloured
from data.in_memory import InMemory, noise
from small import as_function, small_benchmark
from small_runs import Notes
from unforeseen import black_box, check_model
from unforeseen.check.checking import benchmark_for
from unforeseen.errors import UserError


def test_of_a_black_box_it_says_how_many_pictures_it_asked_about() -> None:
    model, notes = black_box(as_function(NearestColour()), version="1"), Notes()
    grey = 1
    check_model(model, coloured(1), small_benchmark(), edition="strict", reporter=notes)
    # Each of them, and four again.
    assert model.queries == grey + CLASSES + 4
    assert notes.said[-1] == f"{model.card.uri}: asked about {model.queries} pictures."


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
