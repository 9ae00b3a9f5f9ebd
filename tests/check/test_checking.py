"""The check from Python: what it tells whoever watches."""

from check.colours import CLASSES, NearestColour, coloured
from small import as_function, small_benchmark
from small_runs import Notes
from unforeseen import black_box, check_model


def test_of_a_black_box_it_says_how_many_pictures_it_asked_about() -> None:
    model, notes = black_box(as_function(NearestColour()), version="1"), Notes()
    grey = 1
    check_model(model, coloured(1), small_benchmark(), edition="strict", reporter=notes)
    # Each of them, and four again.
    assert model.queries == grey + CLASSES + 4
    assert notes.said[-1] == f"{model.card.uri}: asked about {model.queries} pictures."
