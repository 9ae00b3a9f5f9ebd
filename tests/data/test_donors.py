"""Who takes from whom: seeded, of another class, whoever else is there."""

from collections import Counter

import pytest
import torch

from data.in_memory import InMemory, noise
from unforeseen.data.donors import POOL, Donors, order_of_picks
from unforeseen.data.identity import identify
from unforeseen.data.selection import select
from unforeseen.errors import DataError
from unforeseen.preprocessing import Preprocessing

CLASSES = 3


def data_set(count: int = 12, *, broken: tuple[int, ...] = ()) -> InMemory:
    pictures = [noise(seed=number) for number in range(count)]
    content = [b"no picture" if n in broken else picture for n, picture in enumerate(pictures)]
    return InMemory(content, [number % CLASSES for number in range(count)])


def donors(data: InMemory, seed: int = 0) -> Donors:
    return Donors(data, Preprocessing(), seed)


def test_a_donor_is_a_picture_of_the_data_of_another_class() -> None:
    data = data_set()
    ids = identify(data, range(12))
    for label in range(CLASSES):
        donor = donors(data).of("me", label)
        assert donor.label != label
        assert donor.example_id == ids[donor.index]
        assert torch.equal(donor.image, torch.from_numpy(noise(seed=donor.index)).permute(2, 0, 1))


def test_a_pick_depends_on_the_seed_and_the_picture_and_stays() -> None:
    data = data_set()
    picks = {seed: [donors(data, seed).of(f"p{n}", 0).index for n in range(30)] for seed in (0, 1)}
    assert picks[0] == [donors(data, 0).of(f"p{n}", 0).index for n in range(30)]
    assert picks[0] != picks[1]


def test_picks_are_spread_evenly() -> None:
    """Each of 8 is picked with probability 1/8; 60 of 800 is 4.3 standard deviations off 100."""
    counts = Counter(donors(data_set()).of(f"p{number}", 0).index for number in range(800))
    assert len(counts) == 8
    assert min(counts.values()) > 60
    assert max(counts.values()) < 140


def test_who_leaves_the_candidates_changes_the_pick_of_those_who_had_picked_him_only() -> None:
    names = [f"c{number}" for number in range(9)]
    for number in range(50):
        before = [names[n] for n in order_of_picks(3, f"p{number}", names)]
        after = [names[:4][n] for n in order_of_picks(3, f"p{number}", names[:4])]
        assert after == [name for name in before if name in names[:4]]


def test_the_pool_is_the_front_of_the_order_that_limits_cut() -> None:
    data = InMemory([noise(seed=0)] * (POOL + 50), list(range(POOL + 50)))
    front = set(select(data, POOL, 0).tolist())
    assert {donors(data).of(f"p{number}", -1).index for number in range(300)} <= front


def test_unreadable_pictures_are_passed_over_and_where_none_is_left_it_is_said() -> None:
    whole, damaged = data_set(), data_set(broken=(1, 4, 7, 10))
    for number in range(20):
        assert donors(damaged).of(f"p{number}", 0).label == 2
    assert {donors(whole).of(f"p{number}", 0).label for number in range(20)} == {1, 2}
    nobody = InMemory([noise(seed=0)] * 3, [1, 1, 1])
    with pytest.raises(DataError, match="a readable picture of another class than 1"):
        donors(nobody).of("me", 1)
