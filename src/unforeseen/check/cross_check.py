"""Does an attack that climbs the margin fool more than one that climbs cross-entropy?

On an honest model both do about as well. Where the margin does far better, cross-entropy's gradient
is hidden, and so is what every attack of a benchmark could find (Carlini & Wagner 2017; Tramèr et
al. 2020).
"""

__all__ = ["cross_check_evidence"]

from typing import NamedTuple

import torch
from torch import Tensor

from unforeseen.check.asking import Asker
from unforeseen.check.findings import Evidence, Finding, Measurement
from unforeseen.check.right import is_clearly_better
from unforeseen.search.examples import Example
from unforeseen.search.fixed_step import FixedStep
from unforeseen.search.losses import margin
from unforeseen.search.search import Search
from unforeseen.search.settings import LossName
from unforeseen.transforms.attacks.pgd import Pgd

STEPS = 5
#: How sure one must be that the margin fools more pictures.
_SIGNIFICANCE = 0.02
#: Or by what factor it must push survivors further, on how many of them.
_FURTHER, _NEARLY_ALL, _ENOUGH = 3.0, 0.9, 8


class _Attacked(NamedTuple):
    """Whether each picture was fooled, (N,), and its margin then, (N,)."""

    fooled: Tensor
    margins: Tensor


def cross_check_evidence(
    asker: Asker, pictures: Tensor, labels: Tensor, logits: Tensor, *, seed: int, eot: int = 1
) -> Evidence:
    """Attacks each picture twice, briefly.

    Args:
        asker: Whom to attack; differentiable.
        pictures: (N, 3, H, W), uint8, all classified right.
        labels: (N,).
        logits: What it says of them as they are, (N, classes).
        seed: Of the starts.
        eot: Forward passes that every evaluation takes the mean of.
    """
    n = len(pictures)
    if not n:
        return Evidence()
    usual = _attack(asker, pictures, labels, "cross_entropy", seed=seed, eot=eot)
    other = _attack(asker, pictures, labels, "margin", seed=seed, eot=eot)
    by_usual, by_other = int(usual.fooled.sum()), int(other.fooled.sum())
    measured = (
        Measurement("fooled_by_cross_entropy", by_usual / n, n),
        Measurement("fooled_by_margin", by_other / n, n),
    )
    if is_clearly_better(other.fooled, usual.fooled, significance=_SIGNIFICANCE):
        seen = f"fools {by_other} of {n} pictures, and {by_usual} when it climbs cross-entropy"
    elif _goes_further(usual, other, margin(logits, labels)):
        seen = f"comes at least {_FURTHER:.0f} times as far as when it climbs cross-entropy"
    else:
        return Evidence(measurements=measured)
    finding = Finding(
        kind="masked",
        about="the margin fools more",
        seen=f"A short attack that climbs the margin between the logits {seen}: the gradient of "
        "cross-entropy is hidden, and a benchmark's accuracies would be too high.",
        advice="Look for what scales, clips or saturates the outputs.",
    )
    return Evidence((finding,), (), measured)


def _goes_further(usual: _Attacked, other: _Attacked, before: Tensor) -> bool:
    """Whether nearly all who survive both attacks were pushed far further by the margin."""
    survivors = ~usual.fooled & ~other.fooled
    if int(survivors.sum()) < _ENOUGH:
        return False
    pushed_usual = (usual.margins - before)[survivors]
    pushed_other = (other.margins - before)[survivors]
    further = (pushed_other > 0) & (pushed_other > _FURTHER * pushed_usual)
    return bool(further.float().mean() >= _NEARLY_ALL)


def _radius_for(height: int, width: int) -> float:
    """ε of the L∞ ball: the field's usual, 4/255 for large pictures and 8/255 for small ones."""
    return 8 / 255 if min(height, width) < 128 else 4 / 255


def _attack(
    asker: Asker, pictures: Tensor, labels: Tensor, loss: LossName, *, seed: int, eot: int
) -> _Attacked:
    radius = _radius_for(*pictures.shape[-2:])
    search = Search(
        steps=STEPS,
        movement=FixedStep(step_size=2.5 * radius / STEPS),
        judging="any",
        seed=seed,
        loss=loss,
        eot=eot,
    )
    examples = [
        Example(id=str(number), image=image.float() / 255, label=label, radius=radius)
        for number, (image, label) in enumerate(zip(pictures, labels.tolist(), strict=True))
    ]
    outcomes = asker.halving(
        lambda batch_size: list(
            search.run(
                Pgd(geometry="centred"),
                asker.classifier,
                examples,
                batch_size=min(batch_size, len(examples)),
            )
        )
    )
    outcomes.sort(key=lambda outcome: int(outcome.id))
    logits = torch.stack([outcome.logits for outcome in outcomes])
    return _Attacked(
        fooled=torch.tensor([not outcome.correct for outcome in outcomes]),
        margins=margin(logits, labels),
    )
