"""Are the outputs logits, of a size that float32 can subtract and exponentiate?"""

__all__ = ["logits_evidence", "outputs_evidence"]

import torch
from torch import Tensor

from unforeseen.check.findings import Evidence, Finding, Measurement
from unforeseen.check.right import predictions

#: exp(−87.3) is the smallest normal number of float32. Beyond it the cross-entropy of a picture that
#: is classified right, and its gradient, are 0 or lose their digits.
LARGEST_GAP = 87.0
#: Coarsest spacing of floating point numbers, relative to the gap, that losses can live with.
COARSEST = 1e-3
#: How far the logarithm of a row's exponentials' sum may be from 0.
_TOLERANCE = 1e-3
#: How far a row's sum may be from 1: bfloat16 rounds each probability by up to 2^−9 of it.
_ROUNDED = 2**-8
#: Rows that it takes to call outputs probabilities times a factor, plus an offset; how constant
#: their sum must be, and for half of them their smallest output, relative to how rows differ.
_ROWS, _SAME_SUM, _SAME_LEAST = 10, 1e-3, 1e-2
#: How much rows must differ for that, relative to how far apart a row's outputs lie.
_DIFFER = 1e-2
#: Below this share of their size outputs differ so little that something was added to all.
_SHIFTED = 0.1
#: Pictures of other labels that it takes to call predictions constant.
_OTHERS = 5
#: Share of the rows that must look alike.
_NEARLY_ALL = 0.99
#: From this typical largest output on, outputs in [0, 1] look like those of a sigmoid.
_SURE = 0.5
#: Pictures that it takes to call predictions constant.
_MANY = 20


def outputs_evidence(logits: Tensor, labels: Tensor) -> Evidence:
    """Counts what isn't finite, and whether anything is told apart.

    Args:
        logits: (N, classes).
        labels: (N,).
    """
    n = len(logits)
    nonfinite = int((~logits.isfinite().all(dim=1)).sum())
    findings = []
    if nonfinite:
        findings.append(
            Finding(
                kind="suspicious",
                about="non-finite outputs",
                seen=f"The outputs of {nonfinite} of {n} pictures hold NaN or infinity, "
                "which counts as wrong.",
                advice="Usual causes: half precision that overflows, a division "
                "by 0, weights that diverged.",
            )
        )
    findings += _constant(predictions(logits), labels)
    return Evidence(tuple(findings), (), (Measurement("nonfinite_outputs", nonfinite / n, n),))


def logits_evidence(outputs: Tensor) -> Evidence:
    """Looks whether a model's outputs are logits, and of what size.

    Args:
        outputs: (N, outputs), as the model gives them: a head that selects or groups them would
            hide what they add up to. Rows that aren't finite are left out. Their rounding is judged
            as that of the type they come in, which is float32 also where a model computes in half
            precision inside.
    """
    rows = outputs[outputs.isfinite().all(dim=1)]
    n = len(rows)
    if not n:
        return Evidence()
    rounding = torch.finfo(rows.dtype).eps
    rows = rows.double()
    findings, measurements = [], []

    as_probabilities = (rows >= 0).all(dim=1) & ((rows.sum(dim=1) - 1).abs() < _ROUNDED)
    as_logarithms = rows.logsumexp(dim=1).abs() < _TOLERANCE
    top = rows.topk(2, dim=1).values
    gap = float((top[:, 0] - top[:, 1]).median())
    # The spacing of floating point numbers is eps times the power of two below a number.
    spacing = rounding * float(2 ** rows.abs().amax(dim=1).clamp_min(1e-30).log2().floor().median())
    measurements += [
        Measurement("probability_rows", float(as_probabilities.float().mean()), n),
        Measurement("log_probability_rows", float(as_logarithms.float().mean()), n),
        Measurement("gap", gap, n),
    ]
    notes = []
    if as_probabilities.float().mean() >= _NEARLY_ALL:
        findings.append(_softmax("The outputs are probabilities"))
    elif _are_affine_probabilities(rows):
        findings.append(
            _softmax(
                "The outputs are probabilities times a factor, or plus an offset (rows have "
                "one sum and one least value)"
            )
        )
    elif as_logarithms.float().mean() >= _NEARLY_ALL:
        notes.append(
            "the outputs are logarithms of probabilities (log-softmax), which by itself changes "
            "nothing: probabilities, losses and, where nothing is clipped, gradients are those of "
            "the logits behind them."
        )
    elif ((rows >= 0) & (rows <= 1)).all() and top[:, 0].median() > _SURE:
        findings.append(_between_0_and_1())
    if gap > LARGEST_GAP:
        findings.append(_scaled(gap))
    if gap == 0:
        findings.append(_tied())
        return Evidence(tuple(findings), tuple(notes), tuple(measurements))
    measurements.append(Measurement("resolution", spacing / gap, n))
    if spacing > COARSEST * gap:
        size = float(rows.abs().amax(dim=1).median())
        apart = float((rows.amax(dim=1) - rows.amin(dim=1)).median())
        findings.append((_shifted if apart < _SHIFTED * size else _saturated)(size, spacing, gap))
    return Evidence(tuple(findings), tuple(notes), tuple(measurements))


