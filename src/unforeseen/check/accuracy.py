"""Is the model as accurate as it should be, and better than chance?"""

__all__ = ["LOW", "NEAR_CHANCE", "ONE_LABEL", "accuracy_evidence"]

from torch import Tensor

from unforeseen.check.findings import Evidence, Finding, Measurement
from unforeseen.check.kappa import by_chance, deviation_by_chance
from unforeseen.check.right import predictions
from unforeseen.metrics.wilson import wilson

#: What such a finding is called: it stops a run.
NEAR_CHANCE = "near chance"
LOW = "accuracy below what is expected"
ONE_LABEL = "one label, seldom named"
#: Below it nothing is said.
_FEW = 10
#: How far below what is expected the interval must lie: other pictures, another preprocessing.
_TOLERANCE = 0.02
#: Cohen's kappa below which a classifier has learnt next to nothing of these labels.
_LEAST_KAPPA = 0.05
#: Standard deviations of what is right by chance up to which chance explains it.
_SURE = 1.96
#: Pictures of other labels than the commonest below which data are as good as of one label, and
#: from which on chance can be told from weakness: of a robust network that is right on 63 % of
#: CIFAR-10, one of ten pairs of classes looks like chance where one class has 5 pictures.
_AS_GOOD_AS_NONE, _ENOUGH = 5, 25


def accuracy_evidence(
    logits: Tensor,
    labels: Tensor,
    *,
    expected: float | None = None,
    by: str = "",
    causes: str = "",
) -> Evidence:
    """Compares accuracy with what is expected, and with chance.

    Chance is what the same predictions would get right if they had nothing to do with the labels
    (Cohen 1960), at least 1 in the number of classes. So always naming the commonest class is no
    better than chance. Where there are too few pictures of other labels, nothing can be said.

    Args:
        logits: (N, classes); non-finite ones are wrong.
        labels: (N,).
        expected: Accuracy in [0, 1] that the model should have, or None.
        by: Who says so.
        causes: What usually stands behind one that is too low, as a sentence.
    """
    n = len(labels)
    said = predictions(logits)
    right = int((said == labels).sum())
    wide = wilson(right, n, 0.999)
    assert wide is not None
    measurements = [
        Measurement("accuracy", wide.value, n),
        Measurement("accuracy_low", wide.low, n),
        Measurement("accuracy_high", wide.high, n),
    ]
    if expected is not None:
        measurements.append(Measurement("expected_accuracy", expected, None))
    if n < _FEW:
        return Evidence(measurements=tuple(measurements))
    evidence = Evidence(measurements=tuple(measurements)).and_also(
        _against_chance(right, said, labels, logits.shape[1], causes)
    )
    if expected is None or wide.high >= expected - _TOLERANCE:
        return evidence
    low = Finding(
        kind="suspicious",
        about=LOW,
        seen=f"{100 * wide.value:.1f} % of {n} pictures are classified right (99.9 % "
        f"interval up to {100 * wide.high:.1f} %); {100 * expected:.1f} % is expected by {by}.",
        advice=causes,
    )
    return evidence.and_also(Evidence((low,)))


def _against_chance(
    right: int, said: Tensor, labels: Tensor, classes: int, causes: str
) -> Evidence:
    n = len(labels)
    others = n - int(labels.bincount().max())
    if not others:
        return _on_one_label(right, n, others, classes)
    chance = max(1 / classes, by_chance(said, labels))
    measured = (Measurement("chance", chance, n),)
    if not _is_near(right, chance, said, labels):
        return Evidence(measurements=measured)
    if others < _AS_GOOD_AS_NONE:
        return _on_one_label(right, n, others, classes).and_also(Evidence(measurements=measured))
    if others < _ENOUGH and right * classes > n:
        note = (
            f"{right} of {n} pictures are classified right, and {chance * n:.0f} would be by chance; "
            f"but only {others} have another label than the commonest, too few to say more."
        )
        return Evidence(notes=(note,), measurements=measured)
    near = Finding(
        kind="suspicious",
        about=NEAR_CHANCE,
        seen=f"{right} of {n} pictures are classified right, and {chance * n:.0f} would be "
        "by chance.",
        advice=causes,
    )
    return Evidence((near,), (), measured)


def _is_near(right: int, chance: float, said: Tensor, labels: Tensor) -> bool:
    """Whether chance explains an accuracy, or all of it but next to nothing.

    More pictures at the same share never make the answer harsher.
    """
    beyond = right / len(labels) - chance
    likely = _SURE * deviation_by_chance(said, labels)
    return beyond <= likely or beyond / (1 - chance) <= _LEAST_KAPPA


def _on_one_label(right: int, n: int, others: int, classes: int) -> Evidence:
    have = f"all{f' but {others} of' if others else ''} {n} pictures have one label"
    note = (
        f"{have}: whether the model is better than chance, the labels are in its order and its "
        "pictures are normalised as it expects can't be seen on them."
    )
    if right * classes > n:
        return Evidence(notes=(note,))
    finding = Finding(
        kind="suspicious",
        about=ONE_LABEL,
        seen=f"{have[0].upper()}{have[1:]}, and {right} are classified right, no more than if one "
        f"of the {classes} classes were drawn for each. It need not be wrong: a model may be weak "
        "on one class.",
        advice="Check it on pictures of other labels too.",
    )
    return Evidence((finding,), (note,))
