"""Are the labels numbered as the model numbers its classes? Seen in the predictions alone."""

__all__ = ["GAIN", "Order", "label_order_evidence", "other_orders"]

from collections.abc import Sequence
from typing import NamedTuple

import torch
from torch import Tensor

from unforeseen.check.findings import Evidence, Finding, Measurement
from unforeseen.check.kappa import kappa
from unforeseen.check.right import is_better_on_several_labels, predictions

#: What another order must gain to be named, and half of it in Cohen's kappa.
GAIN = 0.2
_NO_CLASS = -2
#: Pictures of a label that it takes to say what the model mostly calls it.
_ENOUGH = 3
#: Share of the labels that must be called by names of their own: a model that always says the
#: same is consistent too.
_DISTINCT = 0.8


class Order(NamedTuple):
    """A mistake that is made when classes are numbered.

    Attributes:
        cause: What was done.
        classes: The class that each label then stands for.
    """

    cause: str
    classes: Sequence[int]


def other_orders(classes: int, labels: int, names: Sequence[str] = ()) -> list[Order]:
    """The orders that are tried; one cause may have several.

    Args:
        classes: Number of the model's outputs.
        labels: Highest label plus 1.
        names: The classes in words by label, where known.
    """
    orders = [
        Order(
            "each label is one too low: the model's first output is no class of the data "
            "(background?)",
            [label + 1 for label in range(labels)],
        ),
        Order(
            "each label is one too high: labels start at 1, or the data have a class that the "
            "model lacks",
            [label - 1 if label else _NO_CLASS for label in range(labels)],
        ),
    ]
    # The highest labels may be missing among the pictures, or the model may have more classes.
    for count in dict.fromkeys((classes, labels)):
        as_text = sorted(range(count), key=str)
        orders += _both_ways(
            as_text,
            "the data's classes were numbered in the order of their numbers as text (0, 1, 10, 2)",
            "the model's classes were numbered in the order of their numbers as text (0, 1, 10, 2)",
        )
    if len(names) >= labels:
        alphabetical = sorted(range(len(names)), key=lambda label: names[label])
        orders += _both_ways(
            alphabetical,
            "the data's classes were numbered in alphabetical order, and the model's were not",
            "the model's classes were numbered in alphabetical order, and the data's were not",
        )
    return [order for order in orders if list(order.classes) != list(range(len(order.classes)))]


def label_order_evidence(
    logits: Tensor,
    labels: Tensor,
    *,
    names: Sequence[str] = (),
    model_names: Sequence[str] = (),
) -> Evidence:
    """Looks for an order of classes that fits the predictions far better.

    Args:
        logits: (N, classes).
        labels: (N,).
        names: The data's classes in words by label, where known.
        model_names: The model's, likewise.
    """
    said = predictions(logits)
    usual = said == labels
    best, best_cause = usual, ""
    highest = int(labels.max())
    read = [
        (order.cause, torch.tensor(order.classes)[labels])
        for order in other_orders(logits.shape[1], highest + 1, names or model_names)
        if len(order.classes) > highest
    ]
    # Always naming one class fits an order as well as that class is common.
    candidates = [
        (cause, said == classes)
        for cause, classes in read
        if kappa(said, classes) >= max(0.0, kappa(said, labels)) + GAIN / 2
    ]
    # Last, so that of equally good ones the cause that says more is named.
    candidates.append(
        (
            "most labels stand for another class than the model's, each always for the same",
            _consistent(said, labels),
        )
    )
    for cause, right in candidates:
        if right.sum() > best.sum() and is_better_on_several_labels(
            right, usual, labels, gain=GAIN
        ):
            best, best_cause = right, cause
    if best_cause:
        accuracy = float(best.float().mean())
        finding = Finding(
            kind="suspicious",
            about="label order",
            seen=f"It looks as if {best_cause}. Read so, {100 * accuracy:.1f} % of {len(labels)} "
            f"pictures are classified right instead of {100 * float(usual.float().mean()):.1f} %.",
            advice="Renumber the labels, or reorder the model's outputs.",
        )
        measured = Measurement("best_order_accuracy", accuracy, len(labels))
        return Evidence((finding,), (), (measured,))
    return _names_evidence(names, model_names, accurate=bool(usual.float().mean() > 0.5))


def _both_ways(order: Sequence[int], forwards: str, backwards: str) -> list[Order]:
    """A permutation, and its inverse."""
    inverse = [0] * len(order)
    for place, value in enumerate(order):
        inverse[value] = place
    return [Order(forwards, order), Order(backwards, inverse)]


def _consistent(said: Tensor, labels: Tensor) -> Tensor:
    """Whether each picture is called what the others of its label are mostly called, (N,)."""
    agrees = torch.zeros_like(said, dtype=torch.bool)
    modes: list[int] = []
    for label in sorted(set(labels.tolist())):
        mine = (labels == label).nonzero()[:, 0]
        calls = said[mine]
        if len(mine) < _ENOUGH or (calls < 0).all():
            continue
        modes.append(int(calls[calls >= 0].mode().values))
        for number, index in enumerate(mine.tolist()):
            others = torch.cat([calls[:number], calls[number + 1 :]])
            agrees[index] = others.mode().values == calls[number]
    if len(modes) < 2 or len(set(modes)) < _DISTINCT * len(modes):
        return torch.zeros_like(agrees)
    return agrees & (said >= 0)


def _names_evidence(data: Sequence[str], model: Sequence[str], *, accurate: bool) -> Evidence:
    """Compares names where both sides give them; good predictions are the better witness."""
    ours, theirs = [_plain(name) for name in data], [_plain(name) for name in model]
    if accurate or not ours or not theirs:
        return Evidence()
    same = sum(one == other for one, other in zip(ours, theirs, strict=False))
    shared = len(set(ours) & set(theirs))
    if shared < 0.8 * len(set(ours)) or same >= 0.5 * len(ours):
        return Evidence()
    finding = Finding(
        kind="suspicious",
        about="label order",
        seen=f"Data and model share {shared} class names, of which {same} have the same number: "
        f"0 is {data[0]!r:.60} in the data and {model[0]!r:.60} in the model.",
        advice="Renumber the labels, or reorder the model's outputs.",
    )
    return Evidence((finding,))


def _plain(name: str) -> str:
    """The first lemma, without what spellings differ in."""
    return name.partition(",")[0].strip().casefold().replace("_", " ").replace("-", " ")
