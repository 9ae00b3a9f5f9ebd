"""Normalisation as the first layer."""

import pytest
import torch
from torch import nn

from unforeseen.errors import ModelError
from unforeseen.models.classifier import DifferentiableClassifier
from unforeseen.models.normalise import Normalised


def test_normalisation_happens_exactly_once() -> None:
    """With channel means as logits, a constant picture c has the logits (c − mean) / std."""
    means = nn.Sequential(nn.AdaptiveAvgPool2d(1), nn.Flatten())
    mean, std = (0.1, 0.2, 0.3), (0.5, 0.25, 0.125)
    logits = DifferentiableClassifier(Normalised(means, mean, std)).logits(
        torch.full((2, 3, 8, 8), 0.6)
    )
    torch.testing.assert_close(logits, torch.tensor([[1.0, 1.6, 2.4]] * 2))


@pytest.mark.parametrize(
    ("mean", "std"), [((0.5,), (0.5, 0.5)), ((0.5,), (0.0,)), ((0.5,), (float("nan"),))]
)
def test_impossible_constants_are_refused(mean: tuple[float, ...], std: tuple[float, ...]) -> None:
    with pytest.raises(ModelError, match="std positive"):
        Normalised(nn.Identity(), mean, std)
