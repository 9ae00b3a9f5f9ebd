"""How much another normalisation must set right to be named."""

import pytest
import torch
from torch import Tensor, nn

from unforeseen.check.asking import Asker
from unforeseen.check.findings import Evidence
from unforeseen.check.normalisation import normalisation_evidence, variants
from unforeseen.models.classifier import DifferentiableClassifier


class FirstChannel(nn.Module):
    """Class 1 where the first channel is bright."""

    def forward(self, x: Tensor) -> Tensor:
        score = 10 * (x[:, 0].mean(dim=(1, 2)) - 0.5)
        return torch.stack([-score, score], dim=1)


def evidence(swapped: int, of: int) -> Evidence:
    """Dark pictures of class 0, and some of class 1 that are bright in the last channel only."""
    pictures = torch.full((of, 3, 8, 8), 10, dtype=torch.uint8)
    pictures[:swapped, 2] = 240
    labels = torch.zeros(of, dtype=torch.long)
    labels[:swapped] = 1
    asker = Asker(DifferentiableClassifier(FirstChannel()), batch_size=64)
    (flipped,) = (each for each in variants(None, None) if each.about.endswith("green, red"))
    return normalisation_evidence(asker, pictures, labels, asker.logits(pictures), [flipped])


@pytest.mark.parametrize(
    ("swapped", "of", "found"),
    # At least 5 % of the pictures, and at least the 11 that chance explains with p < 0.001 only.
    [(20, 400, True), (19, 400, False), (11, 100, True), (10, 100, False)],
)
def test_a_variant_is_named_where_it_sets_enough_right(
    swapped: int, of: int, *, found: bool
) -> None:
    result = evidence(swapped, of)
    assert [each.about for each in result.findings] == ["expects blue, green, red"] * found
    if found:
        assert result.measurements[0].value == 1.0
        assert result.findings[0].advice == "Flip them inside it: x.flip(1)."


def test_a_model_that_is_right_nowhere_may_be_right_everywhere_with_a_variant() -> None:
    """No batch of no pictures is asked about on the way."""
    assert evidence(30, 30).measurements[0].value == 1.0


@pytest.mark.parametrize("std", [0.2, 0.6])
def test_what_stays_in_0_and_1_is_marked_so_and_nothing_else(std: float) -> None:
    """All variants are linear, so that the ends show it."""
    ends = torch.tensor([0.0, 1.0]).view(2, 1, 1, 1).expand(2, 3, 1, 1)
    for each in variants((0.4, 0.5, 0.6), (std, std, std)):
        changed = each.change(ends)
        assert bool(((changed >= 0) & (changed <= 1)).all()) == each.in_range, each.cause
