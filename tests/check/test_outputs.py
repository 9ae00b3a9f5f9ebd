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


def sure(classes: int, *, scale: float = 4.0, rows: int = 64) -> Tensor:
    """Logits of a model that is mostly sure of itself."""
    generator = torch.Generator().manual_seed(classes)
    return scale * torch.randn(rows, classes, generator=generator)


@pytest.mark.parametrize("classes", [3, 10, 1000])
@pytest.mark.parametrize(
    "factor_and_offset", [(2.0, -1.0), (1.0, -1.0), (10.0, 0.0), (100.0, 0.0), (0.5, 3.0)]
)
def test_probabilities_are_seen_behind_a_factor_and_an_offset(
    factor_and_offset: tuple[float, float], classes: int
) -> None:
    factor, offset = factor_and_offset
    evidence = logits_evidence(factor * sure(classes).softmax(dim=1) + offset)
    assert "softmax outputs" in abouts(evidence)
    assert "times a factor, or plus an offset" in evidence.findings[0].seen


@pytest.mark.parametrize("dtype", [torch.bfloat16, torch.float16])
@pytest.mark.parametrize("classes", [3, 10, 1000])
def test_probabilities_are_seen_in_half_precision(dtype: torch.dtype, classes: int) -> None:
    rounded = sure(classes).softmax(dim=1).to(dtype).float()
    assert "softmax outputs" in abouts(logits_evidence(rounded))


@pytest.mark.parametrize("classes", [2, 3, 10, 1000])
@pytest.mark.parametrize("scale", [0.01, 1.0, 10.0])
def test_centred_logits_are_no_probabilities(classes: int, scale: float) -> None:
    """Rows of one sum, as a last layer has whose weights were centred."""
    logits = sure(classes, scale=scale)
    centred = logits - logits.mean(dim=1, keepdim=True)
    assert abouts(logits_evidence(centred)) == []


def test_rows_that_hardly_differ_are_no_probabilities() -> None:
    """An untrained model's: one sum and one least value, as nearly as they have one of anything."""
    bias = torch.arange(10.0) - 4.5
    assert abouts(logits_evidence(bias + sure(10, scale=1e-4))) == []


def test_a_few_rows_are_not_taken_for_scaled_probabilities() -> None:
    assert abouts(logits_evidence(2 * sure(10).softmax(dim=1)[:9] - 1)) == []


def test_outputs_that_saturate_are_not_said_to_be_shifted() -> None:
    """tanh(7) and tanh(8) differ by 1.4e-6; float32 numbers below 1 are 6e-8 apart."""
    saturated = torch.tensor([[8.0, 7.0, -3.0, 1.0]]).repeat(20, 1).tanh()
    assert abouts(logits_evidence(saturated)) == ["saturated outputs"]
    assert "tanh" in logits_evidence(saturated).findings[0].advice
    assert abouts(logits_evidence(1e6 + sure(4))) == ["shifted outputs"]


def test_the_note_about_logarithms_holds_where_they_are_clipped_too() -> None:
    clipped = sure(10).softmax(dim=1).clamp(1e-6, 1 - 1e-6).log()
    (note,) = logits_evidence(clipped).notes
    assert "where nothing is clipped" in note


@pytest.mark.parametrize(("others", "found"), [(4, []), (5, ["constant predictions"])])
def test_naming_one_class_is_constant_where_five_pictures_have_another_label(
    others: int, found: list[str]
) -> None:
    logits = torch.tensor([[1.0, 0.0]]).repeat(100, 1)
    labels = torch.tensor([0] * (100 - others) + [1] * others)
    assert abouts(outputs_evidence(logits, labels)) == found
