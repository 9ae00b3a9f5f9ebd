"""What perturb makes of its arguments; what it refuses is in test_perturbation."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import pytest
import torch
from torch import Tensor
from torch.overrides import TorchFunctionMode
from typing_extensions import override

from oracles import pictures
from unforeseen.errors import UserError
from unforeseen.perturbation_inputs import donors_of, radii_of


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


def test_donors_from_the_batch_are_of_another_class_whatever_the_order() -> None:
    x, labels, ids = pictures(4, 32, 32), [0, 0, 1, 2], ["a", "b", "c", "d"]
    found = donors_of(None, x, labels, ids, 0)
    for number, donor in enumerate(found):
        (source,) = [j for j in range(4) if torch.equal(x[j], donor)]
        assert labels[source] != labels[number]
    order = [2, 0, 3, 1]
    shuffled = donors_of(None, x[order], [labels[j] for j in order], [ids[j] for j in order], 0)
    assert torch.equal(shuffled, found[order])


def test_donors_of_one_class_only_are_refused_and_given_ones_are_taken() -> None:
    x = pictures(2, 32, 32)
    with pytest.raises(UserError, match=r"pictures of two classes.* got class 7 only"):
        donors_of(None, x, [7, 7], ["a", "b"], 0)
    assert torch.equal(donors_of(1 - x, x, [7, 7], ["a", "b"], 0), 1 - x)
    with pytest.raises(UserError, match=r"donors: expected pictures of shape \(2, 3, 32, 32\)"):
        donors_of(pictures(1, 32, 32), x, [7, 7], ["a", "b"], 0)
