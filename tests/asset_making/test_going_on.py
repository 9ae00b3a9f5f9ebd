"""The one loop: where it ends, what it keeps, and who is told."""

import time
from collections.abc import Generator, Sequence
from pathlib import Path
from typing import Any

import pytest
import torch

from unforeseen.asset_making import going_on
from unforeseen.asset_making.checkpoint import Checkpoint, read_checkpoint
from unforeseen.asset_making.curve import Column
from unforeseen.asset_making.going_on import GoingOn, Limits
from unforeseen.asset_making.guarded_steps import GuardedSteps
from unforeseen.asset_making.record import environment
from unforeseen.errors import ModelError, RunError
from unforeseen.stage_reporter import SilentStages

CPU = torch.device("cpu")


class Falling:
    """Goes towards 0 in steps of Adam; each takes a second of a clock that only it moves."""

    def __init__(self, clock: list[float], *, overflowing: bool = False) -> None:
        self.steps = 0
        self.value = torch.tensor([4.0], requires_grad=True)
        self.guard = GuardedSteps([self.value], learning_rate=0.1)
        self.clock = clock
        self.factor = float("nan") if overflowing else 1.0

    def step(self) -> Sequence[float]:
        loss = self.factor * self.value.square().sum()
        self.guard.step(loss)
        self.steps += 1
        self.clock[0] += 1.0
        return [float(loss.detach())]

    def state(self) -> dict[str, Any]:
        return {
            "steps": self.steps,
            "value": self.value.detach().clone(),
            "guard": self.guard.state(),
        }

    def go_on_from(self, state: dict[str, Any]) -> None:
        self.steps = state["steps"]
        self.value.data.copy_(state["value"])
        self.guard.go_on_from(state["guard"])


class Watching(SilentStages):
    def __init__(self, stop_at: int | None = None) -> None:
        self.notes: list[str] = []
        self.told: list[tuple[str, int, int, str]] = []
        self.stop_at = stop_at

    def note(self, text: str) -> None:
        self.notes.append(text)

    def advance(self, stage: str, done: int, total: int, about: str = "") -> None:
        self.told.append((stage, done, total, about))
        if done == self.stop_at:
            raise KeyboardInterrupt


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    now = [100.0]
    monkeypatch.setattr(time, "monotonic", lambda: now[0])
    return now


def begun(folder: Path, limits: Limits) -> GoingOn:
    return GoingOn(
        folder / "x.checkpoint",
        of="patch",
        deciding={"seed": 0},
        curve=folder / "x.losses.csv",
        columns=[Column("loss")],
        every=2,
        limits=limits,
        few=4,
        until_then="it flies.",
    )


def fall(
    folder: Path,
    clock: list[float],
    limits: Limits,
    *,
    reporter: SilentStages | None = None,
    overflowing: bool = False,
) -> Falling:
    falling = Falling(clock, overflowing=overflowing)
    begun(folder, limits).optimise(falling, CPU, reporter or SilentStages(), stage="falling")
    return falling


def read(folder: Path) -> Checkpoint | None:
    path = folder / "x.checkpoint"
    return read_checkpoint(path, of="patch", deciding={"seed": 0}, columns=2, every=2)


def kept_steps(folder: Path) -> int:
    found = read(folder)
    assert found is not None
    return found.steps


def test_it_ends_at_whichever_limit_comes_first(tmp_path: Path, clock: list[float]) -> None:
    assert fall(tmp_path / "steps", clock, Limits(steps=3, seconds=60)).steps == 3
    assert fall(tmp_path / "seconds", clock, Limits(steps=60, seconds=4)).steps == 4
    # What was done before counts too.
    assert fall(tmp_path / "seconds", clock, Limits(seconds=5.5)).steps == 6


def test_steps_are_counted_as_steps_and_time_in_seconds(tmp_path: Path, clock: list[float]) -> None:
    steps, seconds = Watching(), Watching()
    fall(tmp_path / "steps", clock, Limits(steps=20), reporter=steps)
    assert [each[:3] for each in steps.told] == [("falling", done, 20) for done in range(21)]
    assert [each[3] for each in steps.told[:2]] == ["", "loss 16"]
    fall(tmp_path / "seconds", clock, Limits(seconds=90), reporter=seconds)
    assert [each[:3] for each in seconds.told][:2] == [
        ("falling, in seconds", 0, 90),
        ("falling, in seconds", 1, 90),
    ]


def test_what_was_stopped_goes_on_as_if_it_had_not_been(tmp_path: Path, clock: list[float]) -> None:
    whole = fall(tmp_path / "whole", clock, Limits(steps=7))
    with pytest.raises(KeyboardInterrupt):
        fall(tmp_path / "stopped", clock, Limits(steps=7), reporter=Watching(stop_at=5))
    assert kept_steps(tmp_path / "stopped") == 1
    watching = Watching()
    again = fall(tmp_path / "stopped", clock, Limits(steps=7), reporter=watching)
    assert watching.told[0][:3] == ("falling", 1, 7)
    assert torch.equal(whole.value, again.value)
    curves = [tmp_path / name / "x.losses.csv" for name in ("whole", "stopped")]
    assert curves[0].read_bytes() == curves[1].read_bytes()


