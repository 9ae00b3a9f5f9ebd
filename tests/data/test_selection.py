"""Which pictures a limit takes."""

import hashlib
from itertools import zip_longest

import numpy as np
import pytest

from data.in_memory import InMemory
from unforeseen.data.selection import select
from unforeseen.errors import UserError

SIZES = {4: 7, 0: 1, 9: 30, 2: 12}


def data_set(sizes: dict[int, int]) -> InMemory:
    labels = [label for label, size in sizes.items() for _ in range(size)]
    return InMemory([b""] * len(labels), labels, [f"{n}.png" for n in range(len(labels))])


def key_hash(text: str) -> int:
    return int.from_bytes(hashlib.blake2b(text.encode(), digest_size=8).digest(), "little")


def test_the_order_is_a_round_robin_over_hashed_classes() -> None:
    data, seed = data_set(SIZES), 5
    columns = []
    for label in sorted(SIZES, key=lambda label: key_hash(f"{seed}/class/{label}")):
        members = np.flatnonzero(data.labels == label).tolist()
        hashes = {n: key_hash(f"{seed}/picture/{label}/{data.keys[n]}") for n in members}
        columns.append(sorted(members, key=hashes.__getitem__))
    turns = zip_longest(*columns)
    assert select(data, None, seed).tolist() == [n for t in turns for n in t if n is not None]


def test_every_picture_is_taken_once() -> None:
    assert sorted(select(data_set(SIZES), None, 0).tolist()) == list(range(50))


@pytest.mark.parametrize("limit", [1, 3, 10, 49, 50])
def test_a_smaller_limit_takes_the_front_of_a_larger_one(limit: int) -> None:
    data = data_set(SIZES)
    assert select(data, limit, 1).tolist() == select(data, None, 1).tolist()[:limit]


@pytest.mark.parametrize("limit", range(1, 51))
def test_any_front_is_as_balanced_as_can_be(limit: int) -> None:
    data = data_set(SIZES)
    counts = dict.fromkeys(SIZES, 0)
    for index in select(data, limit, 2):
        counts[int(data.labels[index])] += 1
    most = max(counts.values())
    # A class that isn't used up is at most one picture behind.
    assert all(n >= most - 1 or n == SIZES[label] for label, n in counts.items())


def test_the_choice_does_not_depend_on_the_listing_order() -> None:
    data = data_set(SIZES)
    order = np.random.default_rng(0).permutation(50)
    shuffled = InMemory(
        [b""] * 50, data.labels[order].tolist(), [data.keys[index] for index in order]
    )
    chosen = [data.keys[index] for index in select(data, 20, 3)]
    assert [shuffled.keys[index] for index in select(shuffled, 20, 3)] == chosen


def test_seeds_differ_and_0_is_one() -> None:
    orders = {tuple(select(data_set(SIZES), None, seed).tolist()) for seed in (0, 1, 2)}
    assert len(orders) == 3


def test_a_limit_above_the_number_of_pictures_takes_all() -> None:
    assert len(select(data_set(SIZES), 1000, 0)) == 50


@pytest.mark.parametrize("limit", [0, -1])
def test_a_limit_below_1_is_refused(limit: int) -> None:
    with pytest.raises(UserError, match=f"expected a whole number from 1, got {limit}"):
        select(data_set(SIZES), limit, 0)
