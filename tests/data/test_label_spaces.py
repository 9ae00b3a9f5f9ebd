"""The label orders that benchmarks know."""

import pytest

from unforeseen.data.label_spaces import (
    CIFAR10_CLASSES,
    class_names_of,
    imagenet_class_names,
    imagenet_wnids,
    label_space_of,
)
from unforeseen.data.super_classes import super_class_names
from unforeseen.label_space import LABEL_SPACES, LabelSpace


def test_imagenet_indices_are_the_well_known_ones() -> None:
    wnids, names = imagenet_wnids(), imagenet_class_names()
    assert (wnids[0], names[0]) == ("n01440764", "tench")
    assert names[207] == "golden retriever"
    assert wnids[999] == "n15075141"


def test_wnids_are_in_ascending_order_as_in_the_challenge() -> None:
    assert list(imagenet_wnids()) == sorted(imagenet_wnids())


def test_imagenet_class_names_are_distinct() -> None:
    assert len(set(imagenet_class_names())) == 1000


def test_cifar10_classes_are_alphabetical_so_that_sorted_folders_get_their_labels() -> None:
    assert list(CIFAR10_CLASSES) == sorted(CIFAR10_CLASSES)
    assert len(CIFAR10_CLASSES) == 10


def test_label_spaces_are_recognised_by_names_in_order() -> None:
    assert label_space_of(CIFAR10_CLASSES) == "cifar10"
    assert label_space_of(imagenet_wnids()) == "imagenet"
    assert label_space_of(imagenet_class_names()) == "imagenet"
    assert label_space_of(imagenet_wnids()[::10]) == "imagenet100"
    assert label_space_of(imagenet_class_names()[::10]) == "imagenet100"
    assert label_space_of(super_class_names()) == "imagenet16"


def test_other_orders_and_bare_counts_are_not_recognised() -> None:
    assert label_space_of(CIFAR10_CLASSES[::-1]) is None
    assert label_space_of([str(label) for label in range(10)]) is None
    assert label_space_of(imagenet_class_names()[::-1]) is None
    assert label_space_of(sorted(super_class_names())) is None
    assert label_space_of([]) is None
    assert label_space_of(imagenet_class_names()[:100]) is None


@pytest.mark.parametrize("space", LABEL_SPACES)
def test_class_names_are_as_many_as_the_label_space_has_classes(space: LabelSpace) -> None:
    names = class_names_of(space)
    assert len(names) == LABEL_SPACES[space]
    assert label_space_of(names) == space
