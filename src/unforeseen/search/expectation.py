"""What a classifier answers, and what a search climbs: once, or in the mean over several passes.

A classifier that draws at random in its forward pass answers differently each time. Its expected
loss is climbed by the mean gradient of several passes, and its verdict is that of the mean
probabilities (expectation over transformation: Athalye et al. 2018, section 4.2).
"""

__all__ = ["Expected", "expected"]

import math
from collections.abc import Callable
from typing import NamedTuple

import torch
from torch import Tensor

from unforeseen.models.classifier import Predictor
from unforeseen.search.losses import cross_entropy


class Expected(NamedTuple):
    """The answer to a batch.

    Attributes:
        logits: (B, classes); of several passes the logarithm of the mean probabilities.
        loss: Cross-entropy in nats, the mean over the passes, (B,).
        climbed: What is climbed, the mean over the passes, (B,).
        objective: A scalar whose gradient is that of what is climbed, summed over the batch.
            Without a gradient where the pictures, or the classifier, have none.
    """

    logits: Tensor
    loss: Tensor
    climbed: Tensor
    objective: Tensor


def expected(
    classifier: Predictor,
    picture: Tensor,
    labels: Tensor,
    *,
    climb: Callable[[Tensor, Tensor], Tensor] = cross_entropy,
    passes: int = 1,
) -> Expected:
    """Asks about a batch.

    Args:
        classifier: Whom.
        picture: (B, 3, H, W) in [0, 1].
        labels: True classes, (B,).
        climb: What is climbed: logits (B, classes) and labels (B,) in, (B,) out.
        passes: How often to ask. Memory is needed for one pass only.

    Raises:
        ModelError: The model fails.
    """
    if passes == 1:
        logits = classifier.logits(picture)
        climbed = climb(logits, labels)
        loss = climbed if climb is cross_entropy else cross_entropy(logits.detach(), labels)
        return Expected(logits, loss, climbed, climbed.sum())
    classifier.afford(picture, passes=passes)
    log_probabilities, all_losses, all_climbed = [], [], []
    gradient = torch.zeros_like(picture)
    for number in range(passes):
        logits = classifier.logits(picture, pass_number=number)
        climbed = climb(logits, labels)
        slope = _slope(climbed, picture)
        if slope is not None:
            gradient += slope / passes
        log_probabilities.append(logits.detach().log_softmax(dim=1))
        all_losses.append(cross_entropy(logits.detach(), labels))
        all_climbed.append(climbed.detach())
    mean_climbed = torch.stack(all_climbed).mean(dim=0)
    mean_logits = torch.stack(log_probabilities).logsumexp(dim=0) - math.log(passes)
    # Linear in the picture with the mean gradient as its slope: whatever made the picture gets
    # the gradient that it would get from the mean loss, without all passes kept in memory.
    objective = mean_climbed.sum() if slope is None else (picture * gradient).sum()
    return Expected(mean_logits, torch.stack(all_losses).mean(dim=0), mean_climbed, objective)


def _slope(losses: Tensor, picture: Tensor) -> Tensor | None:
    """The gradient of each picture's loss, (B, 3, H, W); None where nothing leads to them."""
    if not (picture.requires_grad and losses.requires_grad):
        return None
    (slope,) = torch.autograd.grad(losses.sum(), picture, allow_unused=True)
    return slope
