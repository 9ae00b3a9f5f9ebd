"""From names to numbers."""

import random

import numpy as np
import pytest

from unforeseen.data.class_labels import Labels, declared_labels, number_classes, read_labels
from unforeseen.data.label_spaces import (
    CIFAR10_CLASSES,
    imagenet_class_names,
    imagenet_wnids,
)
from unforeseen.errors import DataError
from unforeseen.uri import Uri

SOURCE = Uri.parse("table:x.csv")


def read(values: list[int | str | None]) -> Labels:
    return read_labels(SOURCE, values, "labels", lambda row: f"row {row}")


@pytest.mark.parametrize(
    "values", [[3, 0, 7], ["3", "0", "7"], [" 3", "0 ", "+7"], [3, "0", "007"]]
)
def test_whole_numbers_are_taken_as_they_stand(values: list[int | str | None]) -> None:
    labels = read(values)
    assert labels.labels.tolist() == [3, 0, 7]
    assert (labels.label_space, labels.class_names) == (None, ())


def test_ten_comes_after_two_where_labels_are_numbers_in_text() -> None:
    """Pitfall 18: numeric names sorted as text."""
    assert read([str(label) for label in range(11)]).labels.tolist() == list(range(11))


def test_names_count_in_the_order_of_their_code_points_whatever_the_rows() -> None:
    labels = read(["dog", "cat", "dog", "Ant"])
    assert labels.labels.tolist() == [2, 1, 2, 0]
    assert labels.class_names == ("Ant", "cat", "dog")


def test_composed_and_decomposed_accents_are_one_class() -> None:
    labels = read(["caf\u00e9", "cafe\u0301", "bar"])
    assert labels.labels.tolist() == [1, 1, 0]
    assert labels.class_names == ("bar", "caf\u00e9")


def test_cifars_ten_names_get_cifars_numbers() -> None:
    names = list(reversed(CIFAR10_CLASSES))
    labels = read(list(names))
    assert labels.label_space == "cifar10"
    assert labels.labels.tolist() == list(reversed(range(10)))


def test_wnids_get_imagenets_numbers_also_where_few_are_there() -> None:
    labels = read(["n15075141", "n01440764", "n02099601"])
    assert labels.labels.tolist() == [999, 0, 207]
    assert labels.label_space == "imagenet"
    assert labels.class_names == imagenet_class_names()


def test_imagenets_thousand_classes_in_words_get_imagenets_numbers_in_any_order() -> None:
    order = list(range(1000))
    random.Random(0).shuffle(order)
    labels = read([imagenet_class_names()[label] for label in order])
    assert labels.labels.tolist() == order
    assert labels.label_space == "imagenet"


def test_some_of_imagenets_words_are_ones_own_classes() -> None:
    labels = read([*imagenet_class_names()[5:15]])
    assert labels.label_space is None
    assert labels.class_names == tuple(sorted(imagenet_class_names()[5:15]))


@pytest.mark.parametrize(
    "words", [" tench", "_goldfish", "-great white shark", ", \u00e9", "/x", "\n"]
)
def test_words_behind_a_wnid_change_nothing(words: str) -> None:
    """Pitfall 18: numbered in the order of their names, a subset would get other labels."""
    labels = read([f"n15075141{words}", "n01440764_one", f"n02099601{words}", "n01440764 two"])
    assert labels.labels.tolist() == [999, 0, 207, 0]
    assert labels.label_space == "imagenet"


@pytest.mark.parametrize("name", ["n01440764x", "n014407641", "an01440764", "n01440764\u00e9"])
def test_what_only_looks_like_a_wnid_is_a_word(name: str) -> None:
    labels = read([name, "zebra"])
    assert (labels.label_space, labels.class_names) == (None, tuple(sorted([name, "zebra"])))


