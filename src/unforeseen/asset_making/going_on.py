"""Optimising step by step up to a limit, so that whatever was stopped goes on as if it hadn't been."""

__all__ = ["GoingOn", "InParts", "InSteps", "Limits"]

import time
from collections.abc import Callable, Generator, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol

import torch

from unforeseen.asset_making.checkpoint import (
    Checkpoint,
    Made,
    fitting,
    read_checkpoint,
    refuse_fewer_steps,
    write_checkpoint,
)
from unforeseen.asset_making.curve import Column, Curve
from unforeseen.asset_making.guarded_steps import GuardedSteps
from unforeseen.asset_making.record import environment
from unforeseen.counted import counted
from unforeseen.stage_reporter import StageReporter

#: Seconds between two checkpoints: what a killed process loses at most, but for a step or part.
_CHECKPOINT_SECONDS = 30.0


class InSteps(Protocol):
    """What is optimised. A step depends on the state and on the number of the step alone."""

    steps: int
    guard: GuardedSteps

    def step(self) -> Sequence[float]:
        """Does one step; returns its losses, what is made small first."""

    def state(self) -> dict[str, Any]:
        """What it goes on from: ``steps``, and numbers and tensors."""

    def go_on_from(self, state: dict[str, Any]) -> None:
        """Takes a state back; raises many types for one that isn't its own."""


class InParts(Protocol):
    """What is measured when it has ended."""

    def rest(self) -> Generator[None, None, None]:
        """Measures what is left, a part from one to the next."""

    def state(self) -> dict[str, Any]:
        """What it goes on from, in numbers."""

    def go_on_from(self, state: dict[str, Any]) -> None:
        """Takes a state back; raises many types for one that isn't its own."""


@dataclass(frozen=True, kw_only=True)
class Limits:
    """When it ends: at whichever comes first.

    Attributes:
        steps: Of all of it, what was done before it was stopped included.
        seconds: Likewise.
    """

    steps: int | None = None
    seconds: float | None = None

    def reached(self, steps: int, seconds: float) -> bool:
        """Whether it is over."""
        return (self.steps is not None and steps >= self.steps) or (
            self.seconds is not None and seconds >= self.seconds
        )


class GoingOn:
    """Something in the making, as far as it is: a training or a patch.

    Args:
        checkpoint: Where it is kept between; it goes on from there if there is one.
        of: What it is.
        deciding: What decides it, as JSON would give it back.
        curve: Where its losses go, a CSV; the plot goes beside it.
        columns: The losses.
        every: So many steps there is a line of them.
        limits: How long it is made.
        few: After fewer steps it isn't yet what it is to be.
        until_then: What is said then: how it is, and how many steps it takes.

    Raises:
        RunError: The checkpoint can't be used, was begun otherwise, or is of more steps.
    """

    def __init__(
        self,
        checkpoint: Path,
        *,
        of: Made,
        deciding: Mapping[str, Any],
        curve: Path,
        columns: Sequence[Column],
        every: int,
        limits: Limits,
        few: int,
        until_then: str,
    ) -> None:
        found = read_checkpoint(
            checkpoint, of=of, deciding=deciding, columns=1 + len(columns), every=every
        )
        if found is not None:
            refuse_fewer_steps(checkpoint, done=found.steps, asked=limits.steps)
        self.seconds = 0.0 if found is None else found.seconds
        self._measured = None if found is None else found.measured
        self._made_on = [] if found is None else found.made_on
        self._curve = Curve(columns, every, found)
        self._curve_file = curve
        self._path = checkpoint
        self._of: Made = of
        self._deciding = dict(deciding)
        self._limits = limits
        self._few, self._until_then = few, until_then
        self._found = found

    def optimise(
        self,
        optimised: InSteps,
        device: torch.device,
        reporter: StageReporter,
        *,
        stage: str,
        begin: Callable[[], None] = lambda: None,
    ) -> None:
        """Does what steps are left; a checkpoint after the first, now and then, and at the end.

        Args:
            optimised: As it is at its own beginning.
            device: Where.
            reporter: Told what happens.
            stage: What it is told this is called.
            begin: Called once the first step is done, before anything is written.

        Raises:
            RunError: A state that doesn't fit; or nothing can be written.
            ModelError: All steps were passed over, or too many in a row.
        """
        if self._found is not None:
            with fitting(self._path, self._of):
                optimised.go_on_from(self._found.state)
        limits, loss = self._limits, None
        saved: float | None = None
        begun = time.monotonic() - self.seconds
        while not limits.reached(optimised.steps, self.seconds):
            if loss is None:
                self._report(optimised, reporter, stage, loss)
            losses = optimised.step()
            loss, now = losses[0], time.monotonic()
            self.seconds = now - begun
            self._measured = None
            self._curve.add(optimised.steps, losses)
            self._report(optimised, reporter, stage, loss)
            if saved is None:
                begin()
                self._is_made_on(device)
                self._write_checkpoint(optimised)
                saved = now
            elif now - saved > _CHECKPOINT_SECONDS:
                self._save(optimised)
                saved = now
        self._save(optimised)
        optimised.guard.refuse_nothing(optimised.steps)
        if passed_over := optimised.guard.note(optimised.steps):
            reporter.note(f"{stage}: {passed_over}")
        if optimised.steps < self._few:
            reporter.note(f"{stage}: after {counted(optimised.steps, 'step')}, {self._until_then}")

    def measure(self, optimised: InSteps, measured: InParts) -> None:
        """Measures what is left, once it is optimised; a checkpoint now and then, and at the end.

        Args:
            optimised: As it ended.
            measured: As it is at its own beginning.

        Raises:
            RunError: A state that doesn't fit; or nothing can be written.
        """
        if self._measured is not None:
            with fitting(self._path, self._of):
                measured.go_on_from(self._measured)
        saved, kept = time.monotonic(), self._measured
        with closing(measured.rest()) as parts:
            for _ in parts:
                self._measured = measured.state()
                if time.monotonic() - saved > _CHECKPOINT_SECONDS:
                    self._write_checkpoint(optimised)
                    saved, kept = time.monotonic(), self._measured
        if self._measured is not kept:
            self._write_checkpoint(optimised)

    def record(self, optimised: InSteps) -> dict[str, Any]:
        """What it came to, as JSON can hold it."""
        return {
            "steps": optimised.steps,
            "skipped": optimised.guard.skipped,
            "seconds": round(self.seconds),
            "made_on": self._made_on,
        }

    def _save(self, optimised: InSteps) -> None:
        """Writes checkpoint and losses; raises RunError."""
        self._write_checkpoint(optimised)
        self._curve.write(self._curve_file)

    def _write_checkpoint(self, optimised: InSteps) -> None:
        checkpoint = Checkpoint(
            deciding=self._deciding,
            seconds=self.seconds,
            made_on=self._made_on,
            lines=self._curve.lines,
            waiting=self._curve.waiting,
            state=optimised.state(),
            measured=self._measured,
        )
        write_checkpoint(self._path, checkpoint)

    def _is_made_on(self, device: torch.device) -> None:
        here = environment(device)
        if here not in self._made_on:
            self._made_on = [*self._made_on, here]

    def _report(
        self, optimised: InSteps, reporter: StageReporter, stage: str, loss: float | None
    ) -> None:
        limits = self._limits
        about = "" if loss is None else f"loss {loss:.4g}"
        if limits.steps is not None:
            reporter.advance(stage, optimised.steps, limits.steps, about)
        if limits.seconds is not None:
            total = max(1, round(limits.seconds))
            done = min(round(self.seconds), total)
            reporter.advance(f"{stage}, in seconds", done, total, about)
