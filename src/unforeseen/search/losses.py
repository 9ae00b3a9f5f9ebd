"""Losses, one value per example; a search raises them."""

__all__ = ["LOSSES", "Loss", "LossName", "cross_entropy", "margin"]

import math
from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Literal

import torch.nn.functional as F
from torch import Tensor

LossName = Literal["cross_entropy", "margin"]
#: Logits (B, classes), labels (B,) → (B,).
Loss = Callable[[Tensor, Tensor], Tensor]


def cross_entropy(logits: Tensor, labels: Tensor) -> Tensor:
    """−log softmax(z)_y in nats: (B, classes), (B,) → (B,).

    Computed as softplus(log Σ_{j≠y} exp z_j − z_y), the same number, so that its gradient keeps
    its direction where the true class has all the probability that float32 can hold: there the
    usual form subtracts 1 from 1.
    """
    true = logits.gather(1, labels[:, None])
    others = logits.scatter(1, labels[:, None], -math.inf).logsumexp(dim=1)
    return F.softplus(others - true[:, 0])


def margin(logits: Tensor, labels: Tensor) -> Tensor:
    """max_{j≠y} z_j − z_y, in the unit of the logits: (B, classes), (B,) → (B,).

    Above 0 where the picture is misclassified (Carlini & Wagner 2017, f_6 without its bound). Its
    gradient doesn't vanish, however confident the classifier is.
    """
    true = logits.gather(1, labels[:, None])
    others = logits.scatter(1, labels[:, None], -math.inf).max(dim=1).values
    return others - true[:, 0]


LOSSES: Mapping[LossName, Loss] = MappingProxyType(
    {"cross_entropy": cross_entropy, "margin": margin}
)
