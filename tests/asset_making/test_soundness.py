"""What is believed of a stranger's values, and that looking at them ends soon."""

import math
from collections.abc import Callable

import pytest
import torch

from unforeseen.asset_making.soundness import expect_sound

MUCH = 1 << 20


def doubled(value: object, times: int) -> object:
    """Lists of two that hold each other: 2 ** times places, and hardly any memory."""
    for _ in range(times):
        value = [value, value]
    return value


def within_itself() -> object:
    value: list[object] = [0.5] * 1000
    value.append(value)
    return value


@pytest.mark.parametrize(
    "content",
    [
        *(None, True, 3, 0.5, "text", [], {}, (), torch.zeros(3), torch.zeros(0), 2**60),
        {"a": [1.0, {"b": (torch.ones(2, 3), None)}], 7: "x"},
        doubled(0.5, 10),
    ],
)
def test_texts_numbers_tensors_and_what_holds_them_are_sound(content: object) -> None:
    expect_sound(content, at_most=MUCH)


@pytest.mark.parametrize(
    "content",
    [
        *(math.nan, math.inf, b"bytes", {1, 2}, 1j, torch.tensor([math.nan])),
        {None: 1},
        {(1, 2): 1},
        [[[{"a": torch.zeros(1).expand(10**12)}]]],
        torch.zeros(3, dtype=torch.complex64),
        torch.eye(3).to_sparse(),
        torch.zeros(3, device="meta"),
    ],
)
def test_everything_else_is_refused(content: object) -> None:
    with pytest.raises((ValueError, RuntimeError)):
        expect_sound(content, at_most=MUCH)


@pytest.mark.parametrize(
    "made",
    [
        lambda: doubled(0.5, 60),
        lambda: doubled({"a": 1}, 200),
        lambda: [[0.5]] * 10**7,
        lambda: doubled([torch.zeros(10_000)] * 50, 3),
        lambda: ["x" * 10_000] * 1000,
        lambda: {"x" * 10**7: 1},
        lambda: [1 << 10**6] * 100,
        within_itself,
    ],
    ids=["pairs", "deeper", "long", "tensor", "text", "key", "number", "itself"],
)
def test_what_stands_in_many_places_counts_in_each_and_is_not_looked_through(
    made: Callable[[], object],
) -> None:
    """Pitfall: a folder may be a stranger's. Without a bound the first takes thirty thousand years."""
    with pytest.raises(ValueError, match="too much"):
        expect_sound(made(), at_most=MUCH)


def test_a_value_of_many_places_is_no_more_than_as_much_memory_as_they_would_take() -> None:
    expect_sound([0.5] * 1000, at_most=64 * 1001)
    with pytest.raises(ValueError, match="too much"):
        expect_sound([0.5] * 1000, at_most=64 * 1001 - 1)