def test_a_checkpoint_comes_after_the_first_step_and_every_half_minute(
    tmp_path: Path, clock: list[float]
) -> None:
    for stopped, kept in ((1, None), (2, 1), (32, 1), (33, 32), (63, 63 - 31)):
        folder = tmp_path / str(stopped)
        with pytest.raises(KeyboardInterrupt):
            fall(folder, clock, Limits(steps=99), reporter=Watching(stop_at=stopped))
        assert (kept_steps(folder) if kept else None) == kept
    assert going_on._CHECKPOINT_SECONDS == 30


def test_what_has_ended_is_told_nobody_again_and_fewer_steps_are_refused(
    tmp_path: Path, clock: list[float]
) -> None:
    fall(tmp_path, clock, Limits(steps=3))
    watching = Watching()
    assert fall(tmp_path, clock, Limits(steps=3), reporter=watching).steps == 3
    assert watching.told == []
    with pytest.raises(RunError, match="3 steps were done already"):
        fall(tmp_path, clock, Limits(steps=2))


def test_nothing_but_steps_that_were_passed_over_does_not_end_well(
    tmp_path: Path, clock: list[float]
) -> None:
    with pytest.raises(ModelError, match="got none in all 4 steps") as ended:
        fall(tmp_path, clock, Limits(steps=4), overflowing=True)
    assert "\n" not in str(ended.value)


def test_all_on_which_it_was_made_is_kept_once(
    tmp_path: Path, clock: list[float], monkeypatch: pytest.MonkeyPatch
) -> None:
    for number, version in enumerate(("1", "2", "2", "1"), start=1):
        there = environment(CPU) | {"torch": version}
        monkeypatch.setattr(going_on, "environment", lambda _device, there=there: there)
        fall(tmp_path, clock, Limits(steps=number))
    found = read(tmp_path)
    assert found is not None
    assert [each["torch"] for each in found.made_on] == ["1", "2"]


@pytest.mark.parametrize(("steps", "said"), [(1, "1 step"), (3, "3 steps"), (4, None)])
def test_after_few_steps_it_is_said_what_that_means(
    tmp_path: Path, clock: list[float], steps: int, said: str | None
) -> None:
    watching = Watching()
    fall(tmp_path, clock, Limits(steps=steps), reporter=watching)
    assert watching.notes == ([] if said is None else [f"falling: after {said}, it flies."])


class Counting:
    """Measures ten things, each in twenty seconds of a clock that only it moves."""

    def __init__(self, clock: list[float]) -> None:
        self.clock = clock
        self.done = 0
        self.asked: list[int] = []

    def rest(self) -> Generator[None, None, None]:
        while self.done < 10:
            self.clock[0] += 20.0
            self.asked.append(self.done)
            self.done += 1
            yield

    def state(self) -> dict[str, Any]:
        return {"done": self.done}

    def go_on_from(self, state: dict[str, Any]) -> None:
        self.done = state["done"]


def test_what_was_measured_is_not_measured_again_but_for_half_a_minute(
    tmp_path: Path, clock: list[float], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Pitfall: kill -9 in the middle of measuring, which takes longer than optimising may."""
    making = begun(tmp_path, Limits(steps=3))
    falling = Falling(clock)
    making.optimise(falling, CPU, SilentStages(), stage="falling")
    first, killed = Counting(clock), 7

    def stop(self: Counting) -> dict[str, Any]:
        if self.done == killed:
            raise KeyboardInterrupt
        return {"done": self.done}

    with monkeypatch.context() as patch:
        patch.setattr(Counting, "state", stop)
        with pytest.raises(KeyboardInterrupt):
            making.measure(falling, first)
    again, once_more = Counting(clock), Counting(clock)
    for counting in (again, once_more):
        making = begun(tmp_path, Limits(steps=3))
        falling = Falling(clock)
        making.optimise(falling, CPU, SilentStages(), stage="falling")
        making.measure(falling, counting)
    assert first.asked == [*range(7)]
    assert again.asked == [*range(6, 10)]
    assert once_more.asked == []
    assert once_more.done == 10


def test_further_steps_are_measured_anew(tmp_path: Path, clock: list[float]) -> None:
    for steps in (3, 4):
        making, falling, counting = (
            begun(tmp_path, Limits(steps=steps)),
            Falling(clock),
            Counting(clock),
        )
        making.optimise(falling, CPU, SilentStages(), stage="falling")
        making.measure(falling, counting)
        assert counting.asked == [*range(10)]
