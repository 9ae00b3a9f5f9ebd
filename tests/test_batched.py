"""Per-example tensors travel together."""

from dataclasses import dataclass

import pytest
import torch
from torch import Tensor

from unforeseen.batched import Batched


@dataclass(frozen=True, kw_only=True)
class Pair(Batched):
    """Two fields of different types and shapes."""

    number: Tensor
    flag: Tensor


@dataclass(frozen=True, kw_only=True)
class Empty(Batched):
    """Nothing at all, as a scene may be."""


def pair(*numbers: float) -> Pair:
    number = torch.tensor(numbers)
    return Pair(number=torch.stack([number, -number], dim=1), flag=number > 2)


def values(batch: Pair) -> tuple[list[float], list[bool]]:
    assert torch.equal(batch.number[:, 1], -batch.number[:, 0])
    return batch.number[:, 0].tolist(), batch.flag.tolist()


def test_select_takes_examples_in_order_with_repeats() -> None:
    chosen = pair(1, 2, 3).select(torch.tensor([2, 0, 2]))
    assert isinstance(chosen, Pair)
    assert values(chosen) == ([3, 1, 3], [True, False, True])


def test_select_of_nobody_is_an_empty_batch() -> None:
    nobody = pair(1, 2).select(torch.tensor([], dtype=torch.int64))
    assert nobody.number.shape == (0, 2)


def test_put_replaces_places_and_leaves_both_batches_alone() -> None:
    before, other = pair(1, 2, 3), pair(7, 8)
    after = before.put(torch.tensor([2, 0]), other)
    assert values(after) == ([8, 2, 7], [True, False, True])
    assert values(before) == ([1, 2, 3], [False, False, True])
    assert values(other) == ([7, 8], [True, True])


def test_map_and_replace_keep_the_type() -> None:
    doubled = pair(1, 2).map(lambda tensor: tensor * 2)
    assert isinstance(doubled, Pair)
    assert values(doubled)[0] == [2, 4]
    assert list(doubled.tensors()) == ["number", "flag"]


def test_a_batch_without_fields_survives_everything() -> None:
    empty = Empty()
    index = torch.tensor([0])
    assert empty.select(index) == empty
    assert empty.put(index, empty) == empty
    assert empty.tensors() == {}


def test_fields_cannot_be_reassigned() -> None:
    with pytest.raises(AttributeError):
        pair(1).number = torch.zeros(1)  # type: ignore[misc]  # the very thing that is refused
