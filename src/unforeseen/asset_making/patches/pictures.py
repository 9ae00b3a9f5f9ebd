"""The pictures that a patch is optimised on, and others that it is measured on."""

__all__ = ["PicturePool", "split"]

from collections.abc import Sequence
from functools import partial

import torch
from torch import Tensor

from unforeseen.asset_making.drawn_pictures import first_of_use
from unforeseen.asset_making.patches.recipe import PatchRecipe
from unforeseen.data.dataset import Dataset
from unforeseen.data.pictures import Picture, read_picture
from unforeseen.rng import Stream


def split(dataset: Dataset, seed: int) -> tuple[list[int], list[int]]:
    """Divides pictures at random into two halves, the second of which never optimises a patch.

    A picture's half depends on the seed and on the data set's order alone.

    Returns:
        Indices of either half, in the order in which they were drawn.
    """
    count = dataset.card.images
    draws = Stream(seed, "make patches", "split").uniform(0, 1, (count,))
    order = draws.argsort(kind="stable").tolist()
    return order[: count // 2], order[count // 2 :]


class PicturePool:
    """Pictures, a batch of which is drawn for each step from (seed, step) alone.

    Args:
        dataset: Where they lie.
        indices: Of those that may be drawn.
        recipe: Says their size and the seed.
    """

    def __init__(self, dataset: Dataset, indices: Sequence[int], recipe: PatchRecipe) -> None:
        self.dataset = dataset
        self.indices = indices
        self._recipe = recipe

    def batch(self, step: int, count: int) -> tuple[Tensor, Tensor]:
        """Draws pictures, with repetition.

        Returns:
            (count, 3, side, side) in [0, 1], and labels, (count,).

        Raises:
            DataError: Twenty pictures in a row can't be read.
        """
        stream = Stream(self._recipe.seed, "make patches", "pictures", step)
        found = [
            first_of_use(self.dataset, "pictures to optimise on", partial(self._drawn, stream))
            for _ in range(count)
        ]
        images = torch.stack([each.image for each in found]).float() / 255
        return images, torch.tensor([each.label for each in found])

    def _drawn(self, stream: Stream) -> Picture | str:
        index = self.indices[int(stream.integers(0, len(self.indices) - 1))]
        found = read_picture(self.dataset, index, "", self._recipe.preprocessing)
        return found if isinstance(found, Picture) else found.reason
