"""Does a picture get the same answer again, and alone as among others?"""

__all__ = ["batch_evidence", "random_evidence", "relative_change"]

import torch
from torch import Tensor

from unforeseen.check.asking import Asker
from unforeseen.check.findings import Evidence, Finding, Measurement

#: Change of the outputs, relative to their spread over the classes, that rounding can't explain:
#: reduced precision (TF32, bfloat16) rounds to about 0.004.
LARGEST_CHANGE = 0.02
#: Change relative to the outputs themselves that float32 makes in any order of summation.
_ROUNDING = 1e-6
#: Pictures that are asked about one by one.
_ALONE = 2


def random_evidence(asker: Asker, pictures: Tensor, *, eot: int) -> Evidence:
    """Asks twice about the same batch.

    Args:
        asker: Whom to ask.
        pictures: (N, 3, H, W), uint8.
        eot: Passes that the run takes the mean of anyway.
    """
    first = asker.logits(pictures)
    # A black box that remembers its answers is asked again, and what it remembers stays.
    second = asker.logits(pictures, which=1)
    change = relative_change(first, second)
    measured = (Measurement("randomness", change, len(pictures)),)
    if change <= LARGEST_CHANGE:
        return Evidence(measurements=measured)
    if eot > 1:
        note = f"the model draws at random; every evaluation takes the mean of {eot} passes."
        return Evidence(notes=(note,), measurements=measured)
    flipped = int((first.argmax(dim=1) != second.argmax(dim=1)).sum())
    finding = Finding(
        kind="suspicious",
        about="random outputs",
        seen=f"The same pictures get other answers when asked again ({flipped} of {len(pictures)} "
        "another class).",
        advice="Usual causes: dropout or noise that is on in evaluation mode. If it is "
        "meant, give --eot N (for example 10), so that every evaluation takes the mean of N passes.",
    )
    return Evidence((finding,), (), measured)


def batch_evidence(asker: Asker, pictures: Tensor) -> Evidence:
    """Asks about pictures among others, and about some of them alone.

    Args:
        asker: Whom to ask; one that gives the same answer twice.
        pictures: (N, 3, H, W), uint8.
    """
    if len(pictures) < 2 or asker.batch_size < 2:
        return Evidence()
    together = asker.logits(pictures)[:_ALONE]
    alone = torch.cat([asker.logits(picture[None]) for picture in pictures[:_ALONE]])
    change = relative_change(together, alone)
    measured = (Measurement("batch_dependence", change, len(together)),)
    if change <= LARGEST_CHANGE:
        return Evidence(measurements=measured)
    finding = Finding(
        kind="suspicious",
        about="answers depend on the batch",
        seen="A picture gets another answer alone than among others, so results depend on which "
        "pictures come together.",
        advice="Usual cause: batch normalisation with the batch's own "
        "statistics (track_running_stats=False, or a forward that calls train()). Use the "
        "statistics of training.",
    )
    return Evidence((finding,), (), measured)


def relative_change(one: Tensor, other: Tensor) -> float:
    """Largest difference of two answers, relative to how far apart classes typically are.

    Answers that aren't finite are left out; where none is, nothing changes.

    Args:
        one: (N, classes).
        other: (N, classes).
    """
    finite = one.isfinite().all(dim=1) & other.isfinite().all(dim=1)
    if not finite.any():
        return 0.0
    one, other = one[finite].double(), other[finite].double()
    spread = float(one.std(dim=1).median())
    largest = float((one - other).abs().max())
    if largest <= _ROUNDING * float(one.abs().max()):
        return 0.0
    # Where all outputs are alike, any change is the whole of it.
    return min(largest / spread, 1e6) if spread > 0 else 1e6
