"""Do gradients come through the model, and are they numbers?"""

__all__ = ["NO_GRADIENT", "gradients_evidence"]

import torch
from torch import Tensor

from unforeseen.check.asking import Asker
from unforeseen.check.findings import Evidence, Finding, Measurement
from unforeseen.search.losses import cross_entropy

#: What the finding is called where there is none at all.
NO_GRADIENT = "no gradient"
#: From this share of pictures on the model is called masked.
_SOME = 0.1


def gradients_evidence(asker: Asker, pictures: Tensor, labels: Tensor) -> Evidence:
    """Takes the gradient of the loss with respect to each picture.

    Args:
        asker: Whom to ask; a differentiable classifier.
        pictures: (N, 3, H, W), uint8.
        labels: (N,).
    """
    gradients = asker.halving(lambda batch_size: _gradients(asker, pictures, labels, batch_size))
    if gradients is None:
        finding = Finding(
            kind="masked",
            about=NO_GRADIENT,
            seen="The outputs have no gradient with respect to the picture.",
            advice="The model detaches them, rounds through numpy, or runs under "
            "torch.no_grad(). Take that out, or give "
            "--steps 0 for attacks that aren't optimised.",
        )
        return Evidence((finding,))
    n = len(pictures)
    zero = int((gradients == 0).all(dim=1).sum())
    nonfinite = int((~gradients.isfinite().all(dim=1)).sum())
    findings = []
    if zero > _SOME * n:
        findings.append(
            Finding(
                kind="masked",
                about="zero gradients",
                seen=f"The gradient of the loss is exactly 0 for {zero} of {n} pictures, so attacks "
                "stand still.",
                advice="Usual causes: a rounding or thresholding layer, a backward pass "
                "that returns 0, outputs that are scaled up, saturated or clipped. Replace what has no gradient by "
                "something that has (for example a straight-through estimate).",
            )
        )
    if nonfinite:
        findings.append(
            Finding(
                kind="masked" if nonfinite > _SOME * n else "suspicious",
                about="non-finite gradients",
                seen=f"The gradient of the loss holds NaN or infinity for {nonfinite} of {n} "
                "pictures; attacks take NaN for 0 there.",
                advice="Usual causes: the root, power or logarithm of 0, half precision that overflows. Add a small number inside them.",
            )
        )
    measured = (
        Measurement("zero_gradients", zero / n, n),
        Measurement("nonfinite_gradients", nonfinite / n, n),
    )
    return Evidence(tuple(findings), (), measured)


def _gradients(asker: Asker, pictures: Tensor, labels: Tensor, batch_size: int) -> Tensor | None:
    """(N, 3·H·W) on the CPU, or None where there is no path from outputs to pictures."""
    parts = []
    parts_of = (torch.split(each, batch_size) for each in (pictures, labels))
    for part, truth in zip(*parts_of, strict=True):
        x = asker.on_device(part).requires_grad_()
        with torch.enable_grad():
            loss = cross_entropy(asker.classifier.logits(x), truth.to(x.device))
        gradient = None
        if loss.requires_grad:
            (gradient,) = torch.autograd.grad(loss.sum(), x, allow_unused=True)
        if gradient is None:
            return None
        parts.append(gradient.flatten(1).cpu())
    return torch.cat(parts)
