"""The part of a data set that a benchmark's classes cover, with that benchmark's labels."""

__all__ = ["Relabelled", "imagenet100_of"]

from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from unforeseen.data.dataset import DataCard, Dataset
from unforeseen.data.label_spaces import IMAGENET100_EVERY
from unforeseen.errors import DataError


class Relabelled(Dataset):
    """Pictures of some classes of a data set, under other labels.

    Args:
        dataset: Where the pictures are.
        new_label: (classes,) by old label; −1 leaves the class out.
        card: What is known of the part, but for its number of pictures.
    """

    def __init__(self, dataset: Dataset, new_label: NDArray[np.int64], card: DataCard) -> None:
        labels = new_label[dataset.labels]
        self._dataset = dataset
        self._index = np.flatnonzero(labels >= 0)
        self.labels = labels[self._index]
        self.keys = [dataset.keys[index] for index in self._index.tolist()]
        self.card = replace(card, images=len(self._index))

    def read(self, index: int) -> bytes | NDArray[np.uint8]:
        """See the base class."""
        return self._dataset.read(int(self._index[index]))


def imagenet100_of(dataset: Dataset) -> Dataset:
    """The pictures of ImageNet's classes 0, 10, 20 … 990, labelled 0, 1, 2 … 99.

    Args:
        dataset: With ImageNet's labels.

    Raises:
        DataError: It has no picture of these classes.
    """
    card = dataset.card
    classes = np.arange(max(1000, int(dataset.labels.max(initial=0)) + 1))
    chosen = (classes % IMAGENET100_EVERY == 0) & (classes < 1000)
    part = Relabelled(
        dataset,
        np.where(chosen, classes // IMAGENET100_EVERY, -1),
        replace(
            card, label_space="imagenet100", class_names=card.class_names[:1000:IMAGENET100_EVERY]
        ),
    )
    if not part.card.images:
        raise DataError(
            f"{card.uri}: expected pictures of ImageNet100's classes (0, 10, 20 … 990 of "
            f"ImageNet's), got {card.images:,} of other classes."
        )
    left_out = card.images - part.card.images
    if left_out:
        part.card = replace(
            part.card,
            notes=(
                *card.notes,
                f"left out, of ImageNet's 900 other classes: {left_out:,} of {card.images:,} pictures",
            ),
        )
    return part
