"""Normalised twice, or never? Found out by trying, as no look at a model tells."""

__all__ = ["Variant", "normalisation_evidence", "variants"]

from collections.abc import Callable, Sequence
from typing import NamedTuple

import torch
from torch import Tensor

from unforeseen.check.asking import Asker
from unforeseen.check.findings import Evidence, Finding, Measurement
from unforeseen.check.kappa import kappa
from unforeseen.check.right import FEWEST_GAINED, is_better_on_several_labels, predictions

#: Mean and standard deviation per channel that the field normalises with.
USUAL = {
    "ImageNet's": ((0.485, 0.456, 0.406), (0.229, 0.224, 0.225)),
    "CIFAR-10's": ((0.4914, 0.4822, 0.4465), (0.247, 0.2435, 0.2616)),
    "0.5 and 0.5": ((0.5, 0.5, 0.5), (0.5, 0.5, 0.5)),
}
#: What another normalisation must gain to be named, in accuracy and in Cohen's kappa.
GAIN = 0.05
#: What share of the kappa that is missing it must repair: where all is wrong, chance is a gain.
_REPAIRED = 0.1
#: Misclassified pictures that every variant is tried on first.
_TRIED = 16
#: How many variants at most are tried on all that are misclassified, and then on all pictures.
_FINALISTS = 3


class Variant(NamedTuple):
    """Another way of handing pictures over.

    Attributes:
        about: What is wrong where it is the right way, in a few words.
        how: The way, in words.
        fault: What may be wrong with the model then, as a clause that follows "as if".
        cure: What to do if it is.
        change: Pictures in [0, 1] → as they are handed over.
        in_range: Whether those stay in [0, 1], so that a black box can be asked about them.
    """

    about: str
    how: str
    fault: str
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
            about="expects 0 … 255",
            how="With pixels from 0 to 255",
            fault="the model expected those",
            cure="multiply by 255 inside the model",
            change=lambda x: 255 * x,
            in_range=False,
        ),
        Variant(
            about="expects blue, green, red",
            how="With the channels in the order blue, green, red",
            fault="the model expected them so",
            cure="flip them inside it: x.flip(1)",
            change=lambda x: x.flip(1),
            in_range=True,
        ),
    ]
    return tuple(tried)


def normalisation_evidence(
    asker: Asker,
    pictures: Tensor,
    labels: Tensor,
    logits: Tensor,
    tried: Sequence[Variant],
    *,
    at_least: float = 0.0,
) -> Evidence:
    """Tries each variant on misclassified pictures, and the best on all.

    A variant that makes the model name one class for nearly everything is right on all pictures of
    that class. So what counts is what it gains beyond chance, and on more than one label.

    Args:
        asker: Whom to ask.
        pictures: (N, 3, H, W), uint8.
        labels: (N,).
        logits: What it says of them as they are, (N, classes).
        tried: The variants.
        at_least: Accuracy that another explanation has already; a worse one is none.
    """
    said = predictions(logits)
    usual = said == labels
    n, wrong, right = len(labels), (~usual).nonzero()[:, 0], usual.nonzero()[:, 0]
    needed = max(FEWEST_GAINED, GAIN * n)
    if len(wrong) < needed or len(set(labels.tolist())) == 1:
        return Evidence()

    def answers(number: int, index: Tensor) -> Tensor:
        if not len(index):  # no model need know what to make of no pictures
            return said[index]
        return predictions(asker.logits(pictures[index], tried[number].change))

    def set_right(answered: Tensor, index: Tensor) -> int:
        return int((answered == labels[index]).sum())

    # Half of what it takes, so that the few tried first may be unlucky.
    sample = wrong[:_TRIED]
    promising = 0.5 * needed / len(wrong) * len(sample)
    gained = {number: set_right(answers(number, sample), sample) for number in range(len(tried))}
    finalists = sorted(gained, key=lambda number: -gained[number])[:_FINALISTS]
    of_wrong = {
        number: answers(number, wrong) for number in finalists if gained[number] >= promising
    }
    known = max(0.0, kappa(said, labels))
    enough = known + max(GAIN, _REPAIRED * (1 - known))
    best = 0.0
    for number in sorted(of_wrong, key=lambda number: -set_right(of_wrong[number], wrong)):
        if set_right(of_wrong[number], wrong) < needed:
            break
        other = torch.empty_like(said)
        other[wrong], other[right] = of_wrong[number], answers(number, right)
        accuracy = float((other == labels).float().mean())
        if (
            accuracy >= at_least
            and is_better_on_several_labels(other == labels, usual, labels, gain=GAIN)
            and kappa(other, labels) >= enough
        ):
            finding = _finding(tried[number], accuracy, float(usual.float().mean()), n)
            return Evidence((finding,), (), (Measurement("best_variant_accuracy", accuracy, n),))
        best = max(best, accuracy)
    return Evidence(measurements=(Measurement("best_variant_accuracy", best, n),) if best else ())


def _finding(variant: Variant, accuracy: float, usual: float, n: int) -> Finding:
    return Finding(
        kind="suspicious",
        about=variant.about,
        seen=f"{variant.how}, {100 * accuracy:.1f} % of {n} pictures are classified right instead "
        f"of {100 * usual:.1f} %, as if {variant.fault}.",
        advice=f"If so, {variant.cure}. If not, look at the pictures: their brightness, contrast "
        "or colours may not be those that the model was trained on.",
    )


def _undone(name: str, mean: Sequence[float], std: Sequence[float]) -> Variant:
    return Variant(
        about="normalised twice",
        how=f"With x · std + mean for the pixels x (mean and std {name})",
        fault="the model normalised twice",
        cure="take one of the two normalisations out: pictures come in [0, 1]",
        change=lambda x: x * _channels(std, x) + _channels(mean, x),
        in_range=all(m >= 0 and m + s <= 1 for m, s in zip(mean, std, strict=True)),
    )


def _applied(name: str, mean: Sequence[float], std: Sequence[float]) -> Variant:
    return Variant(
        about="never normalised",
        how=f"With (x − mean) / std for the pixels x (mean and std {name})",
        fault="the model expected normalised pictures and did not normalise them",
        cure="normalise inside the model: pictures come in [0, 1]",
        change=lambda x: (x - _channels(mean, x)) / _channels(std, x),
        in_range=False,
    )


def _channels(values: Sequence[float], x: Tensor) -> Tensor:
    return torch.tensor(values, dtype=x.dtype, device=x.device).view(1, -1, 1, 1)
