"""One patch, from its first step to its record, with checkpoints between."""

__all__ = ["PatchInMaking"]

import math
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from unforeseen.adversarial_patches.checkpoint import (
    Checkpoint,
    read_checkpoint,
    write_checkpoint,
)
from unforeseen.adversarial_patches.effect import Effect
from unforeseen.adversarial_patches.optimisation import Optimisation
from unforeseen.errors import RunError

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
        self._losses: list[float] = []
        self._seconds = 0.0
        found = read_checkpoint(self._path, identity)
        if found is not None:
            self._go_on_from(found)

    def optimise(self, report: Callable[[int, int], None]) -> None:
        """Does what steps are left; ``report`` is told how many are done, and of how many."""
        steps = self.optimisation.recipe.steps
        saved = time.monotonic()
        begun = saved - self._seconds
        while self.optimisation.steps < steps:
            self.effect = None
            self._losses.append(self.optimisation.step())
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
                losses=self._losses,
                state=self.optimisation.state(),
                effect=effect,
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
            "losses": self._curve(),
            "effect": [each.to_record() for each in self.effect or ()],
        }

    def _curve(self) -> list[float]:
        """Means of ten steps each, but for those without a finite loss."""
        parts = [self._losses[i : i + _LINE] for i in range(0, len(self._losses), _LINE)]
        finite = [[each for each in part if math.isfinite(each)] for part in parts]
        return [round(sum(part) / len(part), 4) for part in finite if part]

    def _go_on_from(self, found: Checkpoint) -> None:
        self.optimisation.go_on_from(found.state)
        self._losses, self._seconds = found.losses, found.seconds
        if found.effect is not None:
            self.effect = [Effect.from_record(each) for each in found.effect]
        steps = self.optimisation.recipe.steps
        if self.optimisation.steps > steps:
            raise RunError(
                f"{self._path}: the patch has had {self.optimisation.steps:,} steps, more than the "
                f"{steps:,} that it is to have. Give --steps {self.optimisation.steps} or more, or use "
                "another --out."
            )