def _are_affine_probabilities(rows: Tensor) -> bool:
    """Whether rows are a·p + b for probabilities p that are sure of themselves.

    Then all have the sum a + b·outputs, and the least of many is b, as nearly as its p is 0. Centred
    logits have one sum as well, and no least value that half of them come close to.
    """
    if len(rows) < _ROWS:
        return False
    differ = (rows - rows.mean(dim=0)).abs().amax(dim=1).median()
    # Rows that are all but the same have one of everything.
    if differ <= _DIFFER * (rows.amax(dim=1) - rows.amin(dim=1)).median():
        return False
    sums, least = rows.sum(dim=1), rows.amin(dim=1)
    one_sum = (sums - sums.median()).abs() <= _SAME_SUM * differ
    one_least = least - least.min() <= _SAME_LEAST * differ
    return bool(one_sum.double().mean() >= _NEARLY_ALL and one_least.double().mean() >= 0.5)


def _constant(said: Tensor, labels: Tensor) -> list[Finding]:
    classes = set(said[said >= 0].tolist())
    if len(said) < _MANY or len(classes) != 1 or len(set(labels.tolist())) < 2:
        return []
    if int((said != labels).sum()) < _OTHERS:
        return []
    return [
        Finding(
            kind="suspicious",
            about="constant predictions",
            seen=f"All {len(said)} pictures are taken for class {classes.pop()}.",
            advice="Usual causes: weights that were not loaded, or pixels in another range than the model expects.",
        )
    ]


def _softmax(are: str) -> Finding:
    return Finding(
        kind="masked",
        about="softmax outputs",
        seen=f"{are}, where logits are expected. A second softmax flattens "
        "them and their gradients vanish where the model is sure, which hides it from attacks.",
        advice="Take the softmax out of the model.",
    )


def _between_0_and_1() -> Finding:
    return Finding(
        kind="suspicious",
        about="outputs between 0 and 1",
        seen="All outputs lie between 0 and 1 and do not add up to 1, as those of a sigmoid do, "
        "where logits are expected. It flattens gradients where the model is sure.",
        advice="Take it out of the model.",
    )


def _tied() -> Finding:
    return Finding(
        kind="masked",
        about="tied outputs",
        seen="The two largest outputs are typically equal, as where they are clipped, rounded or "
        "saturated: what is predicted is then the order of the classes, and clipped outputs have no gradient.",
        advice="Take what does that out of the model.",
    )


def _scaled(gap: float) -> Finding:
    return Finding(
        kind="masked",
        about="scaled outputs",
        seen=f"The two largest outputs typically lie {gap:.4g} apart: there "
        "cross-entropy and its gradient are smaller than float32 can hold, which hides the model "
        "from attacks.",
        advice="Take the factor out that the logits are multiplied with.",
    )


def _shifted(size: float, spacing: float, gap: float) -> Finding:
    return Finding(
        kind="masked",
        about="shifted outputs",
        seen=f"The outputs are around {size:.4g}, where neighbouring floating point numbers are "
        f"{spacing:.2g} apart, and the two largest typically differ by {gap:.2g}: small steps of "
        "an attack are rounded away.",
        advice="Take out what is added to the logits, or compute them in higher precision.",
    )


def _saturated(size: float, spacing: float, gap: float) -> Finding:
    return Finding(
        kind="masked",
        about="saturated outputs",
        seen=f"The outputs reach {size:.4g}, where neighbouring floating point numbers are "
        f"{spacing:.2g} apart, and the two largest typically differ by {gap:.2g}, far less than "
        "others do: small steps of an attack are rounded away.",
        advice="Usual cause: a tanh or sigmoid behind the logits, or a clip. Take it out of the "
        "model.",
    )
