"""Streams: known answers from Philox written out, and the distributions made of its integers."""

import hashlib
import itertools

import numpy as np
import pytest
from scipy import stats

from oracles import assert_uniform
from unforeseen.rng import ExampleKey, Purpose, Stream

KEY = ExampleKey(seed=0, transform="snow", example_id="cat")


#: The first numbers of Stream("pinned"), computed by :func:`philox` below.
PINNED_UNIFORM = [5463674, 8480554, 8687695, 6951587]
PINNED_INTEGERS = [877, 229, 609, 754]


def philox(key: int, blocks: int) -> list[int]:
    """Philox4x64 with ten rounds (Salmon et al. 2011, section 3.3), counters 1, 2 …"""
    word = 2**64 - 1
    numbers = []
    for count in range(1, blocks + 1):
        counter, left, right = [count, 0, 0, 0], key & word, key >> 64
        for _ in range(10):
            first = 0xD2E7470EE14C6C93 * counter[0]
            second = 0xCA5A826395121157 * counter[2]
            counter = [
                (second >> 64) ^ counter[1] ^ left,
                second & word,
                (first >> 64) ^ counter[3] ^ right,
                first & word,
            ]
            left = (left + 0x9E3779B97F4A7C15) & word
            right = (right + 0xBB67AE8584CAA73B) & word
        numbers += counter
    return numbers


def test_a_stream_is_philox_under_the_hash_of_its_key() -> None:
    digest = hashlib.blake2b(b"(0, 'snow', 'cat', 'scene', 0, 0)", digest_size=16).digest()
    raw = philox(int.from_bytes(digest, "little"), blocks=3)
    expected = [np.float32((number >> 40) / 2**24) for number in raw]
    assert KEY.stream("scene").uniform(0, 1, (12,)).tolist() == expected
    assert KEY.stream("scene").integers(-3, 7, (12,)).tolist() == [
        number % 11 - 3 for number in raw
    ]


def test_known_answers_never_change() -> None:
    assert (Stream("pinned").uniform(0, 1, (4,)) * 2**24).tolist() == PINNED_UNIFORM
    assert Stream("pinned").integers(0, 999, (4,)).tolist() == PINNED_INTEGERS


def test_draws_go_on_where_the_last_one_ended() -> None:
    whole = KEY.stream("start").uniform(0, 1, (2, 3))
    stream = KEY.stream("start")
    parts = [float(stream.uniform(0, 1)), *stream.uniform(0, 1, (5,)).tolist()]
    assert whole.dtype == np.float32
    assert whole.ravel().tolist() == parts


@pytest.mark.parametrize(("low", "high"), [(0, 1), (-1, 1), (3, 5.75), (-0.02, 0.02)])
def test_uniform_numbers_fill_their_range(low: float, high: float) -> None:
    drawn = Stream("range", repr((low, high))).uniform(low, high, (20_000,))
    assert drawn.min() >= np.float32(low)
    assert drawn.max() <= np.float32(high)
    assert_uniform(drawn.astype(np.float64), low, high)
    assert float(drawn.mean()) == pytest.approx((low + high) / 2, abs=0.01 * (high - low))


@pytest.mark.parametrize(("low", "high"), [(0, 2), (1, 7), (-5, 5), (4, 4)])
def test_integers_include_both_ends_evenly(low: int, high: int) -> None:
    drawn = Stream("integers", low, high).integers(low, high, (20_000,))
    assert drawn.dtype == np.int64
    counts = np.bincount(drawn - low, minlength=high - low + 1)
    assert len(counts) == high - low + 1
    assert len(counts) == 1 or stats.chisquare(counts).pvalue > 1e-3


def keys_and_purposes() -> list[tuple[ExampleKey, Purpose, int]]:
    seeds, transforms, ids = (0, 1, -1), ("snow", "wood"), ("cat", "dog", "0")
    keys = [
        ExampleKey(seed=seed, transform=transform, example_id=example_id)
        for seed, transform, example_id in itertools.product(seeds, transforms, ids)
    ]
    purposes: list[tuple[Purpose, int]] = [
        ("scene", 0),
        ("start", 0),
        ("evaluation", 0),
        ("evaluation", 1),
    ]
    return [(key, purpose, step) for key in keys for purpose, step in purposes]


def test_whatever_differs_in_a_key_gives_another_independent_stream() -> None:
    drawn = [
        key.stream(purpose, step=step).uniform(0, 1, (200,))
        for key, purpose, step in keys_and_purposes()
    ]
    assert len({each.tobytes() for each in drawn}) == len(drawn)
    correlations = np.asarray(np.corrcoef(drawn))[np.triu_indices(len(drawn), k=1)]
    # Of 2,556 correlations of 200 pairs, each of deviation 0.071, none is five deviations off.
    assert np.abs(correlations).max() < 5 / np.sqrt(200)


def test_names_that_join_alike_are_different_keys() -> None:
    one = ExampleKey(seed=1, transform="a", example_id="b, c").stream("start")
    other = ExampleKey(seed=1, transform="a, b", example_id="c").stream("start")
    assert one.uniform(0, 1) != other.uniform(0, 1)
    assert Stream(1).uniform(0, 1) != Stream("1").uniform(0, 1)


def test_a_restart_has_its_own_start_and_evaluations_but_the_same_scene() -> None:
    again = ExampleKey(seed=0, transform="snow", example_id="cat", restart=1)
    purposes: tuple[Purpose, ...] = ("scene", "start", "evaluation")
    same = [
        float(KEY.stream(purpose).uniform(0, 1)) == float(again.stream(purpose).uniform(0, 1))
        for purpose in purposes
    ]
    assert same == [True, False, False]


@pytest.mark.usefixtures("untouched_random_state")
def test_global_generators_are_left_alone() -> None:
    KEY.stream("scene").uniform(0, 1, (10,))
