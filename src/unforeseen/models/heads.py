"""What happens between a model's outputs and a benchmark's classes.

A head maps a model's outputs to classes: each class is one output, or a group of them. It is
applied before argmax, top-k and every loss, so attacks see through it.

The probability of a group is the sum of its members' probabilities, or their mean as in
*Benchmarking Robustness to Adversarial Image Obfuscations* (Stimberg et al. 2023), where groups
are super-classes of ImageNet.
"""

__all__ = ["HEADS", "Combine", "Head", "HeadScheme", "load_head"]

import hashlib
import json
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from types import MappingProxyType
from typing import Literal

from unforeseen.data.label_spaces import IMAGENET100_EVERY
from unforeseen.data.super_classes import super_classes
from unforeseen.errors import ModelError, UnknownNameError, UserError, shown
from unforeseen.models.cards import ModelCard
from unforeseen.models.head_files import REST, ClassGroups, read_groups
from unforeseen.uri import Uri

#: What becomes of the probabilities of a group's members.
Combine = Literal["sum", "mean"]

_WITH_BACKGROUND = 1001
_COUNT = re.compile(r"[1-9][0-9]{0,8}")


@dataclass(frozen=True, kw_only=True)
class Head:
    """Which outputs make up which class.

    The score of a class is z of its output; of a group g, log Σ exp(z_i) over its members i, less
    log |g| where their mean is wanted. That is the logarithm of the group's probability but for a
    constant per picture, which softmax takes out. So probabilities are shares among the classes
    that the head has: what no group names is left out of all.

    Attributes:
        name: For people.
        outputs: How many outputs the model must have.
        groups: Per class, the indices of its outputs; no output is in two.
        combine: ``sum`` or ``mean`` of the members' probabilities.
        class_names: One per class, or empty where the model's own names stay.
        keeps_accuracy: Whether an accuracy stated for the model holds with this head too.
    """

    name: str
    outputs: int
    groups: tuple[tuple[int, ...], ...]
    combine: Combine = "sum"
    class_names: tuple[str, ...] = ()
    keeps_accuracy: bool = False

    @cached_property
    def mapping(self) -> str:
        """32 hex digits of SHA-256 of all that changes results; names don't."""
        single = all(len(group) == 1 for group in self.groups)
        content = [self.outputs, self.groups, "sum" if single else self.combine]
        return hashlib.sha256(json.dumps(content).encode()).hexdigest()[:32]


@dataclass(frozen=True, kw_only=True)
class HeadScheme:
    """A head that has a name.

    Attributes:
        make: Makes it.
        description: One line for lists.
    """

    make: Callable[[], Head]
    description: str


def _imagenet1001() -> Head:
    return Head(
        name="imagenet1001",
        outputs=_WITH_BACKGROUND,
        groups=tuple((index,) for index in range(1, _WITH_BACKGROUND)),
        keeps_accuracy=True,
    )


def _imagenet100() -> Head:
    return Head(
        name="imagenet100",
        outputs=1000,
        groups=tuple((index,) for index in range(0, 1000, IMAGENET100_EVERY)),
    )


def _imagenet16() -> Head:
    """Section 3.1 of the paper: the mean, so that many classes make no super-class likelier."""
    groups = super_classes()
    return Head(
        name="imagenet16",
        outputs=1000,
        groups=tuple(groups.values()),
        combine="mean",
        class_names=tuple(groups),
    )


HEADS: Mapping[str, HeadScheme] = MappingProxyType(
    {
        "imagenet100": HeadScheme(
            make=_imagenet100,
            description="of ImageNet's 1,000 classes the 100 that imagenet100-ua is about",
        ),
        "imagenet16": HeadScheme(
            make=_imagenet16,
            description="of ImageNet's 1,000 classes 207 in 16 super-classes, by their mean",
        ),
        "imagenet1001": HeadScheme(
            make=_imagenet1001,
            description="drops output 0 of 1,001, which is a background class",
        ),
    }
)


