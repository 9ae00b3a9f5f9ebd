"""Losses against their equations, and what becomes of them where float32 ends."""

import math

import numpy as np
import pytest
import torch
import torch.nn.functional as F

from unforeseen.errors import UserError
from unforeseen.search.losses import (
    LOSSES,
    cross_entropy,
    difference_of_logits_ratio,
    margin,
    other_classes,
    starts_for,
    targeted_difference_of_logits_ratio,
)


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
    slopes = [
        torch.autograd.grad(loss(logits, label).sum(), logits)[0].abs().sum().item()
        for loss in (cross_entropy, margin)
    ]
    assert slopes == [0.0, 2.0]


def test_the_ratios_are_those_of_their_equations() -> None:
    """Croce & Hein 2020, equations 6 and 7, an example at a time in numpy."""
    logits, labels = drawn()
    targets = (labels + 3) % 7
    untargeted = difference_of_logits_ratio(logits, labels)
    targeted = targeted_difference_of_logits_ratio(logits, labels, targets)
    for number, (z, y, t) in enumerate(
        zip(logits.numpy(), labels.tolist(), targets.tolist(), strict=True)
    ):
        top = np.sort(z)[::-1]
        best = max(value for place, value in enumerate(z) if place != y)
        assert untargeted[number].item() == pytest.approx(-(z[y] - best) / (top[0] - top[2]))
        spread = top[0] - (top[2] + top[3]) / 2
        assert targeted[number].item() == pytest.approx(-(z[y] - z[t]) / spread)


@pytest.mark.parametrize(("factor", "offset"), [(1e4, 0.0), (1e-3, 0.0), (1.0, 50.0)])
def test_neither_factor_nor_offset_changes_a_ratio(factor: float, offset: float) -> None:
    logits, labels = drawn()
    other = factor * logits + offset
    torch.testing.assert_close(
        difference_of_logits_ratio(other, labels), difference_of_logits_ratio(logits, labels)
    )
    targets = (labels + 1) % 7
    torch.testing.assert_close(
        targeted_difference_of_logits_ratio(other, labels, targets),
        targeted_difference_of_logits_ratio(logits, labels, targets),
    )


def test_equal_logits_give_finite_ratios_and_gradients() -> None:
    logits, labels = torch.zeros(1, 5, requires_grad=True), torch.tensor([2])
    for ratio in (
        difference_of_logits_ratio(logits, labels),
        targeted_difference_of_logits_ratio(logits, labels, torch.tensor([1])),
    ):
        assert ratio.item() == 0
        (gradient,) = torch.autograd.grad(ratio.sum(), logits)
        assert gradient.isfinite().all()


@pytest.mark.parametrize(("classes", "fewest"), [(2, 3), (3, 4)])
def test_too_few_classes_for_a_ratio_are_said(classes: int, fewest: int) -> None:
    logits, labels = torch.zeros(1, classes), torch.tensor([0])
    loss = LOSSES["dlr" if fewest == 3 else "targeted_dlr"]
    with pytest.raises(UserError, match=f"at least {fewest} classes, got {classes}"):
        loss(logits, labels, labels, labels)


def test_targets_are_the_likeliest_wrong_classes_and_no_more_than_there_are() -> None:
    logits = torch.tensor([[5.0, 1.0, 4.0, 2.0], [0.0, 3.0, 1.0, 2.0]])
    found = other_classes(logits, torch.tensor([0, 1]))
    assert found.tolist() == [[2, 3, 1], [3, 2, 0]]
    assert other_classes(torch.rand(2, 50), torch.tensor([0, 1])).shape == (2, 9)
    assert starts_for("targeted_dlr", 20, 4) == 3
    assert starts_for("autoattack", 20, 4) == 4
    assert starts_for("autoattack", 10, 1000) == 10
    assert starts_for("margin", 20, 4) == 20


def test_the_loss_of_autoattack_is_cross_entropy_first_and_targeted_then() -> None:
    logits, labels = drawn()
    targets, restart = (labels + 2) % 7, torch.arange(16) % 3
    found = LOSSES["autoattack"](logits, labels, targets, restart)
    first = restart == 0
    torch.testing.assert_close(found[first], cross_entropy(logits, labels)[first])
    torch.testing.assert_close(
        found[~first], targeted_difference_of_logits_ratio(logits, labels, targets)[~first]
    )
