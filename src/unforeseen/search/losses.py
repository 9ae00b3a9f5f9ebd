"""Losses, one value per example; a search raises them."""

__all__ = [
    "LOSSES",
    "TARGETED",
    "Loss",
    "cross_entropy",
    "difference_of_logits_ratio",
    "margin",
    "most_targets",
    "other_classes",
    "starts_for",
    "targeted_difference_of_logits_ratio",
]

import math
from collections.abc import Callable, Mapping
from types import MappingProxyType

import torch
import torch.nn.functional as F
from torch import Tensor

from unforeseen.errors import UserError
from unforeseen.search.settings import LossName

#: Logits (B, classes), labels (B,), targets (B,), restart (B,) → (B,).
Loss = Callable[[Tensor, Tensor, Tensor, Tensor], Tensor]

#: How many classes targeted losses aim at, one per start, as AutoAttack does.
MOST_TARGETS = 9
#: Smallest difference of logits that a ratio is taken to.
_LEAST_SPREAD = 1e-12


def cross_entropy(logits: Tensor, labels: Tensor) -> Tensor:
    """−log softmax(z)_y in nats: (B, classes), (B,) → (B,).

    Computed as softplus(log Σ_{j≠y} exp z_j − z_y), the same number, so that its gradient keeps
    its direction where the true class has all the probability that float32 can hold: there the
    usual form subtracts 1 from 1.
    """
    true, others = _split(logits, labels)
    return F.softplus(others.logsumexp(dim=1) - true)


def margin(logits: Tensor, labels: Tensor) -> Tensor:
    """max_{j≠y} z_j − z_y, in the unit of the logits: (B, classes), (B,) → (B,).

    Above 0 where the picture is misclassified (Carlini & Wagner 2017, f_6 without its bound). Its
    gradient doesn't vanish, however confident the classifier is.
    """
    true, others = _split(logits, labels)
    return others.max(dim=1).values - true


def difference_of_logits_ratio(logits: Tensor, labels: Tensor) -> Tensor:
    """(max_{j≠y} z_j − z_y) / (z_π1 − z_π3): (B, classes), (B,) → (B,).

    π sorts the logits from the largest. Neither a factor nor an offset of all logits changes it
    (Croce & Hein 2020, equation 6).

    Raises:
        UserError: There are fewer than three classes.
    """
    _expect_classes(logits, 3, "dlr")
    largest = logits.topk(3, dim=1).values
    return margin(logits, labels) / (largest[:, 0] - largest[:, 2]).clamp_min(_LEAST_SPREAD)


def targeted_difference_of_logits_ratio(logits: Tensor, labels: Tensor, targets: Tensor) -> Tensor:
    """(z_t − z_y) / (z_π1 − (z_π3 + z_π4) / 2): (B, classes), (B,), (B,) → (B,).

    π sorts the logits from the largest (Croce & Hein 2020, equation 7).

    Raises:
        UserError: There are fewer than four classes.
    """
    _expect_classes(logits, 4, "targeted_dlr")
    largest = logits.topk(4, dim=1).values
    spread = largest[:, 0] - (largest[:, 2] + largest[:, 3]) / 2
    true, wanted = (logits.gather(1, each[:, None])[:, 0] for each in (labels, targets))
    return (wanted - true) / spread.clamp_min(_LEAST_SPREAD)


def other_classes(logits: Tensor, labels: Tensor) -> Tensor:
    """The wrong classes that a classifier thinks most of, (B, up to 9), from the likeliest."""
    _, others = _split(logits, labels)
    return others.topk(most_targets(logits.shape[1]), dim=1).indices


def most_targets(classes: int) -> int:
    """How many wrong classes there are to aim at, at most 9."""
    return min(MOST_TARGETS, classes - 1)


def starts_for(name: LossName, restarts: int, classes: int) -> int:
    """How many starts an example gets: no more than a targeted loss has targets for."""
    if name == "targeted_dlr":
        return min(restarts, most_targets(classes))
    if name == "autoattack":
        return min(restarts, 1 + most_targets(classes))
    return restarts


def _first_untargeted(logits: Tensor, labels: Tensor, targets: Tensor, restart: Tensor) -> Tensor:
    """Cross-entropy at the first start, the targeted ratio at those that follow."""
    targeted = targeted_difference_of_logits_ratio(logits, labels, targets)
    return torch.where(restart == 0, cross_entropy(logits, labels), targeted)


def _split(logits: Tensor, labels: Tensor) -> tuple[Tensor, Tensor]:
    """The true class's logit, (B,), and all with −∞ in its place, (B, classes)."""
    true = logits.gather(1, labels[:, None])[:, 0]
    return true, logits.scatter(1, labels[:, None], -math.inf)


def _expect_classes(logits: Tensor, fewest: int, loss: str) -> None:
    if logits.shape[1] < fewest:
        raise UserError(
            f"loss {loss}: expected a model of at least {fewest} classes, got {logits.shape[1]}. "
            "Use cross_entropy or margin."
        )


LOSSES: Mapping[LossName, Loss] = MappingProxyType(
    {
        "cross_entropy": lambda logits, labels, _, __: cross_entropy(logits, labels),
        "margin": lambda logits, labels, _, __: margin(logits, labels),
        "dlr": lambda logits, labels, _, __: difference_of_logits_ratio(logits, labels),
        "targeted_dlr": lambda logits, labels, targets, _: targeted_difference_of_logits_ratio(
            logits, labels, targets
        ),
        "autoattack": _first_untargeted,
    }
)
#: Losses that aim at a class, another at each start.
TARGETED: frozenset[LossName] = frozenset({"targeted_dlr", "autoattack"})
