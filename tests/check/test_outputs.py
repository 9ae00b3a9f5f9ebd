"""Outputs just on this side and on that of each threshold."""

import pytest
import torch
from torch import Tensor

from unforeseen.check.findings import Evidence
from unforeseen.check.outputs import logits_evidence
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
