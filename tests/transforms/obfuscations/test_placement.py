"""Smaller pictures lie inside larger ones, anywhere."""

import pytest
from scipy import stats

from unforeseen.rng import Stream
from unforeseen.transforms.obfuscation import ImageSize
from unforeseen.transforms.obfuscations.placement import draw_place, shrunk


@pytest.mark.parametrize(
    ("size", "down", "across", "expected"),
    [
        ((224, 224), 0.25, 0.45, (56, 101)),
        ((33, 47), 0.5, 0.5, (16, 24)),
        ((1000, 4000), 0.3, 0.3, (300, 1200)),
        ((32, 32), 0.001, 0.001, (1, 1)),
    ],
)
def test_both_sides_are_multiplied_and_rounded(
    size: ImageSize, down: float, across: float, expected: ImageSize
) -> None:
    assert shrunk(size, down=down, across=across) == expected


def test_every_place_inside_comes_equally_often() -> None:
    stream = Stream("placement")
    places = [draw_place(stream, (29, 36), (32, 40)) for _ in range(4000)]
    tops, lefts = zip(*places, strict=True)
    assert set(tops) == set(range(4))
    assert set(lefts) == set(range(5))
    counts = [places.count((top, left)) for top in range(4) for left in range(5)]
    assert stats.chisquare(counts).pvalue > 1e-3


def test_a_picture_as_large_as_the_other_has_one_place() -> None:
    assert draw_place(Stream("placement"), (32, 40), (32, 40)) == (0, 0)
