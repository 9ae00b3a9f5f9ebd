"""One patch, from its first step to its record, with checkpoints between."""

__all__ = ["PatchInMaking"]

import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from unforeseen.adversarial_patches.effect import Effect
from unforeseen.adversarial_patches.optimisation import Optimisation
from unforeseen.asset_making.checkpoint import (
    Checkpoint,
    fitting,
    read_checkpoint,
    refuse_fewer_steps,
    write_checkpoint,
)
from unforeseen.asset_making.curve import Curve

#: Seconds between two checkpoints: what a killed process loses at most, but for a step.
_CHECKPOINT_SECONDS = 20.0
#: Steps whose mean loss is one number of the curve.
_LINE = 10


class PatchInMaking:
    """A patch, as far as it is.

    Args:
        optimisation: Its own, at the beginning; goes on from the checkpoint if there is one.
        folder: Where patches are made.
        identity: Of what decides the patch.

    Raises:
        RunError: The checkpoint can't be used, or is of more steps than the patch is to have.
    """

    def __init__(self, optimisation: Optimisation, folder: Path, identity: str) -> None:
        self.optimisation = optimisation
        self.effect: list[Effect] | None = None
        self._path = folder / f"{optimisation.target.patch}.checkpoint"
        self._identity = identity
        self._seconds = 0.0
        found = read_checkpoint(self._path, of="patch", identity=identity, columns=2)
        self._curve = Curve(_LINE, found)
        if found is not None:
            self._go_on_from(found)

    def optimise(self, report: Callable[[int, int], None]) -> None:
        """Does what steps are left; ``report`` is told how many are done, and of how many."""
        steps = self.optimisation.recipe.steps
        saved = time.monotonic()
        begun = saved - self._seconds
        while self.optimisation.steps < steps:
            self.effect = None
            loss = self.optimisation.step()
            self._curve.add(self.optimisation.steps, [loss])
            self._seconds = time.monotonic() - begun
            report(self.optimisation.steps, steps)
            if time.monotonic() - saved > _CHECKPOINT_SECONDS:
                self.save()
                saved = time.monotonic()
        self.save()

    def save(self) -> None:
        """Writes the checkpoint; raises RunError."""
        effect = None if self.effect is None else [each.to_record() for each in self.effect]
        write_checkpoint(
            self._path,
            Checkpoint(
                identity=self._identity,
                seconds=self._seconds,
                lines=self._curve.lines,
                waiting=self._curve.waiting,
                state=self.optimisation.state(),
                extra=effect,
            ),
        )

    def record(self, sha256: str) -> dict[str, Any]:
        """For the recipe: what was made, and what it does.

        Args:
            sha256: Of the patch's file.
        """
        target = self.optimisation.target
        return {
            "name": target.patch,
            "file": f"{target.patch}.png",
            "sha256": sha256,
            "target": target.number,
            "target_class": target.class_name or None,
            "steps": self.optimisation.steps,
            "skipped": self.optimisation.guard.skipped,
            "seconds": round(self._seconds),
            "losses": [round(loss, 4) for _, loss in self._curve.all_lines],
            "effect": [each.to_record() for each in self.effect or ()],
        }

    def _go_on_from(self, found: Checkpoint) -> None:
        refuse_fewer_steps(self._path, done=found.steps, asked=self.optimisation.recipe.steps)
        with fitting(self._path, "patch"):
            self.optimisation.go_on_from(found.state)
            if found.extra is not None:
                self.effect = [Effect.from_record(each) for each in found.extra]
        self._seconds = found.seconds
