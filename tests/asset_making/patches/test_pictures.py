"""Which pictures patches are optimised and measured on."""

import pytest
import torch

from data.in_memory import InMemory, noise
from unforeseen.asset_making.patches.pictures import PicturePool, split
from unforeseen.asset_making.patches.recipe import PatchRecipe
from unforeseen.errors import DataError

RECIPE = PatchRecipe(picture_size=32)


def dataset(count: int = 9) -> InMemory:
    return InMemory([noise(40, 36, seed=each) for each in range(count)], list(range(count)))


def test_no_picture_is_in_both_halves_and_none_is_lost() -> None:
    ours, others = split(dataset(), seed=0)
    assert sorted([*ours, *others]) == [*range(9)]
    assert (len(ours), len(others)) == (4, 5)


def test_the_halves_follow_from_the_seed() -> None:
    assert split(dataset(), seed=3) == split(dataset(), seed=3)
    assert split(dataset(100), seed=3) != split(dataset(100), seed=4)


def test_only_pictures_of_the_half_are_drawn_and_all_of_them() -> None:
    pool = PicturePool(dataset(), [1, 4, 7], RECIPE)
    labels = [pool.batch(step, 4)[1].tolist() for step in range(20)]
    assert {label for batch in labels for label in batch} == {1, 4, 7}


def test_a_batch_follows_from_the_step_alone() -> None:
    first = PicturePool(dataset(), [1, 4, 7], RECIPE)
    first.batch(0, 4)
    for ours, theirs in zip(
        first.batch(5, 4), PicturePool(dataset(), [1, 4, 7], RECIPE).batch(5, 4), strict=True
    ):
        assert torch.equal(ours, theirs)


def test_pictures_come_in_the_size_of_the_recipe_and_in_unit_range() -> None:
    images, _ = PicturePool(dataset(), [0, 1], RECIPE).batch(0, 3)
    assert images.shape == (3, 3, 32, 32)
    assert 0 <= images.min() < images.max() <= 1


def test_unreadable_pictures_are_passed_over() -> None:
    """Pitfall: one broken file among many must not end hours of work."""
    pool = PicturePool(InMemory([OSError("gone"), noise(40, 40)], [5, 6]), [0, 1], RECIPE)
    assert pool.batch(0, 8)[1].tolist() == [6] * 8


def test_nothing_but_unreadable_pictures_is_an_error() -> None:
    pool = PicturePool(InMemory([OSError("gone")] * 3), [0, 1, 2], RECIPE)
    with pytest.raises(DataError, match="20 in a row are no use, the last because: gone"):
        pool.batch(0, 1)