def load_head(text: str, card: ModelCard, outputs: int) -> Head:
    """Makes a head for a model.

    Args:
        text: A name in :data:`HEADS`, or the path of a ``.csv`` or ``.json`` file of groups (see
            :mod:`unforeseen.models.head_files`) with the options ``combine=sum`` (default) or
            ``combine=mean``, and ``outputs=N``, which says how many outputs it is meant for.
        card: The model's; its class names can be used in the file.
        outputs: How many outputs the model has.

    Raises:
        UnknownNameError: Neither a name nor such a path.
        ModelError: The file can't be used, or it is meant for another number of outputs.
        UserError: An option is malformed.
    """
    if text in HEADS:
        head = HEADS[text].make()
        if head.outputs != outputs:
            advice = f"Leave the head out, or give one for {outputs:,} outputs (--head FILE)."
            if outputs == _WITH_BACKGROUND:
                advice = (
                    f"Give --head imagenet1001 --head {text}: the former drops a background output."
                )
            raise ModelError(
                f"head {text}: expected a model of {head.outputs:,} outputs; {card.uri} has "
                f"{outputs:,}. {advice}"
            )
        return head
    uri = Uri.parse(text)
    if uri.scheme or not uri.path.lower().endswith((".csv", ".json")):
        raise UnknownNameError(
            "head", text, HEADS, hint="Or give the path of a .csv or .json file, class → group."
        )
    uri.expect_options(["combine", "outputs"])
    combine = uri.options.get("combine", "sum")
    if combine not in ("sum", "mean"):
        raise UserError(f"{text!r}: combine: expected sum or mean, got {combine!r}.")
    _check_outputs(uri, card, outputs)
    groups = read_groups(uri.path)
    return Head(
        name=text,
        outputs=outputs,
        groups=_resolved(uri.path, groups, card, outputs),
        combine="mean" if combine == "mean" else "sum",
        class_names=tuple(groups),
    )


def _check_outputs(uri: Uri, card: ModelCard, outputs: int) -> None:
    meant = uri.options.get("outputs")
    if meant is not None and not _COUNT.fullmatch(meant):
        raise UserError(
            f"{uri.text!r}: outputs: expected a number such as 1000, got {shown(meant)}."
        )
    if meant is None and outputs == _WITH_BACKGROUND:
        raise ModelError(
            f"{uri.path}: {card.uri} has 1,001 outputs, of which the first is usually a background "
            f"class. Give --head imagenet1001 --head {uri.text} if the file counts ImageNet's "
            f"classes from 0, or {uri.path}?outputs=1001 if it counts the outputs."
        )
    if meant is not None and meant != str(outputs):
        raise ModelError(
            f"{uri.text}: meant for a model of {meant} outputs; {card.uri} has {outputs:,}."
        )


def _resolved(
    name: str, groups: ClassGroups, card: ModelCard, outputs: int
) -> tuple[tuple[int, ...], ...]:
    """Indices of each group's outputs."""
    indices_of = _by_name(card.class_names)
    group_of: dict[int, str] = {}
    for group, members in groups.items():
        for member in members:
            if member == REST:
                continue
            index = _index_of(name, member, card, outputs, indices_of)
            if index in group_of:
                raise ModelError(
                    f"{name}: expected each class in one group, once; got class {member!r} in "
                    f"{group_of[index]!r} and in {group!r}."
                )
            group_of[index] = group
    rest = [group for group, members in groups.items() if REST in members]
    if len(rest) > 1:
        raise ModelError(f"{name}: expected one group at most with {REST!r}, got {len(rest)}.")
    indices: dict[str, list[int]] = {group: [] for group in groups}
    for index in range(outputs):
        if index in group_of or rest:
            indices[group_of.get(index) or rest[0]].append(index)
    for group, found in indices.items():
        if not found:
            raise ModelError(f"{name}: group {group!r}: expected a class that is left for it.")
    return tuple(map(tuple, indices.values()))


def _by_name(class_names: Sequence[str]) -> Mapping[str, Sequence[int]]:
    """The indices of all classes of a name; two may have the same."""
    indices_of: dict[str, list[int]] = {}
    for index, name in enumerate(class_names):
        indices_of.setdefault(name, []).append(index)
    return indices_of


def _index_of(
    name: str,
    member: int | str,
    card: ModelCard,
    outputs: int,
    indices_of: Mapping[str, Sequence[int]],
) -> int:
    if isinstance(member, int):
        if not 0 <= member < outputs:
            raise ModelError(
                f"{name}: expected class indices from 0 to {outputs - 1:,}, as {card.uri} has "
                f"{outputs:,} outputs; got {str(member)[:40]}."
            )
        return member
    if not card.class_names:
        raise ModelError(
            f"{name}: {card.uri} doesn't say what its classes are called: give indices from 0 "
            f"instead of names such as {member[:60]!r}."
        )
    indices = indices_of.get(member, ())
    if not indices:
        raise UnknownNameError(f"class of {card.uri} in {name}:", member[:60], card.class_names)
    if len(indices) > 1:
        raise ModelError(
            f"{name}: {len(indices)} classes of {card.uri} are called {member!r}; give their "
            "indices."
        )
    return indices[0]
