"""What a check may ask of a black box's budget, whatever it finds."""

import numpy as np
import pytest
import torch
from numpy.typing import NDArray

from check.colours import CLASSES, NearestColour, coloured, found
from small import as_function
from unforeseen import black_box
from unforeseen.check.asking import Asker
from unforeseen.errors import QueryBudgetError
from unforeseen.models.function_predictor import FunctionPredictor

#: One grey picture tells how many classes there are, before the check begins.
GREY = 1


def noise(count: int) -> torch.Tensor:
    generator = torch.Generator().manual_seed(count)
    return torch.randint(0, 256, (count, 3, 32, 32), dtype=torch.uint8, generator=generator)


def service(budget: int | None, *, order: int = 0) -> FunctionPredictor:
    predict = as_function(NearestColour())

    def rolled(pictures: NDArray[np.uint8]) -> NDArray[np.floating]:
        return np.roll(predict(pictures), order, axis=1)

    return black_box(rolled, version="1", budget=budget)


@pytest.mark.parametrize("budget", [1, 3, 8, 40, 101])
def test_a_question_beyond_a_quarter_of_the_budget_is_refused_whole(budget: int) -> None:
    model = service(budget)
    asker = Asker(model, batch_size=2)
    share = max(1, budget // 4)
    assert asker.left == share
    assert asker.may_ask(share)
    assert not asker.may_ask(share + 1)
    with pytest.raises(QueryBudgetError):
        asker.logits(noise(share + 1))
    assert model.queries == 0
    asker.logits(noise(share))
    assert asker.left == 0
    with pytest.raises(QueryBudgetError):
        asker.logits(noise(1))


def test_the_share_is_fixed_when_the_check_begins() -> None:
    model = service(40)
    asker = Asker(model, batch_size=2)
    for left in range(10, 0, -1):
        assert asker.left == left
        asker.logits(noise(left)[:1])
    assert asker.left == 0


def test_without_a_budget_anything_may_be_asked() -> None:
    asker = Asker(service(None), batch_size=64)
    assert asker.left is None
    assert asker.may_ask(10**9)


@pytest.mark.parametrize("order", [0, 1], ids=["right", "near chance"])
@pytest.mark.parametrize("expected", [None, 1.0])
@pytest.mark.parametrize("budget", [4, 9, 30, 150, 300, 700, 3000])
def test_all_questions_together_take_a_quarter_of_the_budget(
    budget: int, expected: float | None, order: int
) -> None:
    model = service(budget, order=order)
    result = found(model, coloured(8), expect_accuracy=expected)
    assert model.queries - GREY <= max(1, (budget - GREY) // 4)
    assert result.measured("randomness") == 0.0 or "randomness" in result.notes[-1]
    assert (result.pictures == 8 * CLASSES) == (budget >= 4 * (8 * CLASSES + 4) + GREY)
