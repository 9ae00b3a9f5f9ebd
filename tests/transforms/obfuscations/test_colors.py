"""The colours of patterns and texts."""

import itertools

import torch

from unforeseen.transforms.obfuscations.colors import COLORS, color_planes


def test_there_are_as_many_colours_as_in_the_paper() -> None:
    assert len(COLORS) == 9


def test_colours_are_unlike_each_other() -> None:
    like = torch.zeros((), dtype=torch.float64)
    for one, other in itertools.combinations(COLORS, 2):
        assert (color_planes(one, like) - color_planes(other, like)).norm() >= 0.5


def test_a_colour_is_a_picture_of_one_pixel_of_the_type_that_is_asked_for() -> None:
    red = color_planes("red", torch.zeros((), dtype=torch.float64))
    assert red.shape == (3, 1, 1)
    assert red.dtype == torch.float64
    assert red.flatten().tolist() == [1, 0, 0]
