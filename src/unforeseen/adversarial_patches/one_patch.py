"""One patch, from its first step to its record."""

__all__ = ["PatchInMaking"]

from collections.abc import Callable
from pathlib import Path
from typing import Any

from unforeseen.adversarial_patches.effect import Effect
from unforeseen.adversarial_patches.optimisation import Optimisation
from unforeseen.asset_making.checkpoint import fitting
from unforeseen.asset_making.going_on import GoingOn, Limits
from unforeseen.stage_reporter import StageReporter

#: Steps whose mean loss is one line of the curve.
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
        name = optimisation.target.patch
        self.optimisation = optimisation
        self._going_on = GoingOn(
            folder / f"{name}.checkpoint",
            of="patch",
            identity=identity,
            curve=folder / f"{name}.losses.csv",
            columns=[optimisation.loss_column],
            every=_LINE,
            limits=Limits(steps=optimisation.recipe.steps),
        )

    def optimise(self, reporter: StageReporter, begin: Callable[[], None]) -> None:
        """Does what steps are left; see :meth:`unforeseen.asset_making.going_on.GoingOn.optimise`."""
        self._going_on.optimise(
            self.optimisation,
            self.optimisation.device,
            reporter,
            stage=f"optimising {self.optimisation.target.patch}",
            begin=begin,
        )

    def effect(self, measure: Callable[[], list[Effect]]) -> list[Effect]:
        """What the patch does, as it was measured once, or is now; raises RunError."""
        going_on = self._going_on
        if going_on.extra is None:
            going_on.extra = [each.to_record() for each in measure()]
            going_on.save(self.optimisation)
        with fitting(going_on.path, "patch"):
            return [Effect.from_record(each) for each in going_on.extra]

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
            **self._going_on.record(self.optimisation),
            "effect": self._going_on.extra,
        }
