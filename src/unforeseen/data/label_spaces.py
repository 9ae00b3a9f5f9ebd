"""The label orders that benchmarks know: ImageNet-1k's, parts of it, and CIFAR-10's.

ImageNet's WNIDs and words come from the tables in timm, which takes seconds to import and is
therefore imported only when asked for.
"""

__all__ = [
    "CIFAR10_CLASSES",
    "IMAGENET100_EVERY",
    "class_names_of",
    "imagenet_class_names",
    "imagenet_index_of",
    "imagenet_wnids",
    "label_space_of",
]

from collections import Counter
from collections.abc import Sequence
from functools import cache

from unforeseen.data.super_classes import super_class_index_of, super_class_names
from unforeseen.label_space import LabelSpace

CIFAR10_CLASSES = (
    "airplane",
    "automobile",
    "bird",
    "cat",
    "deer",
    "dog",
    "frog",
    "horse",
    "ship",
    "truck",
)

#: ImageNet100 is every tenth class of ImageNet.
IMAGENET100_EVERY = 10

_IMAGENET_CLASSES = 1000
# Lists of ImageNet's words differ in spelling here and there; another order agrees nowhere near.
_NAMES_THAT_MUST_AGREE = 950


@cache
def imagenet_wnids() -> tuple[str, ...]:
    """The 1,000 WordNet ids (``n01440764`` …) by class index."""
    return tuple(_timm_descriptions())


@cache
def imagenet_class_names() -> tuple[str, ...]:
    """The 1,000 classes in words by class index: the first lemma of each synset.

    The few synsets that share it (two are called ``crane``) carry their WNID behind it.
    """
    words = {wnid: _first_lemma(text) for wnid, text in _timm_descriptions().items()}
    times = Counter(words.values())
    return tuple(word if times[word] == 1 else f"{word} ({wnid})" for wnid, word in words.items())


def class_names_of(space: LabelSpace) -> tuple[str, ...]:
    """The classes of a label space in words, by class index."""
    if space == "cifar10":
        return CIFAR10_CLASSES
    if space == "imagenet16":
        return super_class_names()
    return imagenet_class_names()[:: 1 if space == "imagenet" else IMAGENET100_EVERY]


def imagenet_index_of(names: Sequence[str]) -> dict[str, int] | None:
    """Recognises ImageNet's 1,000 classes in words, in any order.

    Args:
        names: Different names: the first lemma of each synset as of :func:`imagenet_class_names`,
            or all its lemmas separated by commas.

    Returns:
        Name → class index; None unless the names are all 1,000 classes.
    """
    if len(names) != _IMAGENET_CLASSES:
        return None
    index_of = {name: index for index, name in enumerate(imagenet_class_names())}
    index_of |= {text: index for index, text in enumerate(_timm_descriptions().values())}
    found = {name: index_of[name] for name in names if name in index_of}
    return found if len(set(found.values())) == _IMAGENET_CLASSES else None


def label_space_of(names: Sequence[str]) -> LabelSpace | None:
    """Recognises a label space by its class names in order; never by their number alone.

    Args:
        names: Label → name, as a data set declares them: words, or ImageNet's WNIDs.
    """
    if tuple(names) == CIFAR10_CLASSES:
        return "cifar10"
    super_class_of = super_class_index_of(names)
    if super_class_of is not None:
        return "imagenet16" if [*super_class_of.values()] == [*range(len(names))] else None
    if len(names) == _IMAGENET_CLASSES // IMAGENET100_EVERY:
        tenth = (imagenet_wnids()[::IMAGENET100_EVERY], class_names_of("imagenet100"))
        return "imagenet100" if tuple(names) in tenth else None
    if len(names) != _IMAGENET_CLASSES:
        return None
    if tuple(names) == imagenet_wnids():
        return "imagenet"
    lemmas = [_first_lemma(text).lower() for text in _timm_descriptions().values()]
    agreeing = sum(
        _first_lemma(name).lower() == lemma for name, lemma in zip(names, lemmas, strict=True)
    )
    return "imagenet" if agreeing >= _NAMES_THAT_MUST_AGREE else None


@cache
def _timm_descriptions() -> dict[str, str]:
    """WNID → lemmas separated by commas, in the order of the class indices."""
    from timm.data.imagenet_info import ImageNetInfo  # noqa: PLC0415 - takes seconds; most data need it not

    info = ImageNetInfo("imagenet-1k")
    wnids = [info.index_to_label_name(index) for index in range(_IMAGENET_CLASSES)]
    return {wnid: info.label_name_to_description(wnid) for wnid in wnids}


def _first_lemma(description: str) -> str:
    return description.partition(",")[0].strip()
