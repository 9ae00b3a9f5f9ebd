"""The part of a data set that a benchmark's classes cover, with that benchmark's labels."""

__all__ = ["Relabelled", "RelabelledObfuscated", "imagenet16_of", "imagenet100_of"]

from dataclasses import replace

import numpy as np
from numpy.typing import NDArray
from typing_extensions import override

from unforeseen.data.dataset import DataCard, Dataset
from unforeseen.data.label_spaces import IMAGENET100_EVERY
from unforeseen.data.obfuscated_dataset import ObfuscatedDataset
from unforeseen.data.super_classes import super_class_names, super_classes
from unforeseen.errors import DataError
from unforeseen.label_space import LabelSpace

_IMAGENET_CLASSES = 1000


class Relabelled(Dataset):
    """Pictures of some classes of a data set, under other labels.

    Args:
        dataset: Where the pictures are.
        new_label: (classes,) by old label; −1 leaves the class out. Other labels are of no class.
        card: What is known of the part, but for its number of pictures.
    """

    def __init__(self, dataset: Dataset, new_label: NDArray[np.int64], card: DataCard) -> None:
        labels = _relabelled(dataset, new_label)
        self._dataset = dataset
        self._index = np.flatnonzero(labels >= 0)
        self.labels = labels[self._index]
        self.keys = [dataset.keys[index] for index in self._index.tolist()]
        self.card = replace(card, images=len(self._index))

    def read(self, index: int) -> bytes | NDArray[np.uint8]:
        """See the base class."""
        return self._dataset.read(int(self._index[index]))


class RelabelledObfuscated(ObfuscatedDataset[Relabelled]):
    """The same of pictures that were obfuscated before; takes what :class:`Relabelled` does."""

    def __init__(
        self, dataset: ObfuscatedDataset, new_label: NDArray[np.int64], card: DataCard
    ) -> None:
        super().__init__(Relabelled(dataset, new_label, card))
        self._dataset = dataset
        self._new_label = new_label
        self._index = np.flatnonzero(_relabelled(dataset, new_label) >= 0)
        self.obfuscations = dataset.obfuscations
        self.made_by = dataset.made_by
        self.fingerprint = dataset.fingerprint
        self.how = dataset.how
        self.files = dataset.files
        self.example_ids = [dataset.example_ids[index] for index in self._index.tolist()]

    @override
    def _open(self, name: str) -> Relabelled:
        return Relabelled(self._dataset.obfuscated(name), self._new_label, self.card)

    @override
    def parameters(self, name: str, index: int) -> str | None:
        return self._dataset.parameters(name, int(self._index[index]))


def _relabelled(dataset: Dataset, new_label: NDArray[np.int64]) -> NDArray[np.int64]:
    """(N,) The new label of each picture, or −1."""
    known = (dataset.labels >= 0) & (dataset.labels < len(new_label))
    return np.where(known, new_label[np.where(known, dataset.labels, 0)], -1)


def imagenet100_of(dataset: Dataset) -> Dataset:
    """The pictures of ImageNet's classes 0, 10, 20 … 990, labelled 0, 1, 2 … 99.

    Args:
        dataset: With ImageNet's labels.

    Raises:
        DataError: It has no picture of these classes.
    """
    new_label = np.full(_IMAGENET_CLASSES, -1)
    new_label[::IMAGENET100_EVERY] = np.arange(_IMAGENET_CLASSES // IMAGENET100_EVERY)
    part = _part_of(
        dataset,
        new_label,
        label_space="imagenet100",
        class_names=dataset.card.class_names[:_IMAGENET_CLASSES:IMAGENET100_EVERY],
        wanted="ImageNet100's classes (0, 10, 20 … 990 of ImageNet's)",
    )
    return _saying_what_is_left_out(part, dataset.card, "of ImageNet's 900 other classes")


def imagenet16_of(dataset: Dataset) -> Dataset:
    """The pictures of ImageNet's 207 classes that make up 16 super-classes, labelled by these.

    Args:
        dataset: With ImageNet's labels.

    Raises:
        DataError: It has no picture of these classes.
    """
    new_label = np.full(_IMAGENET_CLASSES, -1)
    for label, members in enumerate(super_classes().values()):
        new_label[list(members)] = label
    part = _part_of(
        dataset,
        new_label,
        label_space="imagenet16",
        class_names=super_class_names(),
        wanted="the 207 classes of ImageNet that make up the 16 super-classes (airplane, bear …)",
    )
    return _saying_what_is_left_out(part, dataset.card, "of no super-class")


def _part_of(
    dataset: Dataset,
    new_label: NDArray[np.int64],
    *,
    label_space: LabelSpace,
    class_names: tuple[str, ...],
    wanted: str,
) -> Dataset:
    """The pictures of some of ImageNet's 1,000 classes; numbers from 1,000 are of none."""
    card = replace(dataset.card, label_space=label_space, class_names=class_names)
    part = (
        RelabelledObfuscated(dataset, new_label, card)
        if isinstance(dataset, ObfuscatedDataset)
        else Relabelled(dataset, new_label, card)
    )
    if not part.card.images:
        raise DataError(
            f"{card.uri}: expected pictures of {wanted}, got {dataset.card.images:,} of other classes."
        )
    return part


def _saying_what_is_left_out(part: Dataset, whole: DataCard, of_what: str) -> Dataset:
    left_out = whole.images - part.card.images
    if left_out:
        note = f"left out, {of_what}: {left_out:,} of {whole.images:,} pictures"
        part.card = replace(part.card, notes=(*whole.notes, note))
    return part
