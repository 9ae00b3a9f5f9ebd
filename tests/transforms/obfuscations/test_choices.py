"""Choices are even."""

from collections import Counter

from scipy import stats

from unforeseen.rng import Stream
from unforeseen.transforms.obfuscations.choices import choose


def test_each_option_comes_equally_often() -> None:
    stream = Stream("choices")
    options = ("a", "b", "c", "d", "e", "f", "g")
    counts = Counter(choose(stream, options) for _ in range(3500))
    assert set(counts) == set(options)
    assert stats.chisquare(list(counts.values())).pvalue > 1e-3


def test_a_single_option_is_always_chosen() -> None:
    assert choose(Stream("choices"), ["only"]) == "only"
