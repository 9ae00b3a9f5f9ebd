"""Losses, one value per example; a search raises them."""

__all__ = ["cross_entropy"]

import math

import torch.nn.functional as F
from torch import Tensor


def cross_entropy(logits: Tensor, labels: Tensor) -> Tensor:
    """−log softmax(z)_y in nats: (B, classes), (B,) → (B,).

    Computed as softplus(log Σ_{j≠y} exp z_j − z_y), the same number, so that its gradient keeps
    its direction where the true class has all the probability that float32 can hold: there the
    usual form subtracts 1 from 1.
    """
    true = logits.gather(1, labels[:, None])
    others = logits.scatter(1, labels[:, None], -math.inf).logsumexp(dim=1)
    return F.softplus(others - true[:, 0])
