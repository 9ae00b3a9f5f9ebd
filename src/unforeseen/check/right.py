"""Which pictures are classified right, and whether one way of looking is clearly better."""

__all__ = [
    "FEWEST_GAINED",
    "SIGNIFICANCE",
    "correct",
    "is_better_on_several_labels",
    "is_clearly_better",
    "predictions",
]

import math

import torch
from torch import Tensor

from unforeseen.metrics.mcnemar import mcnemar

#: Below it a difference isn't chance, though a dozen ways are tried.
SIGNIFICANCE = 1e-3
#: Pictures that must be gained for that where none is lost: the least k with 2 · 2^−k below it.
FEWEST_GAINED = math.floor(math.log2(2 / SIGNIFICANCE)) + 1
#: The same where one label, that which gains most, is left out: five gained and none lost.
_OF_THE_REST = 0.1


def predictions(logits: Tensor) -> Tensor:
    """Class of each picture, −1 where its logits aren't finite: (N, classes) → (N,)."""
    return torch.where(logits.isfinite().all(dim=1), logits.argmax(dim=1), -1)


def correct(logits: Tensor, labels: Tensor) -> Tensor:
    """Whether each picture is classified right, (N,)."""
    return predictions(logits) == labels


def is_clearly_better(
    other: Tensor, usual: Tensor, *, gain: float = 0.0, significance: float = SIGNIFICANCE
) -> bool:
    """Whether another way is right on more pictures, beyond chance.

    Args:
        other: Whether each picture is right in the other way, (N,).
        usual: Whether it is right as it is, (N,).
        gain: By what share of the pictures at least.
        significance: How unlikely so uneven a split must be if neither way were better.
    """
    gained, lost = int((other & ~usual).sum()), int((usual & ~other).sum())
    # Even splits have p = 1.
    return gained - lost >= gain * len(usual) and mcnemar(gained, lost) < significance


def is_better_on_several_labels(
    other: Tensor, usual: Tensor, labels: Tensor, *, gain: float
) -> bool:
    """Whether another way is clearly better, and not on the label alone that gains most.

    Whatever makes a model name one class more often is better on the pictures of that class.

    Args:
        other: As for :func:`is_clearly_better`.
        usual: Likewise.
        labels: (N,).
        gain: As there, of all pictures.
    """
    if not is_clearly_better(other, usual, gain=gain):
        return False
    rest = labels != labels[other & ~usual].mode().values
    return is_clearly_better(other[rest], usual[rest], significance=_OF_THE_REST)
