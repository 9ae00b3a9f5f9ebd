"""The photos that a network is trained on: another cut of other pictures in every step."""

__all__ = ["TrainingPhotos"]

from functools import partial

import torch
from torch import Tensor

from unforeseen.asset_making.drawn_pictures import first_of_use
from unforeseen.data.dataset import Dataset
from unforeseen.data.pictures import Unreadable, read_picture
from unforeseen.errors import DataError
from unforeseen.preprocessing import Preprocessing
from unforeseen.rng import Stream

#: Shorter sides of the photos in pixels: from the cut's own to what a benchmark enlarges pictures to.
_LONGEST_SHORTER_SIDE = 400
#: Cuts that vary less are of one colour, from which nothing can be learnt.
_FLAT = 0.02


class TrainingPhotos:
    """Cuts of photos, drawn from (seed, step) alone, so that training goes on as it would have.

    Args:
        dataset: Any labelled or unlabelled pictures; labels aren't looked at.
        side: Of the cuts, in pixels.
        seed: Of the training.
    """

    def __init__(self, dataset: Dataset, *, side: int, seed: int) -> None:
        if dataset.card.images == 0:
            raise DataError(f"{dataset.card.uri}: expected pictures to train on, found none.")
        self.dataset = dataset
        self.side = side
        self.seed = seed

    def batch(self, step: int, count: int) -> Tensor:
        """Draws cuts.

        Args:
            step: Of the training; the same step gives the same cuts.
            count: How many.

        Returns:
            (count, 3, side, side) in [0, 1].

        Raises:
            DataError: Twenty in a row can't be read or are of one colour.
        """
        stream = Stream(self.seed, "make styles", "photos", step)
        draw = partial(self._drawn, stream)
        return torch.stack(
            [first_of_use(self.dataset, "photos to train on", draw) for _ in range(count)]
        )

    def _drawn(self, stream: Stream) -> Tensor | str:
        index = int(stream.integers(0, self.dataset.card.images - 1))
        shorter = int(stream.integers(self.side, max(self.side, _LONGEST_SHORTER_SIDE)))
        across, down, mirrored = (float(each) for each in stream.uniform(0, 1, (3,)))
        found = read_picture(
            self.dataset, index, "", Preprocessing(resize=shorter, interpolation="bilinear")
        )
        if isinstance(found, Unreadable):
            return found.reason
        height, width = found.image.shape[1:]
        top, left = int(down * (height - self.side + 1)), int(across * (width - self.side + 1))
        cut = found.image[:, top : top + self.side, left : left + self.side].float() / 255
        if float(cut.std((1, 2)).max()) < _FLAT:
            return "pictures of one colour"
        return cut.flip(2) if mirrored < 0.5 else cut
