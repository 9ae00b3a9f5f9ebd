"""How much an answer may change when a picture comes again, or alone."""

import pytest
import torch
from torch import Tensor, nn

from unforeseen.check.asking import Asker
from unforeseen.check.repetition import batch_evidence, random_evidence, relative_change
from unforeseen.models.classifier import DifferentiableClassifier

#: Standard deviation 1 over the classes.
ROW = torch.tensor([-1.0, 0.0, 1.0])
PICTURES = torch.zeros(6, 3, 8, 8, dtype=torch.uint8)


class Drifting(nn.Module):
    """The same row for every picture, plus something for class 0."""

    def __init__(self, by_call: float = 0.0, by_others: float = 0.0) -> None:
        super().__init__()
        self._by_call, self._by_others, self._calls = by_call, by_others, 0

    def forward(self, x: Tensor) -> Tensor:
        plus = self._calls * self._by_call + (len(x) > 1) * self._by_others
        self._calls += 1
        return (ROW + plus * torch.tensor([1.0, 0.0, 0.0])).expand(len(x), -1)


def asker(model: nn.Module) -> Asker:
    return Asker(DifferentiableClassifier(model), batch_size=8)


def test_a_change_is_measured_in_standard_deviations_over_the_classes() -> None:
    one = ROW.repeat(3, 1)
    other = one.clone()
    other[1, 2] += 0.25
    assert relative_change(one, other) == pytest.approx(0.25)
    assert relative_change(7 * one, 7 * other) == pytest.approx(0.25)
    assert relative_change(one, one) == 0.0
    assert relative_change(one, torch.full_like(one, torch.nan)) == 0.0


@pytest.mark.parametrize(("change", "found"), [(0.015, False), (0.025, True)])
def test_answers_are_random_from_a_fiftieth_on(change: float, *, found: bool) -> None:
    evidence = random_evidence(asker(Drifting(by_call=change)), PICTURES, eot=1)
    assert [each.about for each in evidence.findings] == ["random outputs"] * found
    assert not evidence.notes
    averaged = random_evidence(asker(Drifting(by_call=change)), PICTURES, eot=4)
    assert not averaged.findings
    assert bool(averaged.notes) == found


@pytest.mark.parametrize(("change", "found"), [(0.015, False), (0.025, True)])
def test_answers_depend_on_the_batch_from_a_fiftieth_on(change: float, *, found: bool) -> None:
    evidence = batch_evidence(asker(Drifting(by_others=change)), PICTURES)
    assert [each.about for each in evidence.findings] == ["answers depend on the batch"] * found
