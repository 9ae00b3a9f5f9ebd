"""From what a data set calls its classes to numbers: WNIDs, words, or numbers as they stand."""

__all__ = [
    "ClassLabels",
    "Labels",
    "declared_labels",
    "is_number",
    "number_classes",
    "read_labels",
]

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import pairwise
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from unforeseen.data.file_names import first_names, portable
from unforeseen.data.label_spaces import (
    imagenet_class_names,
    imagenet_index_of,
    imagenet_wnids,
    label_space_of,
)
from unforeseen.data.super_classes import super_class_index_of, super_class_names
from unforeseen.errors import DataError
from unforeseen.label_space import LabelSpace
from unforeseen.uri import Uri

# Alone, or before words: "n01440764 tench", "n02085620-Chihuahua".
_WNID = re.compile(r"(n[0-9]{8})([\W_].*)?", re.DOTALL)
_WHOLE_NUMBER = re.compile(r"[+-]?[0-9]{1,18}")
_NUMBER = re.compile(r"[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?")
_DIGITS = re.compile(r"\d+")
# What pandas, R, spreadsheets and data bases write for a value that isn't there.
_MISSING = frozenset({"", "na", "n/a", "#n/a", "<na>", "nan", "null", "\\n"})


class ClassLabels(NamedTuple):
    """What the classes are and which number each name has.

    Attributes:
        label_space: ImageNet's, that of its super-classes or CIFAR-10's, if the names say so.
        class_names: Label → words.
        label_of: Name as the data set writes it → label.
        notes: What the user should be told.
    """

    label_space: LabelSpace | None
    class_names: tuple[str, ...]
    label_of: Mapping[str, int]
    notes: tuple[str, ...] = ()


class Labels(NamedTuple):
    """One label per picture.

    Attributes:
        labels: (N,)
        label_space: As of :class:`ClassLabels`.
        class_names: Likewise; empty where the data set gives numbers.
        notes: Likewise.
    """

    labels: NDArray[np.int64]
    label_space: LabelSpace | None
    class_names: tuple[str, ...]
    notes: tuple[str, ...] = ()


def is_number(name: str) -> bool:
    """Whether a name is a number, such as 10, -1, 0.05 or 1e3, which sorts otherwise as text."""
    return _NUMBER.fullmatch(name) is not None


def number_classes(uri: Uri, names: Iterable[str], things: str) -> ClassLabels:
    """Gives each name its number.

    WNIDs get ImageNet's, whichever of the 1,000 are there, also with words behind them; so do
    ImageNet's 1,000 classes in words, and its 16 super-classes. Other names count from 0 in the order of their code points,
    which is CIFAR-10's for its ten; a note says where numbers in them would count otherwise.

    Args:
        uri: Of the data, for messages.
        names: The classes, in any order.
        things: What carries the names, for messages, such as "class folders".

    Raises:
        DataError: Some are WNIDs and some aren't, or WNIDs that aren't ImageNet-1k's.
    """
    spellings: dict[str, list[str]] = {}
    for name in names:
        spellings.setdefault(portable(name), []).append(name)
    words = sorted(spellings)
    wnid_of = {name: wnid for name in words if (wnid := _wnid(name))}
    if wnid_of:
        return _number_wnids(uri, wnid_of, spellings, things)
    indices = imagenet_index_of(words)
    if indices is not None:
        return ClassLabels(
            "imagenet",
            imagenet_class_names(),
            {each: indices[word] for word in words for each in spellings[word]},
        )
    indices = super_class_index_of(words)
    if indices is not None:
        return ClassLabels(
            "imagenet16",
            super_class_names(),
            {each: indices[word] for word in words for each in spellings[word]},
        )
    return ClassLabels(
        label_space_of(words),
        tuple(words),
        {each: label for label, word in enumerate(words) for each in spellings[word]},
        _order_note(words),
    )


