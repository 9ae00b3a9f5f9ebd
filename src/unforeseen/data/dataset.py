"""What every source of labelled pictures provides."""

__all__ = ["SPLIT_NAMES", "DataCard", "Dataset"]

import abc
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from unforeseen.label_space import LabelSpace

#: What the parts of a data set are called, in lower case; a run takes one of them.
SPLIT_NAMES = frozenset({"test", "train", "training", "val", "valid", "validation"})


@dataclass(frozen=True, kw_only=True)
class DataCard:
    """What is known of a data set before a picture is decoded.

    Attributes:
        uri: How the user named it.
        label_space: What the labels count: ImageNet-1k's or CIFAR-10's classes in their usual
            order; None where nothing in the data says.
        class_names: Label → words. May be longer than the labels that occur, or empty.
        images: Number of pictures.
        notes: What the user should be told, one sentence each.
    """

    uri: str
    label_space: LabelSpace | None
    class_names: tuple[str, ...]
    images: int
    notes: tuple[str, ...] = ()


class Dataset(abc.ABC):
    """Labelled pictures that are read one by one. :meth:`read` may be called from threads.

    Attributes:
        card: What is known of it.
        labels: (N,) the true classes.
        keys: (N,) a name per picture by which subsets are chosen; it depends neither on the
            machine nor on where the data lie.
    """

    card: DataCard
    labels: NDArray[np.int64]
    keys: Sequence[str]

    @abc.abstractmethod
    def read(self, index: int) -> bytes | NDArray[np.uint8]:
        """Reads one picture.

        Args:
            index: 0 … N − 1.

        Returns:
            The encoded file, or decoded RGB (H, W, 3).

        Raises:
            OSError: It can't be read.
        """
