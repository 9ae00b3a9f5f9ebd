"""Is the model as accurate as it should be, and better than chance?"""

__all__ = ["LOW", "MANY", "NEAR_CHANCE", "accuracy_evidence"]

from torch import Tensor

from unforeseen.check.findings import Evidence, Finding, Measurement
from unforeseen.check.right import predictions
from unforeseen.counted import counted
from unforeseen.metrics.estimate import Estimate
from unforeseen.metrics.wilson import wilson

#: What such a finding is called: it stops a run.
NEAR_CHANCE = "near chance"
LOW = "accuracy below what is expected"
#: From this number of pictures on, being near chance ends a run.
MANY = 100
#: Below it nothing is said.
_FEW = 10
#: How far below what is expected the interval must lie: other pictures, another preprocessing.
_TOLERANCE = 0.02
#: Cohen's kappa below which a classifier has learnt next to nothing of these labels.
_LEAST_KAPPA = 0.05


def accuracy_evidence(
    logits: Tensor, labels: Tensor, *, expected: float | None = None, by: str = ""
) -> Evidence:
    """Compares accuracy with what is expected, and with chance.

    Chance is what the same predictions would get right if they had nothing to do with the labels:
    Σ_c p_c·q_c of the shares of labels and predictions (Cohen 1960), at least 1 in the number of
    classes. So always naming the commonest class is no better than chance. Where all pictures have
    one label, only the latter can be said.

    Args:
        logits: (N, classes); non-finite ones are wrong.
        labels: (N,).
        expected: Accuracy in [0, 1] that the model should have, or None.
        by: Who says so.
    """
    n = len(labels)
    said = predictions(logits)
    right = int((said == labels).sum())
    chance = _chance(said, labels, logits.shape[1])
    wide, usual = wilson(right, n, 0.999), wilson(right, n)
    assert wide is not None
    assert usual is not None
    measurements = [
        Measurement("accuracy", wide.value, n),
        Measurement("accuracy_low", wide.low, n),
        Measurement("accuracy_high", wide.high, n),
        Measurement("chance", chance, n),
    ]
    if expected is not None:
        measurements.append(Measurement("expected_accuracy", expected, None))
    if n < _FEW:
        note = f"{counted(n, 'picture')} {'is' if n == 1 else 'are'} too few to say whether the accuracy is as it should be."
        return Evidence(notes=(note,), measurements=tuple(measurements))
    findings = []
    if _is_near(chance, usual):
        findings.append(
            Finding(
                kind="suspicious",
                about=NEAR_CHANCE,
                seen=f"{right} of {n} pictures are classified right, and {chance * n:.0f} would be "
                "by chance.",
                advice="Usual causes: labels in another order than the model's, weights that "
                "were not loaded, wrong normalisation or preprocessing.",
            )
        )
    if expected is not None and wide.high < expected - _TOLERANCE:
        findings.append(
            Finding(
                kind="suspicious",
                about=LOW,
                seen=f"{100 * wide.value:.1f} % of {n} pictures are classified right (99.9 % "
                f"interval up to {100 * wide.high:.1f} %); {100 * expected:.1f} % is expected by "
                f"{by}.",
                advice="Usual causes: another preprocessing, normalisation or order of labels than "
                "the model was trained with, or other weights.",
            )
        )
    return Evidence(tuple(findings), (), tuple(measurements))


def _is_near(chance: float, accuracy: Estimate) -> bool:
    """Whether chance explains an accuracy, or all of it but next to nothing.

    More pictures at the same share never make the answer harsher.
    """
    kappa = (accuracy.value - chance) / (1 - chance)
    return accuracy.low <= chance or kappa <= _LEAST_KAPPA


def _chance(said: Tensor, labels: Tensor, classes: int) -> float:
    if len(set(labels.tolist())) < 2:
        return 1 / classes
    labelled = labels.bincount(minlength=classes).double() / len(labels)
    predicted = said[said >= 0].bincount(minlength=classes).double() / len(labels)
    return max(1 / classes, float((labelled * predicted).sum()))
