"""When the margin fools clearly more than cross-entropy, on a model whose borders are known."""

import pytest
import torch
from torch import Tensor, nn

from small import Watched
from unforeseen.check.asking import Asker
from unforeseen.check.cross_check import cross_check_evidence
from unforeseen.check.findings import Evidence
from unforeseen.models.classifier import DifferentiableClassifier

MANY = 20
#: 5.5/255 above the border: 8/255 leads over it, 4/255 doesn't.
GREY = 133


class Brightness(nn.Module):
    """Class 0 above a mean of 0.5. Where the first pixel is bright, cross-entropy's gradient is 0."""

    def forward(self, x: Tensor) -> Tensor:
        scale = torch.where(x[:, :, 0, 0].mean(dim=1) > 0.75, 1e6, 100.0)
        score = scale * (x.mean(dim=(1, 2, 3)) - 0.5)
        return torch.stack([score, -score], dim=1)


def evidence(
    hidden: int, *, side: int = 32, model: nn.Module | None = None, eot: int = 1
) -> Evidence:
    pictures = torch.full((MANY, 3, side, side), GREY, dtype=torch.uint8)
    pictures[:hidden, :, 0, 0] = 255
    labels = torch.zeros(MANY, dtype=torch.long)
    asker = Asker(DifferentiableClassifier(model or Brightness()), batch_size=8)
    return cross_check_evidence(asker, pictures, labels, asker.logits(pictures), seed=0, eot=eot)


def measured(evidence: Evidence) -> dict[str, float]:
    return {each.name: each.value for each in evidence.measurements}


@pytest.mark.parametrize(("hidden", "found"), [(0, False), (6, False), (7, True)])
def test_the_margin_must_fool_more_pictures_beyond_chance(hidden: int, *, found: bool) -> None:
    """Two-sided sign test: 2 · 2⁻⁶ = 0.031, 2 · 2⁻⁷ = 0.016."""
    result = evidence(hidden)
    assert measured(result) == {
        "fooled_by_cross_entropy": 1 - hidden / MANY,
        "fooled_by_margin": 1.0,
    }
    assert [each.about for each in result.findings] == ["the margin fools more"] * found


@pytest.mark.parametrize(("side", "fooled"), [(127, 1.0), (128, 0.0)])
def test_the_ball_is_the_fields_for_small_pictures_and_for_large_ones(
    side: int, fooled: float
) -> None:
    assert measured(evidence(0, side=side))["fooled_by_margin"] == fooled


def test_every_evaluation_of_the_attacks_takes_the_mean_of_the_runs_passes() -> None:
    """Two attacks; what is asked once before them is left out."""
    seen = []
    for eot in (1, 3):
        model = Watched(Brightness())
        evidence(0, model=model, eot=eot)
        seen.append(model.pictures_seen - MANY)
    assert seen[1] == 3 * seen[0] > 0


def test_without_pictures_that_are_right_nothing_is_said() -> None:
    asker = Asker(DifferentiableClassifier(Brightness()), batch_size=8)
    none = torch.zeros(0, 3, 32, 32, dtype=torch.uint8)
    labels = torch.zeros(0, dtype=torch.long)
    assert cross_check_evidence(asker, none, labels, torch.zeros(0, 2), seed=0) == Evidence()
