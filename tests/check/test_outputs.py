"""Outputs just on this side and on that of each threshold."""

import pytest
import torch
from torch import Tensor

from unforeseen.check.findings import Evidence
from unforeseen.check.outputs import logits_evidence, outputs_evidence
from unforeseen.search.losses import cross_entropy


def abouts(evidence: Evidence) -> list[str]:
    return [finding.about for finding in evidence.findings]


def apart(gap: float, *, plus: float = 0.0) -> Tensor:
    """Twenty rows whose two largest outputs are so far apart."""
    return torch.tensor([[gap, 0.0, -1.0]]).repeat(20, 1) + plus


@pytest.mark.parametrize(
    ("gap", "found"),
    [(60.0, []), (86.0, []), (88.0, ["scaled outputs"]), (120.0, ["scaled outputs"])],
)
def test_outputs_are_scaled_from_the_gap_on_where_float32_loses_the_loss(
    gap: float, found: list[str]
) -> None:
    assert abouts(logits_evidence(apart(gap))) == found
    logits = apart(gap).requires_grad_()
    loss = cross_entropy(logits, torch.zeros(20, dtype=torch.long)).sum()
    (gradient,) = torch.autograd.grad(loss, logits)
    normal = torch.finfo(torch.float32).smallest_normal
    assert bool((gradient[:, 0].abs() > normal).all()) == (not found)


@pytest.mark.parametrize(("plus", "found"), [(1e4, []), (2e4, ["shifted outputs"])])
def test_outputs_are_shifted_where_rounding_is_a_thousandth_of_the_gap(
    plus: float, found: list[str]
) -> None:
    """Float32 numbers from 8192 on are 1/1024 apart, from 16384 on 1/512."""
    assert abouts(logits_evidence(apart(1.0, plus=plus))) == found


@pytest.mark.parametrize(("top", "found"), [(0.49, []), (0.51, ["outputs between 0 and 1"])])
def test_outputs_in_0_and_1_look_like_a_sigmoids_where_the_largest_are_above_a_half(
    top: float, found: list[str]
) -> None:
    rows = torch.tensor([[top, 0.3, 0.1]]).repeat(20, 1)
    assert abouts(logits_evidence(rows)) == found


@pytest.mark.parametrize(("alike", "of", "found"), [(99, 100, True), (98, 100, False)])
def test_outputs_are_probabilities_where_nearly_all_rows_add_up_to_1(
    alike: int, of: int, *, found: bool
) -> None:
    rows = torch.tensor([[0.7, 0.2, 0.1]]).repeat(of, 1)
    rows[alike:, 0] = 0.9
    assert ("softmax outputs" in abouts(logits_evidence(rows))) == found


@pytest.mark.parametrize(("count", "found"), [(19, []), (20, ["constant predictions"])])
def test_one_class_for_all_is_constant_from_20_pictures_on(count: int, found: list[str]) -> None:
    labels = torch.arange(count) % 3
    assert abouts(outputs_evidence(apart(5.0)[:1].repeat(count, 1), labels)) == found


def test_a_single_row_that_is_not_finite_is_told() -> None:
    rows = apart(5.0)
    rows[3, 1] = torch.inf
    evidence = outputs_evidence(rows, torch.arange(20) % 3)
    assert "non-finite outputs" in abouts(evidence)
    assert evidence.measurements[0].value == 1 / 20
