"""Agreement beyond chance: J. Cohen, Educational and Psychological Measurement 20 (1960) 37-46."""

__all__ = ["by_chance", "deviation_by_chance", "kappa"]

import math

from torch import Tensor


def by_chance(said: Tensor, labels: Tensor) -> float:
    """Share that would agree if predictions had nothing to do with labels, Σ_c p_c·q_c.

    Args:
        said: Predicted classes, (N,); below 0 where there is none.
        labels: (N,), likewise.
    """
    return sum(p * q for p, q in _counts(said, labels)) / len(labels) ** 2


def kappa(said: Tensor, labels: Tensor) -> float:
    """Cohen's κ: 1 where all agree, 0 where no more do than by chance.

    So always naming one class has κ = 0, however often it is right, and so has everything where
    all labels are the same: such data tell nothing apart.

    Args:
        said: As for :func:`by_chance`.
        labels: Likewise.
    """
    n = len(labels)
    chance = sum(p * q for p, q in _counts(said, labels))
    if chance == n**2:
        return 0.0
    return (n * int((said == labels).sum()) - chance) / (n**2 - chance)


def deviation_by_chance(said: Tensor, labels: Tensor) -> float:
    """Standard deviation of the share that agrees where the two are independent.

    J. L. Fleiss, J. Cohen, B. S. Everitt, Psychological Bulletin 72 (1969) 323-327: √(P + P² −
    Σ_c p_c·q_c·(p_c + q_c)) / √N, with the P of :func:`by_chance`.

    Args:
        said: As for :func:`by_chance`.
        labels: Likewise.
    """
    n = len(labels)
    shares = [(p / n, q / n) for p, q in _counts(said, labels)]
    chance = by_chance(said, labels)
    variance = chance + chance**2 - sum(p * q * (p + q) for p, q in shares)
    return math.sqrt(max(0.0, variance) / n)


def _counts(said: Tensor, labels: Tensor) -> list[tuple[int, int]]:
    """How often each class is predicted, and how often it is the label."""
    classes = 1 + max(0, int(said.max()), int(labels.max()))
    counts = (each[each >= 0].bincount(minlength=classes).tolist() for each in (said, labels))
    return list(zip(*counts, strict=True))
