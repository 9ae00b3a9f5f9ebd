"""Whether a module's buffers are the same bytes, and whether it came in training mode."""

import math
from collections.abc import Callable

import pytest
import torch
from torch import Tensor, nn

from unforeseen.check.state import Buffers, training_note


def module_with(buffer: Tensor) -> nn.Module:
    module = nn.Module()
    module.register_buffer("kept", buffer)
    return module


VALUES = {
    "float32": torch.tensor([0.0, 1.5, math.nan]),
    "one number": torch.tensor(3),
    "empty": torch.zeros(0),
    "flags": torch.tensor([True, False]),
    "half": torch.ones(2, 3, dtype=torch.bfloat16).T,
    "complex": torch.tensor([1j]),
}


@pytest.mark.parametrize("value", VALUES.values(), ids=VALUES)
def test_the_same_bytes_are_no_change_whatever_they_mean(value: Tensor) -> None:
    module = module_with(value)
    before = Buffers.of(module)
    assert not before.evidence(module).findings
    module.register_buffer("kept", value.clone())
    assert not before.evidence(module).findings


CHANGES: dict[str, Callable[[nn.Module], object]] = {
    "a value": lambda module: module.get_buffer("kept").add_(1),
    "the sign of 0": lambda module: module.get_buffer("kept").neg_(),
    "another type": lambda module: module.double(),
    "another type of the same bytes": lambda module: module.register_buffer(
        "kept", torch.zeros(2, 2, dtype=torch.int32)
    ),
    "another shape": lambda module: module.register_buffer("kept", torch.zeros(3)),
    "gone": lambda module: module.register_buffer("kept", None),
}


@pytest.mark.parametrize("change", CHANGES.values(), ids=CHANGES)
def test_any_other_bytes_type_or_shape_are_a_change(
    change: Callable[[nn.Module], object],
) -> None:
    """Pitfall 4: buffers changed by a forward pass."""
    module = module_with(torch.zeros(2, 2))
    before = Buffers.of(module)
    change(module)
    (finding,) = before.evidence(module).findings
    assert finding.about == "the model changes when asked"
    assert "1 of the model's buffers (kept)" in finding.text


@pytest.mark.parametrize(
    ("layer", "noted"),
    [
        (nn.BatchNorm2d(3), True),
        (nn.Dropout(0.5), True),
        (nn.LayerNorm(3), False),
        (nn.Linear(3, 2), False),
    ],
)
def test_only_layers_that_behave_otherwise_in_training_are_noted(
    layer: nn.Module, *, noted: bool
) -> None:
    assert bool(training_note(nn.Sequential(layer).train()).notes) == noted
    assert not training_note(nn.Sequential(layer).eval()).notes
