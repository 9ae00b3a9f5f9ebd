"""The 16 super-classes of ImageNet."""

import pytest

from unforeseen.data.class_labels import number_classes
from unforeseen.data.label_spaces import imagenet_class_names
from unforeseen.data.super_classes import (
    super_class_index_of,
    super_class_names,
    super_classes,
)
from unforeseen.uri import Uri


def test_207_of_imagenets_classes_are_in_one_super_class_each() -> None:
    members = [index for group in super_classes().values() for index in group]
    assert (len(super_classes()), len(members), len(set(members))) == (16, 207, 207)
    assert all(0 <= index < 1000 for index in members)


@pytest.mark.parametrize(
    ("word", "super_class"),
    [
        ("airliner", "Airplane"),
        ("goldfinch", "Bird"),
        ("Egyptian cat", "Cat / Cougar"),
        ("golden retriever", "Dog"),
        ("African elephant", "Elephant"),
        ("water jug", "Bottle / Jug"),
        ("typewriter keyboard", "Keyboard / Typewriter"),
        ("rotisserie", "Rotisserie"),
    ],
)
def test_classes_are_in_the_super_class_that_their_words_say(word: str, super_class: str) -> None:
    assert imagenet_class_names().index(word) in super_classes()[super_class]


def test_the_published_evaluations_own_expectation() -> None:
    label_of = {
        member: label
        for label, members in enumerate(super_classes().values())
        for member in members
    }
    assert [label_of[raw] for raw in [11, 440, 409, 294, 15]] == [3, 5, 9, 1, 3]


def test_folders_named_like_super_classes_have_their_numbers_whatever_their_order() -> None:
    """Pitfall 18: sorted as text, Cleaver comes before Clock."""
    folders = [name.replace(" / ", "_").lower() for name in super_class_names()]
    numbered = number_classes(Uri.parse("folder"), sorted(folders), "class folders")
    assert numbered.label_space == "imagenet16"
    assert numbered.class_names == super_class_names()
    assert [numbered.label_of[folder] for folder in folders] == list(range(16))
    assert numbered.notes == ()


@pytest.mark.parametrize(
    "names",
    [
        super_class_names()[:-1],
        (*super_class_names(), "Toaster"),
        (*super_class_names()[:-1], "Toaster"),
        (*super_class_names()[:-1], "airplane"),
    ],
)
def test_other_classes_are_not_taken_for_super_classes(names: tuple[str, ...]) -> None:
    assert super_class_index_of(names) is None
