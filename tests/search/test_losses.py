import math

import pytest
import torch
import torch.nn.functional as F

from unforeseen.search.losses import LOSSES, cross_entropy, margin


def drawn(*, dtype: torch.dtype = torch.float64) -> tuple[torch.Tensor, torch.Tensor]:
    generator = torch.Generator().manual_seed(0)
    logits = 5 * torch.randn(16, 7, generator=generator, dtype=dtype)
    return logits, torch.randint(0, 7, (16,), generator=generator)


def test_value_and_gradient_are_those_of_the_usual_form() -> None:
    logits, labels = drawn()
    logits.requires_grad_()
    ours, usual = cross_entropy(logits, labels), F.cross_entropy(logits, labels, reduction="none")
    torch.testing.assert_close(ours, usual)
    torch.testing.assert_close(
        torch.autograd.grad(ours.sum(), logits), torch.autograd.grad(usual.sum(), logits)
    )


@pytest.mark.parametrize("gap", [20.0, 30.0, 60.0])
def test_gradient_keeps_its_direction_where_the_usual_form_loses_the_true_class(gap: float) -> None:
    logits = torch.tensor([[gap, 0.0, 0.0, 0.0]], requires_grad=True)
    label = torch.tensor([0])
    (gradient,) = torch.autograd.grad(cross_entropy(logits, label).sum(), logits)
    # d/dz = softmax − onehot: by symmetry three equal parts against their sum.
    expected = torch.tensor([[-3.0, 1.0, 1.0, 1.0]]) * math.exp(-gap)
    torch.testing.assert_close(gradient, expected, rtol=1e-5, atol=0)

    (usual,) = torch.autograd.grad(F.cross_entropy(logits, label), logits)
    assert usual[0, 0] == 0


def test_a_certain_and_wrong_classifier_costs_the_gap_between_the_logits() -> None:
    logits, label = torch.tensor([[0.0, 1e6]]), torch.tensor([0])
    assert cross_entropy(logits, label).item() == 1e6


def test_one_examples_nonfinite_logits_leave_the_others_alone() -> None:
    logits, labels = drawn(dtype=torch.float32)
    clean = cross_entropy(logits, labels)
    logits[3, 2], logits[5, 0], logits[7, :] = math.nan, math.inf, -math.inf
    spoilt = cross_entropy(logits, labels)
    untouched = [number for number in range(16) if number not in (3, 5, 7)]
    assert torch.equal(spoilt[untouched], clean[untouched])
    assert not spoilt[[3]].isfinite().any()


def test_a_margin_is_the_best_other_class_minus_the_true_one() -> None:
    logits = torch.tensor([[3.0, 1.0, 2.5], [0.0, 4.0, 1.0]], requires_grad=True)
    labels = torch.tensor([0, 2])
    values = margin(logits, labels)
    assert values.tolist() == [-0.5, 3.0]
    (gradient,) = torch.autograd.grad(values.sum(), logits)
    assert gradient.tolist() == [[-1.0, 0.0, 1.0], [0.0, 1.0, -1.0]]


def test_a_margins_gradient_stays_where_cross_entropys_underflows() -> None:
    logits, label = torch.tensor([[1e4, 0.0]], requires_grad=True), torch.tensor([0])
    slopes = {
        name: torch.autograd.grad(loss(logits, label).sum(), logits)[0].abs().sum().item()
        for name, loss in LOSSES.items()
    }
    assert slopes == {"cross_entropy": 0.0, "margin": 2.0}
