"""Steps that are passed over, against Adam's own."""

import copy
from collections.abc import Callable

import pytest
import torch
from torch import Tensor

from unforeseen.asset_making.guarded_steps import GuardedSteps, load_adam
from unforeseen.errors import ModelError

NAN = float("nan")


def guarded(value: torch.Tensor, **options: float) -> GuardedSteps:
    return GuardedSteps([value], learning_rate=0.1, **options)


def start() -> torch.Tensor:
    return torch.tensor([1.0, -2.0], requires_grad=True)


def loss_of(value: torch.Tensor, factor: float = 1.0) -> torch.Tensor:
    return factor * value.square().sum()


def bad_losses(value: torch.Tensor) -> list[torch.Tensor]:
    """NaN, infinity, and 0 with a gradient of NaN: the root's is infinite at 0, and times 0."""
    return [loss_of(value, NAN), loss_of(value, float("inf")), (0 * value).sqrt().sum()]


def test_finite_steps_are_adams() -> None:
    ours, theirs = start(), start()
    guard, adam = guarded(ours), torch.optim.Adam([theirs], lr=0.1)
    for _ in range(3):
        assert guard.step(loss_of(ours))
        adam.zero_grad()
        loss_of(theirs).backward()  # type: ignore[no-untyped-call]  # torch's
        adam.step()
    assert torch.equal(ours, theirs)
    assert (guard.skipped, guard.note(3)) == (0, "")


def test_a_step_without_a_finite_loss_or_gradient_is_as_if_it_had_not_been() -> None:
    ours, theirs = start(), start()
    guard, plain = guarded(ours), guarded(theirs)
    for number in range(3):
        guard.step(loss_of(ours))
        plain.step(loss_of(theirs))
        assert not guard.step(bad_losses(ours)[number])
    assert torch.equal(ours, theirs)
    assert guard.skipped == 3
    assert guard.note(1000).startswith("3 of 1,000 steps were passed over")


def test_nothing_but_such_steps_ends_in_one_line() -> None:
    value = start()
    guard = guarded(value)
    for _ in range(9):
        guard.step(loss_of(value, NAN))
    again = guarded(value)
    again.go_on_from(guard.state())
    with pytest.raises(ModelError, match="none in 10 steps in a row") as ended:
        again.step(loss_of(value, NAN))
    assert "\n" not in str(ended.value)
    assert torch.equal(value, start())


def test_longer_gradients_are_shortened() -> None:
    value = start()
    guarded(value, longest_gradient=1.0).step(loss_of(value))
    assert value.grad is not None
    assert float(value.grad.norm()) == pytest.approx(1.0, rel=1e-5)


def trained(rate: float = 0.1) -> torch.optim.Adam:
    weights = [torch.ones(2, 3, requires_grad=True), torch.ones(4, requires_grad=True)]
    optimizer = torch.optim.Adam(weights, lr=rate)
    for each in weights:
        each.grad = each.detach().clone()
    optimizer.step()
    return optimizer


def test_moments_are_taken_back_and_the_rate_stays_that_of_the_recipe() -> None:
    source, other = trained(), trained(rate=0.3)
    source.step()
    load_adam(other, copy.deepcopy(source.state_dict()))
    ours, theirs = other.state_dict(), source.state_dict()
    assert ours["param_groups"][0]["lr"] == 0.3
    for number in (0, 1):
        for name in ("step", "exp_avg", "exp_avg_sq"):
            assert torch.equal(ours["state"][number][name], theirs["state"][number][name])


def _misshapen(moments: dict[int, dict[str, Tensor]]) -> None:
    moments[0]["exp_avg"] = torch.zeros(3, 2)


def _broadcast(moments: dict[int, dict[str, Tensor]]) -> None:
    moments[1]["exp_avg_sq"] = torch.zeros(1)


def _never(moments: dict[int, dict[str, Tensor]]) -> None:
    moments[0]["step"] = torch.tensor(-1.0)


def _negative(moments: dict[int, dict[str, Tensor]]) -> None:
    moments[0]["exp_avg_sq"] -= 1


def _missing(moments: dict[int, dict[str, Tensor]]) -> None:
    del moments[0]["exp_avg"]


def _foreign(moments: dict[int, dict[str, Tensor]]) -> None:
    moments[2] = moments[1]


@pytest.mark.parametrize("change", [_misshapen, _broadcast, _never, _negative, _missing, _foreign])
def test_moments_that_do_not_fit_are_refused_before_a_step_meets_them(
    change: Callable[[dict[int, dict[str, Tensor]]], None],
) -> None:
    optimizer = trained()
    state = copy.deepcopy(optimizer.state_dict())
    change(state["state"])
    with pytest.raises((ValueError, KeyError)):
        load_adam(optimizer, state)