def test_it_is_said_where_numbers_in_names_count_otherwise() -> None:
    """Pitfall 18: numbers in names, sorted as text."""
    labels = read([f"class_{number}" for number in range(11)])
    assert labels.labels.tolist() == [0, 1, 3, 4, 5, 6, 7, 8, 9, 10, 2]
    (note,) = labels.notes
    assert "class_10 is 2 and class_2 is 3" in note
    declared = declared_labels(np.array([0]), ["1", "10", "2"])
    assert "10 is 1 and 2 is 2" in declared.notes[0]


@pytest.mark.parametrize(
    "names",
    [
        [f"class_{number}" for number in range(10)],
        [f"class_{number:02d}" for number in range(11)],
        ["cat", "cat food", "cat2", "cat:3", "dog"],
        ["a01", "a1", "a2"],
        ["a1b9", "a2b10", "a2b11"],
    ],
)
def test_nothing_is_said_where_names_as_text_and_by_number_have_one_order(names: list[str]) -> None:
    assert number_classes(SOURCE, names, "class folders").notes == ()


def test_nothing_is_said_of_declared_names_in_an_order_of_their_own() -> None:
    assert declared_labels(np.array([0]), ["class_2", "class_10", "class_1"]).notes == ()


@pytest.mark.parametrize(
    "nothing", ["NA", "n/a", "NaN", "null", "NULL", "<NA>", "#N/A", "\\N", " nan "]
)
def test_what_programs_write_for_nothing_is_no_class(nothing: str) -> None:
    with pytest.raises(DataError, match=r"1 of 3 have none, the first of them row 1, which says"):
        read(["cat", nothing, "dog"])
    with pytest.raises(DataError, match=r"1 of 2 have none, the first of them row 1, which says"):
        read(["7", nothing])


def test_none_is_a_class_as_none_of_the_above() -> None:
    assert read(["none", "weapon"]).class_names == ("none", "weapon")


@pytest.mark.parametrize(
    ("values", "message"),
    [
        (["cat", None, " ", "dog"], "2 of 4 have none, the first of them row 1"),
        ([1, 2, "cat"], "row 0 has 1, but row 2 has 'cat'"),
        (["10.0", "2.0"], "row 0 has '10.0'"),
        (["cat", "1e3"], "row 1 has '1e3'"),
        (["\u0661\u0660", "\u0662"], "row 0 has"),
        (["n01440764 tench", "cat"], "besides n01440764 tench there are cat"),
        (["n01440764", "n00000001 x"], "not among the 1,000 classes of ImageNet-1k: n00000001 x"),
        (["9" * 30, "cat"], "row 0 has '999"),
        ([0, -1], "from 0, got -1 for row 1"),
        (["n01440764", "cat"], "besides n01440764 there are cat"),
        (["n01440764", "n00000001"], "not among the 1,000 classes of ImageNet-1k: n00000001"),
    ],
)
def test_labels_that_do_not_say_their_class_are_refused_and_the_row_is_named(
    values: list[int | str | None], message: str
) -> None:
    with pytest.raises(DataError, match=message):
        read(values)


def test_a_declared_list_of_wnids_gives_imagenets_numbers() -> None:
    chosen = imagenet_wnids()[3::97]
    for names in (chosen, [f"{wnid} in words" for wnid in chosen]):
        labels = declared_labels(np.array([2, 0]), names)
        assert labels.labels.tolist() == [3 + 2 * 97, 3]
        assert labels.label_space == "imagenet"


@pytest.mark.parametrize(
    "names", [(), ("bad", "ok"), ("n01440764", "ok"), ("n00000001", "n00000002")]
)
def test_declared_names_of_ones_own_leave_the_numbers(names: tuple[str, ...]) -> None:
    labels = declared_labels(np.array([1, 0]), names)
    assert labels.labels.tolist() == [1, 0]
    assert (labels.label_space, labels.class_names) == (None, names)


def test_numbering_gives_every_spelling_its_number() -> None:
    classes = number_classes(SOURCE, ["e\u0301", "\u00e9", "z"], "class folders")
    assert classes.label_of == {"e\u0301": 1, "\u00e9": 1, "z": 0}
