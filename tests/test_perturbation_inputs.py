"""What perturb makes of its arguments; what it refuses is in test_perturbation."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import pytest
import torch
from torch import Tensor
from torch.overrides import TorchFunctionMode
from typing_extensions import override

from unforeseen.perturbation_inputs import radii_of


class DeviceWithoutFloat64(TorchFunctionMode):
    """As on MPS: nothing is float64 before it was brought to the CPU."""

    def __init__(self) -> None:
        super().__init__()
        self._on_cpu = False

    @override
    def __torch_function__(
        self,
        func: Callable[..., Any],
        types: Sequence[type],
        args: Sequence[Any] = (),
        kwargs: Mapping[str, Any] | None = None,
    ) -> Any:
        found = func(*args, **(kwargs or {}))
        self._on_cpu |= func is Tensor.cpu
        if isinstance(found, Tensor) and found.dtype == torch.float64 and not self._on_cpu:
            raise TypeError("Cannot convert a MPS Tensor to float64 dtype")
        return found


def test_radii_may_lie_on_a_device_without_float64() -> None:
    radius = torch.tensor([0.25, 0.5])
    with DeviceWithoutFloat64():
        assert radii_of(None, radius, {}, 2) == [0.25, 0.5]


@pytest.mark.parametrize("radius", [0.1, torch.tensor(0.1, dtype=torch.float64)])
def test_a_radius_keeps_all_its_digits(radius: float | Tensor) -> None:
    assert radii_of(None, radius, {}, 3) == [0.1] * 3
