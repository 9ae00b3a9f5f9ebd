"""16-class-ImageNet: 16 super-classes that hold 207 of ImageNet's 1,000 classes.

Geirhos et al. 2018, *Generalisation in humans and deep neural networks*; as listed in *Benchmarking
Robustness to Adversarial Image Obfuscations* (Stimberg et al. 2023), section A.7.
"""

__all__ = ["super_class_index_of", "super_class_names", "super_classes"]

import json
import re
from collections.abc import Mapping, Sequence
from functools import cache
from importlib import resources
from types import MappingProxyType

_NOT_OF_A_WORD = re.compile(r"[\W_]+")


@cache
def super_classes() -> Mapping[str, tuple[int, ...]]:
    """Super-class → indices of its ImageNet classes, ascending, in the order of the labels 0 … 15."""
    file = resources.files("unforeseen.data").joinpath("imagenet16.json")
    groups: Mapping[str, list[int]] = json.loads(file.read_text(encoding="utf-8"))
    return MappingProxyType({name: tuple(members) for name, members in groups.items()})


def super_class_names() -> tuple[str, ...]:
    """The 16 super-classes in words, by label."""
    return tuple(super_classes())


def super_class_index_of(names: Sequence[str]) -> dict[str, int] | None:
    """Recognises the 16 super-classes, in any order.

    Args:
        names: Different names. Upper and lower case, and what stands between words, make no
            difference: folders can't be called ``Bottle / Jug``.

    Returns:
        Name → label; None unless the names are all 16 super-classes.
    """
    label_of = {_words(name): label for label, name in enumerate(super_classes())}
    if len(names) != len(label_of):
        return None
    found = {name: label_of[_words(name)] for name in names if _words(name) in label_of}
    return found if {*found.values()} == {*label_of.values()} else None


def _words(name: str) -> str:
    return _NOT_OF_A_WORD.sub(" ", name).strip().casefold()