def read_labels(
    uri: Uri, values: Sequence[int | str | None], things: str, name_of: Callable[[int], str]
) -> Labels:
    """Labels of pictures from what the data set says of each.

    Whole numbers are taken as they stand, also as text; names are numbered by
    :func:`number_classes`.

    Args:
        uri: Of the data, for messages.
        values: Per picture; None, blank, or a word such as NA, NaN or null where nothing is said.
        things: What the values are, for messages, such as "labels in column 'class'".
        name_of: What a picture is called in a message.

    Raises:
        DataError: A picture without a label, numbers and names mixed, or as above.
    """
    texts = ["" if value is None else str(value).strip() for value in values]
    missing = [index for index, text in enumerate(texts) if text.casefold() in _MISSING]
    if missing:
        said = texts[missing[0]]
        raise DataError(
            f"{uri.text!r}: expected {things} for every picture; {len(missing)} of {len(texts)} have "
            f"none, the first of them {name_of(missing[0])}{f', which says {said}' if said else ''}. "
            "Label them or leave them out."
        )
    numeric = [bool(_WHOLE_NUMBER.fullmatch(text)) for text in texts]
    if all(numeric):
        return Labels(_checked_numbers(uri, texts, things, name_of), None, ())
    if any(numeric):
        number, word = numeric.index(True), numeric.index(False)
        raise DataError(
            f"{uri.text!r}: expected {things} that are all whole numbers or all names; "
            f"{name_of(number)} has {texts[number]}, but {name_of(word)} has {texts[word]!r:.80}."
        )
    broken = next((row for row, text in enumerate(texts) if is_number(text)), None)
    if broken is not None:
        raise DataError(
            f"{uri.text!r}: expected {things} that are whole numbers or names; {name_of(broken)} has "
            f"{texts[broken]!r:.80}. Sorted as names, 10.0 would come before 2.0."
        )
    classes = number_classes(uri, set(texts), things)
    labels = np.array([classes.label_of[text] for text in texts], dtype=np.int64)
    return Labels(labels, classes.label_space, classes.class_names, classes.notes)


def declared_labels(labels: NDArray[np.int64], names: Sequence[str]) -> Labels:
    """Labels of a data set that declares the name of each number.

    Where all names are WNIDs of ImageNet-1k, labels become ImageNet's, as those of class folders do;
    otherwise they stay.

    Args:
        labels: (N,) from 0.
        names: Label → name; may be empty.
    """
    index_of = {wnid: index for index, wnid in enumerate(_wnids_for(names))}
    if index_of and len(labels) and int(labels.max()) < len(names):
        place = np.array([index_of[_wnid(name)] for name in names], dtype=np.int64)
        return Labels(place[labels], "imagenet", imagenet_class_names())
    return Labels(labels, label_space_of(names), tuple(names), _order_note(names))


def _wnid(name: str) -> str:
    """The WNID that a name is or begins with; else empty."""
    found = _WNID.fullmatch(name)
    return found[1] if found else ""


def _wnids_for(names: Sequence[str]) -> tuple[str, ...]:
    """ImageNet's WNIDs, or none where some of the names are others; most data need no table."""
    if not names or not all(map(_wnid, names)):
        return ()
    return imagenet_wnids() if set(map(_wnid, names)) <= set(imagenet_wnids()) else ()


def _order_note(names: Sequence[str]) -> tuple[str, ...]:
    """A note where names are in the order of their text, and numbers in them say another."""
    if list(names) != sorted(names):
        return ()
    by_number = [_DIGITS.sub(_with_length, name) for name in names]
    for label, (one, other) in enumerate(pairwise(by_number)):
        if one > other:
            note = (
                f"classes are numbered by their names as text: {portable(names[label])} is {label} "
                f"and {portable(names[label + 1])} is {label + 1}; a model that counts them by number "
                "needs labels as numbers, for example in a table"
            )
            return (note,)
    return ()


def _with_length(digits: re.Match[str]) -> str:
    """Digits that sort as their number does: behind how many they are."""
    number = digits[0].lstrip("0")
    return f"{len(number):08d}{number}"


def _checked_numbers(
    uri: Uri, texts: Sequence[str], things: str, name_of: Callable[[int], str]
) -> NDArray[np.int64]:
    labels = np.array([int(text) for text in texts], dtype=np.int64)
    negative = np.flatnonzero(labels < 0)
    if len(negative):
        raise DataError(
            f"{uri.text!r}: expected {things} from 0, got {labels[negative[0]]} for "
            f"{name_of(int(negative[0]))}. Unlabelled test sets carry -1: use labelled pictures."
        )
    return labels


def _number_wnids(
    uri: Uri, wnid_of: Mapping[str, str], spellings: Mapping[str, Sequence[str]], things: str
) -> ClassLabels:
    others = [name for name in sorted(spellings) if name not in wnid_of]
    if others:
        raise DataError(
            f"{uri.text!r}: expected {things} named either all by WNIDs or none; besides "
            f"{first_names(list(wnid_of))} there are {first_names(others)}. Take the latter out."
        )
    index_of = {wnid: index for index, wnid in enumerate(imagenet_wnids())}
    strangers = [name for name, wnid in wnid_of.items() if wnid not in index_of]
    if strangers:
        raise DataError(
            f"{uri.text!r}: not among the 1,000 classes of ImageNet-1k: "
            f"{first_names(strangers)}. Take these out, or name the classes by words to number them "
            "from 0."
        )
    return ClassLabels(
        "imagenet",
        imagenet_class_names(),
        {each: index_of[wnid] for name, wnid in wnid_of.items() for each in spellings[name]},
    )
