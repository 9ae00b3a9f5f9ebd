"""Normalised twice, or never? Found out by trying, as no look at a model tells."""

__all__ = ["Variant", "normalisation_evidence", "variants"]

from collections.abc import Callable, Sequence
from typing import NamedTuple

import torch
from torch import Tensor

from unforeseen.check.asking import Asker
from unforeseen.check.findings import Evidence, Finding, Measurement
from unforeseen.check.right import correct, is_clearly_better

#: Mean and standard deviation per channel that the field normalises with.
USUAL = {
    "ImageNet's": ((0.485, 0.456, 0.406), (0.229, 0.224, 0.225)),
    "CIFAR-10's": ((0.4914, 0.4822, 0.4465), (0.247, 0.2435, 0.2616)),
    "0.5 and 0.5": ((0.5, 0.5, 0.5), (0.5, 0.5, 0.5)),
}
#: What another normalisation must gain to be named.
GAIN = 0.05
#: Misclassified pictures that every variant is tried on first.
_TRIED = 16
#: How many variants at most are tried on all that are misclassified; the best is then tried on all.
_FINALISTS = 3
#: What it takes beyond chance where nothing is lost: 2 · 2^−11 < 0.001.
_FEWEST_GAINED = 11


class Variant(NamedTuple):
    """Another way of handing pictures over.

    Attributes:
        about: What is wrong where it is the right way, in a few words.
        cause: The same as a sentence.
        cure: What to do then.
        change: Pictures in [0, 1] → as they are handed over.
        in_range: Whether those stay in [0, 1], so that a black box can be asked about them.
    """

    about: str
    cause: str
    cure: str
    change: Callable[[Tensor], Tensor]
    in_range: bool


def variants(mean: Sequence[float] | None, std: Sequence[float] | None) -> tuple[Variant, ...]:
    """What is tried: the usual normalisations undone and applied, 8-bit values, swapped channels.

    Args:
        mean: Of the model's own normalisation, if known.
        std: Likewise.
    """
    tables = dict(USUAL)
    if mean is not None and std is not None and (tuple(mean), tuple(std)) not in USUAL.values():
        tables["its own"] = (tuple(mean), tuple(std))  # type: ignore[assignment]  # any channels
    tried = []
    for name, (means, stds) in tables.items():
        tried += [_undone(name, means, stds), _applied(name, means, stds)]
    tried += [
        Variant(
            "expects 0 … 255",
            "The model expects pixels from 0 to 255.",
            "Divide by 255 nowhere, or multiply by 255 inside the model.",
            lambda x: 255 * x,
            in_range=False,
        ),
        Variant(
            "expects blue, green, red",
            "The model expects the channels in the order blue, green, red.",
            "Flip them inside it: x.flip(1).",
            lambda x: x.flip(1),
            in_range=True,
        ),
    ]
    return tuple(tried)


def normalisation_evidence(
    asker: Asker, pictures: Tensor, labels: Tensor, logits: Tensor, tried: Sequence[Variant]
) -> Evidence:
    """Tries each variant on misclassified pictures, and the best on all.

    Args:
        asker: Whom to ask.
        pictures: (N, 3, H, W), uint8.
        labels: (N,).
        logits: What it says of them as they are, (N, classes).
        tried: The variants.
    """
    usual = correct(logits, labels)
    n, wrong, right = len(labels), (~usual).nonzero()[:, 0], usual.nonzero()[:, 0]
    needed = max(_FEWEST_GAINED, GAIN * n)
    if len(wrong) < needed:
        return Evidence()

    def set_right(number: int, index: Tensor) -> Tensor:
        if not len(index):  # no model need know what to make of no pictures
            return usual[index]
        answers = asker.logits(pictures[index], tried[number].change)
        return correct(answers, labels[index])

    # Half of what it takes, so that the few tried first may be unlucky.
    sample = wrong[:_TRIED]
    promising = 0.5 * needed / len(wrong) * len(sample)
    gained = {number: int(set_right(number, sample).sum()) for number in range(len(tried))}
    finalists = sorted(gained, key=lambda number: -gained[number])[:_FINALISTS]
    finalists = [number for number in finalists if gained[number] >= promising]
    if not finalists:
        return Evidence()
    answers = {number: set_right(number, wrong) for number in finalists}
    best = max(finalists, key=lambda number: int(answers[number].sum()))
    if answers[best].sum() < needed:
        return Evidence()
    other = torch.zeros_like(usual)
    other[wrong], other[right] = answers[best], set_right(best, right)
    accuracy = float(other.float().mean())
    measured = (Measurement("best_variant_accuracy", accuracy, n),)
    if not is_clearly_better(other, usual, gain=GAIN):
        return Evidence(measurements=measured)
    finding = Finding(
        kind="suspicious",
        about=tried[best].about,
        seen=f"{tried[best].cause} Tried so, {100 * accuracy:.1f} % of {n} pictures are "
        f"classified right instead of {100 * float(usual.float().mean()):.1f} %.",
        advice=tried[best].cure,
    )
    return Evidence((finding,), (), measured)


def _undone(name: str, mean: Sequence[float], std: Sequence[float]) -> Variant:
    return Variant(
        "normalised twice",
        f"The model normalises twice (mean and std {name}).",
        "Pictures come in [0, 1]: take one of the two normalisations out.",
        lambda x: x * _channels(std, x) + _channels(mean, x),
        in_range=all(m >= 0 and m + s <= 1 for m, s in zip(mean, std, strict=True)),
    )


def _applied(name: str, mean: Sequence[float], std: Sequence[float]) -> Variant:
    return Variant(
        "never normalised",
        f"The model expects normalised pictures (mean and std {name}) and is given pictures in "
        "[0, 1].",
        "Normalise inside the model.",
        lambda x: (x - _channels(mean, x)) / _channels(std, x),
        in_range=False,
    )


def _channels(values: Sequence[float], x: Tensor) -> Tensor:
    return torch.tensor(values, dtype=x.dtype, device=x.device).view(1, -1, 1, 1)
