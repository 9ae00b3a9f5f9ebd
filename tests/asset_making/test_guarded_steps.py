"""Steps that are passed over, against Adam's own."""

import pytest
import torch

from unforeseen.asset_making.guarded_steps import GuardedSteps
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
