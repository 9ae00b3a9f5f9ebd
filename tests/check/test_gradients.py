"""How many gradients may be 0, or not finite, before a model is called masked."""

import pytest
import torch
from torch import Tensor, nn

from unforeseen.check.asking import Asker
from unforeseen.check.findings import Evidence
from unforeseen.check.gradients import gradients_evidence
from unforeseen.models.classifier import DifferentiableClassifier

MANY = 20


class Marked(nn.Module):
    """Two logits ±mean; what is done to pictures whose first pixel is bright hides their gradient."""

    def __init__(self, *, finite: bool) -> None:
        super().__init__()
        self._finite = finite

    def forward(self, x: Tensor) -> Tensor:
        return torch.cat([self._one(picture) for picture in x])

    def _one(self, picture: Tensor) -> Tensor:
        mean = picture.mean()
        if picture[0, 0, 0] > 0.5:
            # The root's slope at 0 is infinite, and 0 times that is NaN.
            mean = 0 * mean if self._finite else mean + (0 * mean).sqrt()
        return torch.stack([mean, -mean])[None]


def evidence(marked: int, *, finite: bool) -> Evidence:
    pictures = torch.full((MANY, 3, 8, 8), 90, dtype=torch.uint8)
    pictures[:marked, :, 0, 0] = 255
    asker = Asker(DifferentiableClassifier(Marked(finite=finite)), batch_size=8)
    return gradients_evidence(asker, pictures, torch.zeros(MANY, dtype=torch.long))


@pytest.mark.parametrize(("marked", "found"), [(0, []), (2, []), (3, ["masked"])])
def test_more_than_a_tenth_of_gradients_that_are_0_mask_a_model(
    marked: int, found: list[str]
) -> None:
    zero = evidence(marked, finite=True)
    assert [each.kind for each in zero.findings] == found
    assert zero.measurements[0].value == marked / MANY


@pytest.mark.parametrize(("marked", "found"), [(0, []), (2, ["suspicious"]), (3, ["masked"])])
def test_gradients_that_arent_finite_are_suspicious_and_mask_from_a_tenth_on(
    marked: int, found: list[str]
) -> None:
    nonfinite = evidence(marked, finite=False)
    assert [each.kind for each in nonfinite.findings] == found
    assert nonfinite.measurements[1].value == marked / MANY
