"""Which pictures are classified right, and whether one way of looking is clearly better."""

__all__ = ["correct", "is_clearly_better", "predictions"]

import torch
from torch import Tensor

from unforeseen.metrics.mcnemar import mcnemar

#: Below it a difference isn't chance, though a dozen ways are tried.
SIGNIFICANCE = 1e-3


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
